import ArgumentParser
import Catalogue
import Windowing

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
