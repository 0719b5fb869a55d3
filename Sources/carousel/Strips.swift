import ArgumentParser
import Catalogue
import Windowing

/// `carousel strips`: what a database holds, in the order of making.
struct Strips: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the strips of a database.",
    discussion: "One a line, the first made first: name, number of items, revision, title.")

  @Option(help: Database.help)
  var database: String

  func run() throws {
    let catalogue = try Database.catalogue(at: database)
    var output = StandardOutput()
    var strips = try catalogue.summaries(after: nil, limit: 1000)
    while let last = strips.last, !output.isAtEnd {
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
