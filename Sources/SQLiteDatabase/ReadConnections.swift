import Catalogue
@preconcurrency import Dispatch
import Foundation
import GRDB
import SQLCatalogue
import Synchronization

/// The connections that read one opening of a `SQLiteFile`.
final class ReadConnections: Sendable {
  let opened: OpenedFile
  let immutable: ImmutableDatabase?
  let pool: DatabasePool
  let windows: WindowConnections
  /// The log and its index.
  private let logs: [OpenedFile]
  private let areLogsReleased = Atomic(false)
  /// A connection that does not write. It is closed last, and SQLite then deletes the log. Nil if the file is
  /// read-only.
  private let lastConnection: DatabaseQueue?
  private let ended: DispatchGroup

  /// - Parameter pageCache: in bytes, of each connection that reads windows.
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
      // The pool opens connections later too.
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

  /// Copies the log into the old file, and deletes the logs at the path: SQLite would apply them to the new file.
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
/// It reads nothing if `PRAGMA data_version` differs between a moment before that transaction and its own.
final class ParallelReader: ParallelSQLReader {
  private let path: String
  private let connection: DatabaseQueue
  private let version: Int

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
      // The transaction begins with this statement.
      if try db.dataVersion() == version { try body(SQLiteSession(db, path: path)) }
    }
  }
}

extension Configuration {
  /// - Parameter timeout: in seconds, for the lock of another connection.
  init(readonly: Bool = false, timeout: TimeInterval = 0) {
    self.init()
    self.readonly = readonly
    busyMode = .timeout(timeout)
  }
}

extension Database {
  /// Differs after another connection has committed. Numbers of two connections do not compare.
  func dataVersion() throws -> Int {
    try Int.fetchOne(cachedStatement(sql: "PRAGMA data_version")) ?? 0
  }

  func limitPageCache(to bytes: Int) throws {
    try execute(sql: "PRAGMA cache_size = -\(bytes >> 10)")
  }
}
