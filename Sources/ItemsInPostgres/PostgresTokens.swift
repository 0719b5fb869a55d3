package import Catalogue

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

  package func makeToken(
    for strip: String, right: TokenRight, lifetime: Int?
  ) throws(CatalogueError) -> Token {
    try StripName.check(strip)
    let token = Token()
    try sessions.write { session in
      let now = try session.clock()
      try session.run(
        "INSERT INTO token (digest, strip, only_reads, made, expires) VALUES ($1, $2, $3, $4, $5)",
        [
          .bytes(token.digest.bytes), .text(strip), .boolean(right == .reads), .integer(now),
          .optional(lifetime.map { now + Int64($0) * 1_000_000 }),
        ])
    }
    return token
  }

  package func tokens() throws(CatalogueError) -> [TokenEntry] {
    try sessions.read { session in
      try session.run("SELECT number, strip, only_reads, made, expires FROM token ORDER BY number")
        .map {
          TokenEntry(
            number: try $0.integer(0), strip: try $0.text(1),
            right: try $0.boolean(2) ? .reads : .changes, made: try $0.integer(3),
            expires: try $0.optionalInteger(4))
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

extension PostgresEditor: TokenVerifier {
  package func strip(readBy secret: [UInt8]) throws(CatalogueError) -> String? {
    try sessions.read { try TokenGrant(of: secret, $0)?.strip }
  }
}

extension TokenGrant {
  /// What `secret` is good for; nil for a token that is none.
  ///
  /// Every token is compared, each in constant time: how long it takes says how many there are.
  init?(of secret: [UInt8], _ session: Session) throws {
    let digest = Digest(of: secret)
    let tokens = try session.run(
      "SELECT digest, strip, only_reads FROM token WHERE expires IS NULL OR expires > $1",
      [.integer(try session.clock())]
    ).map {
      (
        digest: Digest(bytes: try $0.bytes(0)),
        grant: TokenGrant(strip: try $0.text(1), right: try $0.boolean(2) ? .reads : .changes)
      )
    }
    var grant: TokenGrant?
    for token in tokens where token.digest == digest { grant = token.grant }
    guard let grant else { return nil }
    self = grant
  }
}
