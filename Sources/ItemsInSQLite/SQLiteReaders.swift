import Foundation
import GRDB
import Items

/// Connections that read one database, many at a time.
final class SQLiteReaders: Sendable {
  let path: String
  private let pool: DatabasePool
  /// What windows are read on.
  let snapshots: Snapshots
  /// A connection that could write and never does: the last to be closed, it clears away what
  /// SQLite keeps beside the file. Nil where the file cannot be written.
  private let caretaker: DatabaseQueue?

  /// Opens a database that is there.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - count: How many may read at once.
  /// - Throws: `.unavailable` when there is none, it is none of ours, or of a newer version.
  init(path: String, count: Int) throws(CatalogueError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .unavailable("\(path) does not exist; \"carousel import\" makes a database")
    }
    guard !isFolder.boolValue else {
      throw .unavailable("\(path) is a folder, not a database")
    }
    self.path = path
    try Migration.bringUpToDate(path)
    let (name, pool) = try catching(path) {
      do {
        return (path, try Self.open(path, named: path, count: count))
      } catch let error as DatabaseError
        where [.SQLITE_READONLY, .SQLITE_CANTOPEN].contains(error.resultCode)
      {
        let name = try Self.unchanging(path, or: error)
        return (name, try Self.open(name, named: path, count: count))
      }
    }
    self.pool = pool
    snapshots = Snapshots(path: name, limit: count)
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    caretaker = try? DatabaseQueue(path: path, configuration: configuration)
  }

  deinit {
    snapshots.close()
    try? pool.close()
    try? caretaker?.close()
  }

  private static func open(_ path: String, named: String, count: Int) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.maximumReaderCount = count
    configuration.busyMode = .timeout(5)
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.read { db in
      guard try Schema.check(db, path: named) else {
        throw CatalogueError.unavailable(
          "\(named) is of an older version and cannot be written, so that it cannot be brought to "
            + "version \(Schema.version)")
      }
    }
    return pool
  }

  /// The name by which SQLite reads a file in a folder where nothing can be written, and so nothing
  /// can change either.
  ///
  /// - Throws: `error` where a log stands beside the file: then its newest state is not in the file
  ///   alone.
  private static func unchanging(_ path: String, or error: DatabaseError) throws -> String {
    guard !FileManager.default.isWritableFile(atPath: path),
      DatabaseInTheMaking.isNothing(path + "-wal")
    else { throw error }
    return URL(fileURLWithPath: path).absoluteString + "?immutable=1"
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
