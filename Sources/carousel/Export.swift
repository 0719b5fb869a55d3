import ArgumentParser
import Catalogue
import Windowing

/// `carousel export`: the items of a strip as JSON Lines, which `carousel import` reads back to the
/// same.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes the items of a strip as JSON Lines.",
    discussion: "Items, not settings: each on a line of its own, in order, on standard output.")

  @Option(help: Database.help)
  var database: String

  @Option(help: "The name of the strip.")
  var strip: String

  func run() throws {
    let edition = try Database.catalogue(at: database).edition(of: strip, at: nil)
    var output = StandardOutput()
    var start = 0
    while start < edition.strip.count && !output.isAtEnd {
      let end = min(start + 1000, edition.strip.count)
      for item in try edition.source.items(in: start..<end) { try output.write(line: item.json) }
      start = end
    }
    try output.flush()
  }
}
