import CSQLite
package import Catalogue
package import SQLCatalogue
import Synchronization

/// A SQLite file that an import writes to. The file is made if there is none.
package final class SQLiteImportFile: SQLImportDatabase {
  package let name: String
  private let running = Mutex<SQLiteConnection?>(nil)

  /// In KiB. Ids come in any order, and each goes to its place in an index.
  private static let cacheSize = 128 << 10

  package init(path: String) { name = path }

  package func importing<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    guard TemporaryDatabase.isMissingOrEmpty(name) else { return try extend(body) }
    var making = try TemporaryDatabase(path: name)
    let value = try make(making.temporary, body)
    try making.publish()
    return value
  }

  package func existing() throws(CatalogueError) -> (any SQLDatabase)? {
    guard !TemporaryDatabase.isMissingOrEmpty(name) else {
      try TemporaryDatabase.check(name)
      return nil
    }
    let file = try SQLiteFile(path: name, readers: 1)
    // A transaction that writes begins on a read-only file too, so permissions are checked first.
    if let protection = WriteProtection(of: name) { throw protection.error(of: name) }
    try mappingErrors(name) {
      let connection = try open(name, "")
      try connection.write { _ in }
      connection.close()
    }
    return file
  }

  /// Only a statement that runs is stopped: the caller checks between statements.
  package func interrupt() { running.withLock { $0?.interrupt() } }

  /// Writes to a file that exists.
  private func extend<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    guard let identity = FileIdentity(path: name) else {
      throw .unavailable("\(name) does not exist")
    }
    return try mappingErrors(name) {
      let connection = try open(
        name, "PRAGMA synchronous = FULL; PRAGMA cache_size = -\(Self.cacheSize)")
      try connection.use { try Schema.check($0, path: name) }
      let value = try write(to: connection) { session in
        try session.db.claimOrigin(path: name)
        return try body(session)
      }
      try OpenedFile(path: name, identity: identity).check()
      // The log of an import is long. If other processes read in it, they checkpoint it later.
      _ = try? connection.use { try $0.checkpoint(SQLITE_CHECKPOINT_TRUNCATE) }
      connection.close()
      return value
    }
  }

  /// Writes a new file, which no process reads before it is complete: no journal is needed on the disk.
  private func make<Value>(
    _ temporary: String, _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try mappingErrors(name) {
      let connection = try open(
        temporary,
        """
        PRAGMA page_size = \(Schema.pageSize);
        PRAGMA journal_mode = MEMORY;
        PRAGMA synchronous = OFF;
        PRAGMA cache_size = -\(Self.cacheSize);
        """)
      try connection.write { try $0.execute(Schema.sql) }
      let value = try write(to: connection, body)
      try connection.use { try $0.execute("PRAGMA journal_mode = WAL") }
      connection.close()
      return value
    }
  }

  private func open(_ path: String, _ pragmas: String) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, timeout: 10_000)
    try connection.use { try $0.execute(pragmas) }
    return connection
  }

  private func write<Value>(
    to connection: SQLiteConnection, _ body: (SQLiteSession) throws -> Value
  ) throws -> Value {
    running.withLock { $0 = connection }
    defer { running.withLock { $0 = nil } }
    return try connection.write { try body(SQLiteSession($0, path: name)) }
  }
}
