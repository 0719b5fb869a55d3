import Catalogue
@preconcurrency import Dispatch
import Foundation
import GRDB
import SQLCatalogue
import Synchronization

/// Connections that read one file at the same time. It reopens a file that was opened as immutable and
/// has been written after all, and opens a file that has replaced the open one.
final class ReaderPool: Sendable {
  let path: String
  private let count: Int
  /// Nil once the pool is closed.
  private let current: Mutex<ReadConnections?>
  /// Left when all connections are closed.
  private let ended = DispatchGroup()

  /// - Parameter count: how many connections read at the same time.
  /// - Throws: `.unavailable` if there is no file, or it is no catalogue of this version.
  init(path: String, count: Int) throws(CatalogueError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      guard access(path, F_OK) == 0 || errno != EACCES else {
        throw .unavailable("\(path) cannot be read: permission denied")
      }
      throw .unavailable("\(path) does not exist; \"carousel import\" makes a database")
    }
    guard !isFolder.boolValue else {
      throw .unavailable("\(path) is a folder, not a database")
    }
    self.path = path
    self.count = count
    let ended = ended
    current = Mutex(
      try mappingErrors(path) {
        try ReadConnections(path: path, count: count, number: 0, ended: ended)
      })
  }

  /// Runs `body` in a transaction: everything it reads is of one moment. Waits for a free connection.
  func read<Value>(_ body: (SQLiteSession) throws -> Value) throws(CatalogueError) -> Value {
    try using { try $0.pool.read { try body(SQLiteSession($0, path: path)) } }
  }

  /// Runs `body`, which is one statement.
  func readStatement<Value>(
    _ body: (SQLiteSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try using { try $0.pool.unsafeRead { try body(SQLiteSession($0, path: path)) } }
  }

  /// There are no parallel readers of an immutable file: its reopening would separate them.
  func withParallelReaders<Value>(
    _ body: ([any ParallelSQLReader]) throws -> Value
  ) throws(CatalogueError) -> Value {
    try mappingErrors(path) {
      let connections = try present()
      return try body(connections.file == nil ? ParallelReader.make(of: connections.opened) : [])
    }
  }

  /// Differs after another connection has committed, and after the file was reopened.
  struct Version: Equatable {
    fileprivate let opening: Int
    fileprivate let data: Int
  }

  func version() throws(CatalogueError) -> Version {
    // The numbers compare only on one connection. The pool has one for writes, which is always the same.
    try using { connections in
      try connections.pool.writeWithoutTransaction { db in
        Version(
          opening: connections.number,
          data: try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0)
      }
    }
  }

  /// Reopens a file that was opened as immutable if another process writes to it. Until then nothing can
  /// be read. For one thread.
  func reopenIfOutdated() throws(CatalogueError) {
    let known = try present()
    guard let file = known.file, file.isOutdated else { return }
    let reopened = try mappingErrors(path) {
      try ReadConnections(path: path, count: count, number: known.number + 1, ended: ended)
    }
    current.withLock { if $0 != nil { $0 = reopened } }
  }

  /// Why nothing may be written to the file that is read; nil if it is the file at the path.
  var staleReason: String? { current.withLock { $0 }?.staleReason }

  /// Reads from the file that has replaced the open one from now on. For one thread.
  ///
  /// - Throws: `.unavailable` if that file is no complete catalogue of this version. The old one is read
  ///   then.
  func openReplacement() throws(CatalogueError) {
    let known = try present()
    let opened = try mappingErrors(path) {
      try ImmutableDatabase.checkComplete(path)
      try known.releaseLogs()
      return try ReadConnections(path: path, count: count, number: known.number + 1, ended: ended)
    }
    current.withLock { if $0 != nil { $0 = opened } }
  }

  /// Ends window transactions that have been open for too long.
  func endIdleTransactions() { current.withLock { $0 }?.windows.endIdleTransactions() }

  /// Closes all connections once running reads end, and copies the log into the file.
  func close() {
    current.withLock { current in
      defer { current = nil }
      return current
    }?.end()
    ended.wait()
  }

  private func present() throws(CatalogueError) -> ReadConnections {
    guard let current = current.withLock({ $0 }) else { throw .unavailable("\(path) is closed") }
    return current
  }

  /// Runs `body` on the current connections.
  ///
  /// - Throws: `.unavailable`, whatever `body` gives or throws, if the reads were not of one moment.
  private func using<Value>(
    _ body: (ReadConnections) throws -> Value
  ) throws(CatalogueError) -> Value {
    let connections = try present()
    let result = Result { () throws(CatalogueError) in
      try mappingErrors(path) { try body(connections) }
    }
    try connections.file?.check()
    return try result.get()
  }
}

extension ReaderPool: WindowReader {
  func read(
    _ positions: [Int64], of strip: Int64, at revision: Int64, _ body: (ItemBytes) -> Void
  ) -> Int {
    // A held lock is no reason to wait: the caller has another way to read.
    guard let connections = current.withLockIfAvailable({ $0 }) ?? nil else { return 0 }
    guard let file = connections.file else {
      return connections.windows.read(positions, of: strip, at: revision, body)
    }
    // Items count only if the file did not change until all of them were read.
    var items: [(id: [UInt8], fields: [UInt8])] = []
    let count = connections.windows.read(positions, of: strip, at: revision) {
      items.append((Array($0.id), Array($0.fields)))
    }
    guard (try? file.check()) != nil else { return 0 }
    for item in items {
      item.id.withUnsafeBytes { id in
        item.fields.withUnsafeBytes { body(ItemBytes(id: id, fields: $0)) }
      }
    }
    return count
  }
}

/// The connections of a `ReaderPool`, from one opening of the file to the next.
private final class ReadConnections: Sendable {
  /// How often the file has been opened before.
  let number: Int
  let opened: OpenedFile
  /// SQLite's log and its index, which lie beside the file.
  private let logs: [OpenedFile]
  /// Whether other connections can no longer share the logs.
  private let areLogsReleased = Atomic(false)
  /// Nil if SQLite itself makes reads consistent.
  let file: ImmutableDatabase?
  let pool: DatabasePool
  let windows: WindowConnections
  /// A connection that could write and does not. It is closed last, and SQLite then deletes the log. Nil
  /// if the file cannot be written.
  private let lastConnection: DatabaseQueue?
  /// Whether the file is not opened again.
  private let isLast = Atomic(false)
  private let ended: DispatchGroup

  /// - Parameter ended: is entered, and left when all connections are closed.
  init(path: String, count: Int, number: Int, ended: DispatchGroup) throws {
    guard let identity = FileIdentity(path: path) else {
      throw CatalogueError.unavailable("\(path) does not exist")
    }
    let opened = OpenedFile(path: path, identity: identity)
    self.opened = opened
    ((windows, pool), file) = try ImmutableDatabase.open(path) { name in
      let pool = try Self.open(name, opened, count: count)
      return (WindowConnections(path: name, of: opened, limit: count), pool)
    }
    self.number = number
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    lastConnection = try? DatabaseQueue(path: path, configuration: configuration)
    // SQLite finds the logs by the path without symbolic links.
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    logs = ["-wal", "-shm"].map { target + $0 }.compactMap { log in
      FileIdentity(path: log).map { OpenedFile(path: log, identity: $0) }
    }
    try opened.check()
    self.ended = ended
    ended.enter()
  }

  /// Runs when no thread reads any more.
  deinit {
    windows.close()
    try? pool.close()
    if isLast.load(ordering: .relaxed) { checkpoint() }
    try? lastConnection?.close()
    ended.leave()
  }

  /// Interrupts running reads.
  func end() {
    isLast.store(true, ordering: .relaxed)
    pool.interrupt()
  }

  var staleReason: String? {
    areLogsReleased.load(ordering: .relaxed)
      ? "the database file was replaced by another file" : opened.staleReason
  }

  /// Copies the log into the old file, and deletes the old logs if they still lie at their paths: SQLite
  /// would apply them to the new file.
  func releaseLogs() throws {
    areLogsReleased.store(true, ordering: .relaxed)
    checkpoint()
    for log in logs where log.staleReason == nil {
      guard unlink(log.path) == 0 || errno == ENOENT else {
        throw CatalogueError.unavailable(
          "\(log.path) belongs to the former database, and cannot be deleted: "
            + String(cString: strerror(errno)))
      }
    }
  }

  /// Copies the log into the file, as far as other processes allow without waiting.
  private func checkpoint() {
    try? lastConnection?.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA busy_timeout = 0")
      _ = try db.checkpoint(.truncate)
    }
  }

  private static func open(
    _ name: String, _ opened: OpenedFile, count: Int
  ) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.maximumReaderCount = count
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      // The pool opens connections when it needs them. Reading opens the log too.
      try Schema.check(db, path: opened.path)
      try opened.check()
    }
    let pool = try DatabasePool(path: name, configuration: configuration)
    try pool.read { _ in }
    return pool
  }
}

/// A connection that reads the same moment as a transaction of another connection.
///
/// It takes `PRAGMA data_version` before that transaction begins, and again in its own. If another
/// connection has committed between the two, it reads nothing, and the caller reads everything itself.
final class ParallelReader: ParallelSQLReader {
  private let path: String
  private let connection: DatabaseQueue
  private let version: Int

  /// - Returns: nil if the file cannot be opened.
  private init?(of file: OpenedFile) {
    path = file.path
    var configuration = Configuration()
    configuration.readonly = true
    guard let connection = try? DatabaseQueue(path: path, configuration: configuration),
      let version = try? connection.read(Self.version), file.staleReason == nil
    else { return nil }
    self.connection = connection
    self.version = version
  }

  deinit { try? connection.close() }

  /// One for each processor but the caller's, at most three.
  static func make(of file: OpenedFile) -> [ParallelReader] {
    let count = min(ProcessInfo.processInfo.activeProcessorCount, 4) - 1
    return (0..<count).compactMap { _ in ParallelReader(of: file) }
  }

  func read(_ body: (any SQLSession) throws -> Void) {
    try? connection.read { db in
      // The transaction begins with this statement, and stays at the moment of it.
      if try Self.version(db) == version { try body(SQLiteSession(db, path: path)) }
    }
  }

  /// Differs after another connection has committed.
  private static func version(_ db: Database) throws -> Int? {
    try Int.fetchOne(db, sql: "PRAGMA data_version")
  }
}
