import Foundation
import GRDB
package import Items

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

  package func makeToken(for strip: String, lifetime: Int?) throws(CatalogueError) -> Token {
    try StripName.check(strip)
    let token = Token()
    let now = WallClock.now
    try catching(path) {
      try queue.write { db in
        try db.execute(
          sql: "INSERT INTO token (digest, strip, made, expires) VALUES (?, ?, ?, ?)",
          arguments: [
            Data(token.digest.bytes), strip, now, lifetime.map { now + Int64($0) * 1_000_000 },
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

extension SQLiteEditor: Admission {
  package func strip(readBy secret: [UInt8]) throws(CatalogueError) -> String? {
    try catalogue.database.readOnce { try StoredToken.strip(of: secret, $0) }
  }
}

/// A row of `token`.
enum StoredToken {
  /// What the bearer of `secret` may do with a strip.
  static func permission(
    of secret: [UInt8], for strip: String, _ db: Database
  ) throws -> Permission {
    guard let own = try Self.strip(of: secret, db) else { return .unknown }
    return own == strip ? .granted : .ofAnotherStrip
  }

  /// The strip that `secret` is a token of.
  ///
  /// Every token is compared, each in constant time: how long it takes says how many there are.
  static func strip(of secret: [UInt8], _ db: Database) throws -> String? {
    let digest = Digest(of: secret)
    var strip: String?
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: "SELECT digest, strip FROM token WHERE expires IS NULL OR expires > ?"),
      arguments: [WallClock.now])
    while let row = try rows.next() {
      guard Digest(bytes: Array(try row.required("digest") as Data)) == digest else { continue }
      strip = try row.required("strip")
    }
    return strip
  }
}
