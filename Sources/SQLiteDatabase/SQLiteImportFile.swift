import GRDB
package import Items
package import SQLCatalogue
import Synchronization
import Views

/// A SQLite file that an import writes to or makes.
package final class SQLiteImportFile: SQLImportDatabase {
  package let name: String
  private let running = Mutex<DatabaseQueue?>(nil)

  /// In bytes. Ids come in any order, and each goes to its place in an index.
  private static let pageCache = 128 << 20

  package init(path: String) { name = path }

  package func importing<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    guard FileStatus.isMissingOrEmpty(name) else { return try extend(body) }
    var making = try TemporaryDatabase(path: name)
    let value = try make(making.temporary, body)
    try making.publish()
    return value
  }

  package func existing() throws(CatalogueError) -> (any SQLDatabase)? {
    guard !FileStatus.isMissingOrEmpty(name) else {
      try TemporaryDatabase.check(name)
      return nil
    }
    let file = try SQLiteFile(path: name, readers: 1)
    // A writing transaction begins on a read-only file too, so permissions are checked first.
    if let protection = WriteProtection(of: name) { throw protection.error(of: name) }
    try mappingErrors(name) {
      let queue = try open(name)
      try queue.writeWithoutTransaction { db in try db.inTransaction(.immediate) { .rollback } }
      try queue.close()
    }
    return file
  }

  /// The caller checks between statements.
  package func interrupt() { running.withLock { $0?.interrupt() } }

  private func extend<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    let file = try FileReference(path: name)
    return try mappingErrors(name) {
      let queue = try open(name, "PRAGMA synchronous = FULL")
      try queue.read { try Schema.check($0, path: name) }
      let value = try write(to: queue, file) { session in
        try session.db.claimEpoch(path: name)
        return try body(session)
      }
      // Processes that read in the log checkpoint it later.
      try? queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      try? queue.close()
      return value
    }
  }

  /// Writes a new file. No process reads it before it is complete, so the disk needs no journal.
  private func make<Value>(
    _ temporary: String, _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try mappingErrors(name) {
      let queue = try open(
        temporary,
        """
        PRAGMA page_size = \(Schema.pageSize);
        PRAGMA journal_mode = MEMORY;
        PRAGMA synchronous = OFF;
        """)
      try queue.write { try $0.execute(sql: Schema.sql) }
      let value = try write(to: queue, FileReference(path: temporary), body)
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
      try queue.close()
      return value
    }
  }

  private func open(_ path: String, _ pragmas: String = "") throws -> DatabaseQueue {
    var configuration = Configuration(timeout: 10)
    configuration.prepareDatabase { db in
      try db.execute(sql: pragmas)
      try db.limitPageCache(to: Self.pageCache)
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  private func write<Value>(
    to queue: DatabaseQueue, _ file: FileReference, _ body: (SQLiteSession) throws -> Value
  ) throws -> Value {
    running.withLock { $0 = queue }
    defer { running.withLock { $0 = nil } }
    return try queue.writeWithoutTransaction { db in
      try db.inImmediateTransaction(file) { try body(SQLiteSession(db, path: name)) }
    }
  }
}
