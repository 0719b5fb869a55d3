package import Catalogue
import Cryptography

/// The tokens of a database.
package final class StoredTokens: TokenStore {
  private let database: any SQLDatabase

  package init(_ database: any SQLDatabase) { self.database = database }

  deinit { database.close() }

  package func makeToken(
    for strip: String, right: TokenRight, lifetime: Int?
  ) throws(CatalogueError) -> Token {
    try StripName.check(strip)
    let token = Token()
    try database.write(by: WriteDeadline()) { session in
      let now = try session.clock()
      _ = try session.run(
        "INSERT INTO token (digest, strip, allows, created, expires) VALUES ($1, $2, $3, $4, $5)",
        [
          .bytes(token.digest.bytes), .text(strip), .text(right.rawValue), .integer(now),
          .optional(lifetime.map { now + Int64($0) * 1_000_000 }),
        ])
    }
    return token
  }

  package func tokens() throws(CatalogueError) -> [TokenEntry] {
    try database.read { session in
      try session.map(
        "SELECT number, strip, allows, created, expires FROM token ORDER BY number"
      ) {
        TokenEntry(
          number: try $0.integer(0), strip: try $0.text(1),
          right: try $0.tokenRight(2), created: try $0.integer(3),
          expires: try $0.optionalInteger(4))
      }
    }
  }

  package func revokeToken(_ number: Int64) throws(CatalogueError) {
    try database.write(by: WriteDeadline()) { session in
      let count = try session.run("DELETE FROM token WHERE number = $1", [.integer(number)])
      guard count == 1 else { throw CatalogueError.invalid("there is no token \(number)") }
    }
  }
}

extension TokenGrant {
  /// What a secret permits; nil if no valid token has it.
  ///
  /// Compares every token, each in constant time, so that the time taken depends on their number alone.
  init?(of secret: [UInt8], _ session: any SQLSession) throws {
    let digest = Digest(of: secret)
    var grant: TokenGrant?
    try session.run(
      "SELECT digest, strip, allows FROM token WHERE expires IS NULL OR expires > $1",
      [.integer(try session.clock())]
    ) { row in
      guard Digest(bytes: try row.bytes(0)) == digest else { return }
      grant = TokenGrant(strip: try row.text(1), right: try row.tokenRight(2))
    }
    guard let grant else { return nil }
    self = grant
  }
}

extension SQLRow {
  fileprivate func tokenRight(_ column: Int) throws -> TokenRight {
    guard let right = TokenRight(rawValue: try text(column)) else {
      throw CatalogueError.corrupt("column \"allows\" holds no right of a token")
    }
    return right
  }
}
