import Foundation
import GRDB
import Items

/// Connections that read one database, many at a time.
final class SQLiteReaders: Sendable {
  let path: String
  private let pool: DatabasePool

  /// Opens a database that is there.
  ///
  /// - Parameter count: how many may read at once.
  /// - Throws: `.unavailable` when there is none, it is none of ours, or of a newer version.
  init(path: String, count: Int) throws(CatalogueError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw .unavailable("\(path) does not exist; \"carousel import\" makes a database")
    }
    self.path = path
    pool = try catching(path) {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.maximumReaderCount = count
      configuration.busyMode = .timeout(5)
      let pool = try DatabasePool(path: path, configuration: configuration)
      try pool.read { try Schema.check($0, path: path) }
      return pool
    }
  }

  /// Runs `body` in a transaction of its own: everything it reads is of one moment.
  func read<Result>(
    _ body: (Database) throws -> Result
  ) throws(CatalogueError) -> Result {
    try catching(path) { try pool.read(body) }
  }

  /// Runs one statement, or several that need not be of one moment: what a request does.
  func readOnce<Result>(
    _ body: (Database) throws -> Result
  ) throws(CatalogueError) -> Result {
    try catching(path) { try pool.unsafeRead(body) }
  }

  /// A number that changes whenever another connection has committed.
  func dataVersion() throws(CatalogueError) -> Int {
    // The pool's writing connection, which never writes here, is always the same one: only on one
    // connection do these numbers compare.
    try catching(path) {
      try pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }
  }
}
