import ArgumentParser
import Catalogue
import HTTP
import SQLCatalogue
import Serving
import Windowing

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the items of a strip as JSON Lines.",
    discussion: """
      Writes one item a line to standard output, in order. The strip's settings are not included. \
      With --list, --where, --q or --sort it writes the items of that view, in its groups.
      """)

  @OptionGroup var database: DatabaseOption

  @Option(help: "The name of the strip.")
  var strip: String

  @OptionGroup var view: ViewOptions

  func run() throws {
    let edition =
      if view.isEmpty {
        try database.store().catalogue().edition(of: strip, at: nil)
      } else {
        try App.answering(database, view.parameters) { app, query throws(Problem) in
          try app.view(query, of: strip)
        }
      }
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
