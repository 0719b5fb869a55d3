import ArgumentParser
import Catalogue
import FoundationEssentials

/// `carousel token`: who may change or read which strip.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Make, list and revoke the tokens that changes need, and closed reading.",
    subcommands: [Create.self, List.self, Revoke.self])

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create",
      abstract: "Make a token for a strip.",
      discussion: """
        The last line of output is the token. It is shown this once: the database keeps no more \
        than its SHA-256. The strip need not be there yet: who has its token can make it.
        """)

    @Option(help: Database.help)
    var database: String

    @Option(help: "The name of the strip that the token is good for.")
    var strip: String

    @Flag(
      help: "Let it read the strip, where \"serve --closed\" asks for that, and change nothing.")
    var readOnly = false

    @Option(help: "After how many days the token is worth nothing. Default: it stays.")
    var days: Int?

    func validate() throws {
      guard StripName.isValid(strip) else {
        throw ValidationError("--strip must be the name of a strip: [a-z0-9][a-z0-9-]{0,63}")
      }
      if let days, !(1...36_500).contains(days) {
        throw ValidationError("--days must be from 1 to 36500")
      }
    }

    func run() throws {
      let tokens = try Database.tokens(at: database)
      let token = try tokens.makeToken(
        for: strip, right: readOnly ? .reads : .changes, lifetime: days.map { $0 * 86_400 })
      try StandardOutput.write(line: token.secret)
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the tokens, never their secrets.",
      discussion: """
        One a line: number, strip, when it was made, when it expires, what its bearer does: \
        "changes" or "reads".
        """)

    @Option(help: Database.help)
    var database: String

    func run() throws {
      var output = StandardOutput()
      for token in try Database.tokens(at: database).tokens() {
        try output.write(
          line: [
            String(token.number), token.strip, Self.date(token.made),
            token.expires.map(Self.date) ?? "never", token.right.rawValue,
          ].joined(separator: "\t"))
      }
      try output.flush()
    }

    /// A time as ISO 8601 writes it.
    private static func date(_ microseconds: Int64) -> String {
      Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
        .formatted(.iso8601)
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revoke", abstract: "Make a token worth nothing, at once.")

    @Argument(help: "The token's number, as \"carousel token list\" says it.")
    var number: Int64

    @Option(help: Database.help)
    var database: String

    func run() throws {
      try Database.tokens(at: database).revokeToken(number)
      try StandardOutput.write(line: "token \(number) is revoked")
    }
  }
}
