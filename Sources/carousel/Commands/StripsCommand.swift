import ArgumentParser
import Catalogue
import SQLCatalogue

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
    let catalogue = try database.store().catalogue()
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
