import ArgumentParser
import Catalogue

/// `carousel edit`: changes of a strip out of a file, made as one.
struct Edit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change a strip: insert, update, move and remove items.",
    discussion: """
      The file holds what POST /strips/{strip}/edits takes: a JSON array of operations, or an \
      operation a line where its name ends in .jsonl or .ndjson. All of them are made, or none.
      """)

  @Argument(help: "The file; - is standard input.")
  var file: String

  @Option(help: Database.help)
  var database: String

  @Option(help: "The name of the strip.")
  var strip: String

  func run() throws {
    let editor = try Database.editor(at: database)
    let input = try InputFile(file, interruption: CancellationSignal())
    var bytes: [UInt8] = []
    while case let part = try input.read(), !part.isEmpty { bytes += part }
    let isLines = ImportFormat(fileName: file) == .jsonl
    let batch = try EditBatch(bytes, as: isLines ? .lines : .array, file: file)
    let revision = try editor.edit(strip, batch, expecting: .anything, once: nil)
    try StandardOutput.write(line: "\(strip): revision \(revision)")
  }
}
