package import Items

/// The tokens of a PostgreSQL database.
package final class PostgresTokens: TokenStore {
  private let sessions: Sessions

  /// Makes the catalogue's tables where there are none: tokens may come before strips.
  ///
  /// - Throws: `.unavailable` where the database is not to be had.
  package init(_ address: Address) throws(CatalogueError) {
    sessions = Sessions(address, limit: 1)
    try sessions.write { try Schema.make($0, address) }
  }

  package func makeToken(for strip: String, lifetime: Int?) throws(CatalogueError) -> Token {
    try StripName.check(strip)
    let token = Token()
    try sessions.write { session in
      let now = try session.clock()
      try session.run(
        "INSERT INTO token (digest, strip, made, expires) VALUES ($1, $2, $3, $4)",
        [
          .bytes(token.digest.bytes), .text(strip), .integer(now),
          .optional(lifetime.map { now + Int64($0) * 1_000_000 }),
        ])
    }
    return token
  }

  package func tokens() throws(CatalogueError) -> [TokenEntry] {
    try sessions.read { session in
      try session.run("SELECT number, strip, made, expires FROM token ORDER BY number").map {
        TokenEntry(
          number: try $0.integer(0), strip: try $0.text(1), made: try $0.integer(2),
          expires: try $0.optionalInteger(3))
      }
    }
  }

  package func revokeToken(_ number: Int64) throws(CatalogueError) {
    try sessions.write { session in
      let count = try session.run("DELETE FROM token WHERE number = $1", [.integer(number)])
        .changedCount
      guard count == 1 else { throw CatalogueError.invalid("there is no token \(number)") }
    }
  }
}

extension PostgresEditor: Admission {
  package func strip(readBy secret: [UInt8]) throws(CatalogueError) -> String? {
    try sessions.read { try StoredToken.strip(of: secret, $0) }
  }
}

/// A row of `token`.
enum StoredToken {
  /// What the bearer of `secret` may do with a strip.
  static func permission(
    of secret: [UInt8], for strip: String, _ session: Session
  ) throws -> Permission {
    guard let own = try Self.strip(of: secret, session) else { return .unknown }
    return own == strip ? .granted : .ofAnotherStrip
  }

  /// The strip that `secret` is a token of.
  ///
  /// Every token is compared, each in constant time: how long it takes says how many there are.
  static func strip(of secret: [UInt8], _ session: Session) throws -> String? {
    let digest = Digest(of: secret)
    let tokens = try session.run(
      "SELECT digest, strip FROM token WHERE expires IS NULL OR expires > $1",
      [.integer(try session.clock())]
    ).map { (try $0.bytes(0), try $0.text(1)) }
    var strip: String?
    for token in tokens where Digest(bytes: token.0) == digest { strip = token.1 }
    return strip
  }
}
