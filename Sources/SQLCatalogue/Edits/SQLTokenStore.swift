import Catalogue
import Cryptography
package import Items

package final class SQLTokenStore {
  private let database: any SQLDatabase

  package init(_ database: any SQLDatabase) { self.database = database }

  deinit { database.close() }

  /// - Parameters:
  ///   - strip: need not exist yet.
  ///   - lifetime: in seconds; nil for no end.
  package func makeToken(
    for strip: String, scope: TokenScope, lifetime: Int?
  ) throws(CatalogueError) -> Token {
    try StripName.check(strip)
    let token = Token()
    try database.write(by: WriteDeadline()) { session in
      let now = try session.clock()
      _ = try session.run(
        "INSERT INTO token (digest, strip, allows, created, expires) VALUES ($1, $2, $3, $4, $5)",
        [
          .bytes(token.digest.bytes), .text(strip), .text(scope.rawValue), .integer(now),
          .optional(lifetime.map { now + Int64($0) * 1_000_000 }),
        ])
    }
    return token
  }

  /// The tokens that have not been revoked, oldest first.
  package func tokens() throws(CatalogueError) -> [TokenEntry] {
    try database.read { session in
      try session.map(
        "SELECT number, strip, allows, created, expires FROM token ORDER BY number"
      ) {
        TokenEntry(
          number: try $0.integer(0), strip: try $0.text(1),
          scope: try $0.tokenScope(2), created: try $0.integer(3),
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
  /// The grant of each secret; nil if no valid token has the secret.
  ///
  /// The time of the look-up depends on the digest only, which reveals nothing of the secret's 258 random bits.
  static func find(of secrets: [[UInt8]], _ session: any SQLSession) throws -> [TokenGrant?] {
    let now = try session.clock()
    var found = [TokenGrant?](repeating: nil, count: secrets.count)
    try session.run(
      """
      SELECT strip, allows FROM token WHERE digest = $1 AND (expires IS NULL OR expires > $2)
      """, forEach: secrets.map { [.bytes(Digest(of: $0).bytes), .integer(now)] }
    ) { found[$0] = TokenGrant(strip: try $1.text(0), scope: try $1.tokenScope(1)) }
    return found
  }
}

extension SQLRow {
  fileprivate func tokenScope(_ column: Int) throws -> TokenScope {
    guard let scope = TokenScope(rawValue: try text(column)) else {
      throw CatalogueError.corrupt("column \"allows\" has an unknown scope of a token")
    }
    return scope
  }
}

extension SQLStripCatalogue: TokenVerifier {
  package func grants(of secrets: [[UInt8]]) throws(CatalogueError) -> [TokenGrant?] {
    try database.readStatement { try TokenGrant.find(of: secrets, $0) }
  }
}
