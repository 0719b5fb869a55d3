import ArgumentParser
import Catalogue
import Windowing

/// `carousel strips`: lists the strips of a database, the oldest first.
struct StripsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "strips",
    abstract: "List the strips of a database.",
    discussion: """
      One line for each strip, the oldest first: name, number of items, revision, title. Tabs \
      separate them.
      """)

  @OptionGroup var database: DatabaseOption

  func run() throws {
    let catalogue = try database.store().catalogue()
    var output = StandardOutput()
    var strips = try catalogue.summaries(after: nil, limit: 1000)
    while let last = strips.last, !output.isClosed {
      for strip in strips {
        try output.write(
          line: [
            strip.name, String(strip.count), String(strip.revision), strip.settings.title,
          ].joined(separator: "\t"))
      }
      strips = try catalogue.summaries(after: last.name, limit: 1000)
    }
    try output.flush()
  }
}

/// `carousel export`: writes the items of a strip as JSON Lines. `carousel import` reads them back.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the items of a strip as JSON Lines.",
    discussion: """
      Writes one item a line to standard output, in order. The strip's settings are not included.
      """)

  @OptionGroup var database: DatabaseOption

  @Option(help: "The name of the strip.")
  var strip: String

  func run() throws {
    let edition = try database.store().catalogue().edition(of: strip, at: nil)
    var output = StandardOutput()
    var start = 0
    while start < edition.strip.count && !output.isClosed {
      let end = min(start + 1000, edition.strip.count)
      for item in try edition.source.items(in: start..<end) { try output.write(line: item.json) }
      start = end
    }
    try output.flush()
  }
}

/// `carousel edit`: applies a batch of edits from a file to a strip.
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

  func run() throws {
    let editor = try database.store().editor()
    let input = try InputFile(file, cancellation: CancellationSignal())
    var bytes: [UInt8] = []
    while case let part = try input.read(), !part.isEmpty { bytes += part }
    let isLines = ImportFormat(fileName: file) == .jsonl
    let batch = try EditBatch(bytes, as: isLines ? .lines : .array, file: file)
    let revision = try editor.edit(strip, batch, expecting: .anything, once: nil)
    try StandardOutput.write(line: "\(strip): revision \(revision)")
  }
}

/// `carousel check`: looks for damage in a database.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a database for damage.",
    discussion: """
      Reads the whole database once. Servers and other commands can use it at the same time. Each \
      fault is a line on standard error. The exit status is 74 if there are faults.
      """)

  @OptionGroup var database: DatabaseOption

  func run() throws {
    let store = try database.store()
    let check = try store.check()
    for fault in check.faults { StandardError.write(line: fault) }
    guard check.faults.isEmpty else {
      throw ExitError.input(
        "\(store.name): \(check.faults.count.of("fault")). Restore a backup, or import the strips again."
      )
    }
    try StandardOutput.write(line: "\(store.name): \(check.items.of("item")), no fault")
  }
}

/// `carousel backup`: copies a database, also while a server uses it.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy a SQLite database, also while a server uses it.",
    discussion: """
      The copy is the database at one moment. For PostgreSQL, use pg_dump.
      """)

  @Argument(help: "The file to create; it must not exist.")
  var file: String

  @OptionGroup var database: DatabaseOption

  func run() throws { try database.store().backup(to: file) }
}
