import ArgumentParser
import FoundationEssentials
import Items
import SQLCatalogue

struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Create, list and revoke tokens for strips.",
    discussion: """
      Edits and lists over HTTP need a token of the strip. So do reads if the server runs with \
      --closed. The client sends it as Authorization: Bearer TOKEN.
      """,
    subcommands: [Create.self, List.self, Revoke.self])

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create",
      abstract: "Create a token for a strip.",
      discussion: """
        The last line of output is the token. It is shown only once: the database stores only its \
        SHA-256 hash. The strip does not have to exist: the token also allows to create it.
        """)

    @OptionGroup var database: DatabaseOption

    @Option(help: "The name of the strip that the token is for.")
    var strip: String

    @Flag(help: "Allow reads only. A server with --closed requires a token for reads.")
    var readOnly = false

    @Flag(help: "Allow to store lists for views, and to read, but not to change the strip.")
    var listsOnly = false

    @Option(
      signed: "The number of days until the token expires. (default: it never expires)",
      in: 1...36_500)
    var days: Int?

    func validate() throws {
      guard StripName.isValid(strip) else {
        throw ValidationError(
          "--strip must be a strip's name: 1 to 64 of a-z, 0-9 and -, and not - first")
      }
      guard !readOnly || !listsOnly else {
        throw ValidationError("give either --read-only or --lists-only")
      }
    }

    func run() throws {
      let token = try database.tokens(for: .newTokens).makeToken(
        for: strip, scope: readOnly ? .reads : listsOnly ? .lists : .changes,
        lifetime: days.map { $0 * 86_400 })
      try StandardOutput.write(line: token.secret)
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the tokens, without their secrets.",
      discussion: """
        One line for each token: number, strip, time of creation, time of expiry or "never", and \
        "changes", "lists" or "reads". Tabs separate them.
        """)

    @OptionGroup var database: DatabaseOption

    func run() throws {
      var output = StandardOutput()
      for token in try database.tokens().tokens() {
        try output.write(
          line: [
            String(token.number), token.strip.escapingControls(), Self.date(token.created),
            token.expires.map(Self.date) ?? "never", token.scope.rawValue,
          ].joined(separator: "\t"))
      }
      try output.flush()
    }

    /// A time in microseconds since 1970, in ISO 8601.
    private static func date(_ microseconds: Int64) -> String {
      Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
        .formatted(.iso8601)
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revoke",
      abstract: "Revoke a token.",
      discussion: "Servers reject the token within a second.")

    @Argument(help: "The number of the token, as \"carousel token list\" prints it.")
    var number: Int64

    @OptionGroup var database: DatabaseOption

    func run() throws {
      try database.tokens().revokeToken(number)
      try StandardOutput.write(line: "token \(number) is revoked")
    }
  }
}

extension DatabaseOption {
  fileprivate func tokens(
    for use: DatabaseLocation.Use = .command
  ) throws(CatalogueError) -> SQLTokenStore {
    SQLTokenStore(try location().database(for: use))
  }
}
