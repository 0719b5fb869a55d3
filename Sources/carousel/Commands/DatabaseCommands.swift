import ArgumentParser
import Catalogue
import HTTP
import Items
import SQLCatalogue
import Serving
import Views
import Windowing

struct StripsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "strips",
    abstract: "List the strips of a database.",
    discussion: """
      One line for each strip, the oldest first: name, number of items, revision, title. Tabs \
      separate them. Control characters of a title are escaped: \\u001b.
      """)

  @OptionGroup var database: DatabaseOption

  func run() throws {
    let catalogue = try database.location().catalogue()
    var output = StandardOutput()
    var strips = try catalogue.summaries(after: nil, limit: 1000)
    while let last = strips.last, !output.isClosed {
      for strip in strips {
        try output.write(
          line: [
            strip.name, String(strip.count), String(strip.revision),
            strip.settings.title.escapingControls(),
          ].joined(separator: "\t"))
      }
      strips = try catalogue.summaries(after: last.name, limit: 1000)
    }
    try output.flush()
  }
}

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the items of a strip as JSON Lines.",
    discussion: """
      Writes one item a line to standard output, in order. The strip's settings are not included. \
      With --list, --where, --q or --sort it writes the items of that view, in its groups.

      --on-error skip writes all other items if some are damaged. Each damaged item is a line on \
      standard error, and the exit status is still 74.
      """)

  @OptionGroup var database: DatabaseOption

  @Option(help: "The name of the strip.")
  var strip: String

  @Option(help: "What to do with a damaged item: stop or skip.")
  var onError: OnError = .stop

  @OptionGroup var view: ViewOptions

  func run() throws {
    let snapshot =
      if view.parameters.isEmpty {
        try database.location().catalogue().snapshot(of: strip, at: nil)
      } else {
        try App.answering(database, view.parameters) { app, query throws(Problem) in
          try app.view(query, of: strip)
        }
      }
    var output = StandardOutput()
    var start = 0
    var skippedCount = 0
    while start < snapshot.strip.count && !output.isClosed {
      let end = min(start + 1000, snapshot.strip.count)
      let items = try items(start..<end, of: snapshot)
      for item in items { try output.write(line: item.json) }
      skippedCount += end - start - items.count
      start = end
    }
    try output.flush()
    guard skippedCount == 0 else {
      throw CatalogueError.failed(
        "the strip \"\(strip)\": skipped \(skippedCount.of("damaged item"))")
    }
  }

  /// Names the items that `--on-error skip` leaves out.
  ///
  /// - Complexity: O(log *n*) reads for each damaged item.
  private func items(
    _ range: Range<Int>, of snapshot: Snapshot
  ) throws(CatalogueError) -> [Item] {
    do throws(CatalogueError) {
      return try snapshot.source.items(in: range)
    } catch {
      guard case .corrupt = error, onError == .skip else { throw error }
      guard range.count > 1 else {
        StandardError.write(line: "skipped item \(range.lowerBound): \(error)")
        return []
      }
      let middle = range.lowerBound + range.count / 2
      return try items(range.lowerBound..<middle, of: snapshot)
        + items(middle..<range.upperBound, of: snapshot)
    }
  }
}

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
    let location = try database.location()
    let check = try IntegrityCheck(location.database(for: .command))
    for fault in check.faults { StandardError.write(line: fault) }
    guard check.faults.isEmpty else {
      throw CatalogueError.failed(
        "\(location.name): \(check.faults.count.of("fault")). Restore a backup, or import the strips again."
      )
    }
    try StandardOutput.write(line: "\(location.name): \(check.count.of("item")), no fault")
  }
}

struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy a SQLite database, also while a server uses it.",
    discussion: """
      The copy is the database at one moment, with its damage if there is any: run "carousel check" \
      on the copy. For PostgreSQL, use pg_dump.
      """)

  @Argument(help: "The file to create; it must not exist.")
  var file: String

  @OptionGroup var database: DatabaseOption

  func run() throws { try database.location().backup(to: file) }
}
