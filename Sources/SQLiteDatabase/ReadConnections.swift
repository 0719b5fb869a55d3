import Catalogue
@preconcurrency import Dispatch
import Foundation
import GRDB
import SQLCatalogue
import Synchronization

/// The connections that read a `SQLiteFile`, from one opening of the file to the next.
final class ReadConnections: Sendable {
  let opened: OpenedFile
  /// Nil if SQLite itself makes reads consistent.
  let immutable: ImmutableDatabase?
  let pool: DatabasePool
  let windows: WindowConnections
  /// SQLite's log and its index, which lie beside the file.
  private let logs: [OpenedFile]
  /// Whether other connections can no longer share the logs.
  private let areLogsReleased = Atomic(false)
  /// A connection that could write and does not. It is closed last, and SQLite then deletes the log. Nil
  /// if the file cannot be written.
  private let lastConnection: DatabaseQueue?
  /// Left when the connections are closed.
  private let ended: DispatchGroup

  /// - Parameters:
  ///   - count: how many connections read at the same time.
  ///   - pageCache: in bytes, of each connection that reads windows.
  init(path: String, count: Int, pageCache: Int, ended: DispatchGroup) throws {
    let opened = try OpenedFile(path: path)
    self.opened = opened
    ((windows, pool), immutable) = try ImmutableDatabase.open(path) { name in
      let pool = try Self.open(name, opened, count: count)
      let windows = WindowConnections(limit: count) {
        try WindowConnection(path: name, of: opened, pageCache: pageCache)
      }
      return (windows, pool)
    }
    lastConnection = try? DatabaseQueue(path: path, configuration: Configuration(timeout: 5))
    // SQLite finds the logs by the path without symbolic links.
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    logs = ["-wal", "-shm"].compactMap { try? OpenedFile(path: target + $0) }
    try opened.check()
    self.ended = ended
    ended.enter()
  }

  /// Runs when no thread reads any more.
  deinit {
    windows.close()
    try? pool.close()
    checkpoint()
    try? lastConnection?.close()
    ended.leave()
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
    var configuration = Configuration(readonly: true, timeout: 5)
    configuration.maximumReaderCount = count
    configuration.prepareDatabase { db in
      // The pool opens connections when it needs them. Reading opens the log too.
      try Schema.check(db, path: opened.path)
      try opened.check()
    }
    let pool = try DatabasePool(path: name, configuration: configuration)
    try pool.read { _ in }
    return pool
  }

  var staleReason: String? {
    areLogsReleased.load(ordering: .relaxed) ? OpenedFile.replaced : opened.staleReason
  }

  /// Copies the log into the old file, and deletes the old logs if they still lie at their paths: SQLite
  /// would apply them to the new file.
  func releaseLogs() throws {
    areLogsReleased.store(true, ordering: .relaxed)
    checkpoint()
    for log in logs where log.staleReason == nil {
      guard unlink(log.path) == 0 || errno == ENOENT else {
        throw CatalogueError.unavailable(
          "\(log.path) belongs to the former database, and cannot be deleted: \(lastReason())")
      }
    }
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

  /// Nil if the file cannot be opened.
  private init?(of file: OpenedFile) {
    path = file.path
    let configuration = Configuration(readonly: true)
    guard let connection = try? DatabaseQueue(path: path, configuration: configuration),
      let version = try? connection.read({ try $0.dataVersion() }), file.staleReason == nil
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
      if try db.dataVersion() == version { try body(SQLiteSession(db, path: path)) }
    }
  }
}

extension Configuration {
  /// - Parameter timeout: how many seconds to wait for another connection's lock.
  init(readonly: Bool = false, timeout: TimeInterval = 0) {
    self.init()
    self.readonly = readonly
    busyMode = .timeout(timeout)
  }
}

extension Database {
  /// Differs after another connection has committed. The numbers of two connections do not compare.
  func dataVersion() throws -> Int {
    try Int.fetchOne(cachedStatement(sql: "PRAGMA data_version")) ?? 0
  }

  /// Limits this connection's page cache, in bytes. It grows to the limit as pages are read and written.
  func limitPageCache(to bytes: Int) throws {
    try execute(sql: "PRAGMA cache_size = -\(bytes >> 10)")
  }
}
