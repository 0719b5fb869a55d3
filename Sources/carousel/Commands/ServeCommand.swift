import ArgumentParser
import Catalogue
import Items
import Logging
import SQLCatalogue

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve strips over HTTP.",
    discussion: """
      Each option is also an environment variable: --fresh-for is CAROUSEL_FRESH_FOR, --port is \
      CAROUSEL_PORT or PORT. The command line takes precedence.
      """)

  @Option(
    help: ArgumentHelp(
      "The database: \(DatabaseLocation.addressHelp). (default: the built-in strips)"))
  var database: String?

  @Flag(
    help: ArgumentHelp(
      "Require a token for reads: Authorization: Bearer TOKEN.",
      discussion: """
        For servers that fetch windows for their own users, and for proxies that add the token. \
        Images and event streams of a page cannot send this header.
        """))
  var closed = false

  @OptionGroup var options: ServeOptions

  func validate() throws {
    guard !closed || options.freshFor == nil else {
      throw ValidationError(
        "--fresh-for has no effect with --closed: shared caches store no private answer. Remove one"
      )
    }
    guard !closed || database != nil else {
      throw ValidationError("--closed needs --database: the tokens are in the database")
    }
  }

  func run() throws {
    try options.serve("serve") { logger, onReplacement in
      guard let database else {
        return ServedCatalogue(catalogue: try BuiltIn.catalogue(version: Version.current))
      }
      let log: @Sendable (String) -> Void = { logger.warning("\($0)") }
      let stored = try options.stored(
        DatabaseLocation(database).database(for: .server(log: log, onReplacement: onReplacement)),
        log: log)
      return ServedCatalogue(
        catalogue: stored.catalogue, editor: stored.editor,
        verifier: closed ? stored.catalogue : nil)
    }
  }
}
