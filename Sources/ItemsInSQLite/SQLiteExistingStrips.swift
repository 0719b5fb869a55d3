package import Catalogue
import GRDB

/// The strips of a SQLite file that is there, or of none, where an import would make one.
///
/// A file of an older version is read as it is.
package final class SQLiteExistingStrips: ExistingStrips {
  private let path: String
  /// Nil where there is no file yet.
  private let queue: DatabaseQueue?

  /// - Throws: what an import would throw that cannot have the file, or cannot make it.
  package init(path: String) throws(CatalogueError) {
    self.path = path
    guard !TemporaryDatabase.isNothing(path) else {
      try TemporaryDatabase.check(path)
      queue = nil
      return
    }
    queue = try catching(path) {
      var configuration = Configuration()
      configuration.busyMode = .timeout(10)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.read { _ = try Schema.check($0, path: path) }
      // Whether it can be written shows where a transaction begins that is to write; but one of a file
      // that is read-only begins all the same.
      if let protection = WriteProtection(of: path) { throw protection.error(of: path) }
      try queue.writeWithoutTransaction { db in try db.inTransaction(.immediate) { .rollback } }
      return queue
    }
  }

  deinit { try? queue?.close() }

  package func number(of name: String) throws(CatalogueError) -> Int64? {
    try read { db in
      try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT number FROM strip WHERE name = ?"), arguments: [name])
    }
  }

  package func has(_ id: String, in strip: Int64) throws(CatalogueError) -> Bool {
    try read { db in
      try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT position FROM item WHERE strip = ? AND id = ?"),
        arguments: [strip, id])
    } != nil
  }

  package func kinds(of strip: Int64) throws(CatalogueError) -> [String] {
    try read { db in
      try String.fetchAll(
        db, sql: "SELECT name FROM kind WHERE strip = ? ORDER BY number", arguments: [strip])
    } ?? []
  }

  package func has(kind: Int, in strip: Int64) throws(CatalogueError) -> Bool {
    try read { db in
      try Int64.fetchOne(
        db, sql: "SELECT position FROM item WHERE strip = ? AND kind = ? LIMIT 1",
        arguments: [strip, kind])
    } != nil
  }

  private func read<Value>(
    _ body: (Database) throws -> Value?
  ) throws(CatalogueError) -> Value? {
    try catching(path) { try queue?.unsafeRead(body) }
  }
}
