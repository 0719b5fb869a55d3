package import Catalogue
import Foundation
import GRDB

/// The tokens of a SQLite file.
package final class SQLiteTokens: TokenStore {
  private let path: String
  private let queue: DatabaseQueue

  /// - Throws: `.unavailable` when there is no database, it is none of ours, or of a newer version.
  package init(path: String) throws(CatalogueError) {
    self.path = path
    queue = try catching(path) { try WritingConnection.open(path) }
  }

  deinit { try? queue.close() }

  package func makeToken(
    for strip: String, right: TokenRight, lifetime: Int?
  ) throws(CatalogueError) -> Token {
    try StripName.check(strip)
    let token = Token()
    let now = WallClock.now
    try catching(path) {
      try queue.write { db in
        try db.execute(
          sql: """
            INSERT INTO token (digest, strip, only_reads, made, expires) VALUES (?, ?, ?, ?, ?)
            """,
          arguments: [
            Data(token.digest.bytes), strip, right == .reads, now,
            lifetime.map { now + Int64($0) * 1_000_000 },
          ])
      }
    }
    return token
  }

  package func tokens() throws(CatalogueError) -> [TokenEntry] {
    try catching(path) {
      try queue.read { db in
        try Row.fetchAll(db, sql: "SELECT * FROM token ORDER BY number").map { row in
          TokenEntry(
            number: try row.required("number"), strip: try row.required("strip"),
            right: try row.required("only_reads") ? .reads : .changes,
            made: try row.required("made"), expires: try row.optional("expires"))
        }
      }
    }
  }

  package func revokeToken(_ number: Int64) throws(CatalogueError) {
    try catching(path) {
      try queue.write { db in
        try db.execute(sql: "DELETE FROM token WHERE number = ?", arguments: [number])
        guard db.changesCount == 1 else {
          throw CatalogueError.invalid("there is no token \(number)")
        }
      }
    }
  }
}

extension SQLiteEditor: TokenVerifier {
  package func strip(readBy secret: [UInt8]) throws(CatalogueError) -> String? {
    try catalogue.database.readOnce { try TokenGrant(of: secret, $0)?.strip }
  }
}

extension TokenGrant {
  /// What `secret` is good for; nil for a token that is none.
  ///
  /// Every token is compared, each in constant time: how long it takes says how many there are.
  init?(of secret: [UInt8], _ db: Database) throws {
    let digest = Digest(of: secret)
    var grant: TokenGrant?
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: "SELECT digest, strip, only_reads FROM token WHERE expires IS NULL OR expires > ?"),
      arguments: [WallClock.now])
    while let row = try rows.next() {
      guard Digest(bytes: Array(try row.required("digest") as Data)) == digest else { continue }
      grant = TokenGrant(
        strip: try row.required("strip"),
        right: try row.required("only_reads") ? .reads : .changes)
    }
    guard let grant else { return nil }
    self = grant
  }
}
