import ArgumentParser
import Catalogue
import Items
import SQLCatalogue

struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Edit a strip: insert, update, move and remove items.",
    discussion: """
      The file has the format of POST /strips/{strip}/edits: a JSON array of operations. If its \
      name ends in .jsonl or .ndjson, it has one operation a line. The edit is one transaction: all \
      operations are applied, or none.

        [{"op":"insert","before":null,"items":[{"id":"a9","aspect":1.5}]},
         {"op":"update","id":"a1","set":{"fields":{"title":"Blue"}}},
         {"op":"move","ids":["a3"],"after":"a7"},
         {"op":"remove","ids":["a4"]}]

      before and after name an item of the strip. "before":null is the end of the strip, \
      "after":null is its front.
      """)

  @Argument(help: "The file; - is standard input.")
  var file: String

  @OptionGroup var database: DatabaseOption

  @Option(help: "The name of the strip.")
  var strip: String

  @Flag(
    help: """
      Write the batch that takes the edit back to standard output, and the revision to standard error.
      """)
  var undo = false

  func run() throws {
    let editor = try database.location().editor()
    let input = try InputFile(file)
    var bytes: [UInt8] = []
    while case let part = try input.read(), !part.isEmpty { bytes += part }
    let isLines = ImportFormat(fileName: file) == .jsonl
    let batch = try EditBatch(bytes, as: isLines ? .lines : .array, file: file)
    let made = try editor.edit(
      strip, batch, expecting: .anything, idempotencyKey: nil, undoLimit: undo ? .max : nil,
      by: WriteDeadline())
    let line = "\(strip): revision \(made.revision)"
    if undo { StandardError.write(line: line) }
    do {
      try StandardOutput.write(line: made.undo.map { String(decoding: $0, as: UTF8.self) } ?? line)
    } catch {
      throw CatalogueError.failed("the edit was made, but \(error)")
    }
  }
}
