import ArgumentParser
import Items
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
    var names = try catalogue.names(after: nil, limit: 1000)
    while let last = names.last, !output.isAtEnd {
      for name in names {
        let edition = try catalogue.edition(of: name, at: nil)
        try output.write(
          line: [
            name, String(edition.strip.count), String(edition.revision), edition.settings.title,
          ].joined(separator: "\t"))
      }
      names = try catalogue.names(after: last, limit: 1000)
    }
    try output.flush()
  }
}
