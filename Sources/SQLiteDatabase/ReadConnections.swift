@preconcurrency import Dispatch
import Foundation
import GRDB
import SQLCatalogue
import Synchronization

/// The connections that read a `SQLiteFile`.
final class ReadConnections: Sendable {
  let opened: OpenedFile
  let pool: DatabasePool
  let windows: WindowConnections
  /// The file at its path without symbolic links. SQLite's logs are beside it.
  private let located: OpenedFile
  /// The log and its index.
  private let logs: [OpenedFile]
  /// A connection that does not write. It is closed last, and SQLite then deletes the log. Nil if the file is
  /// read-only.
  private let lastConnection: DatabaseQueue?
  private let ended: DispatchGroup

  /// - Parameter pageCache: in bytes, of each connection that reads windows.
  init(path: String, count: Int, pageCache: Int, ended: DispatchGroup) throws {
    let opened = try OpenedFile(path: path)
    self.opened = opened
    pool = try Self.open(opened, count: count)
    windows = WindowConnections(limit: count) {
      try WindowConnection(of: opened, pageCache: pageCache)
    }
    lastConnection = try? DatabaseQueue(path: path, configuration: Configuration(timeout: 5))
    located = try OpenedFile(path: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
    logs = [located.path + "-wal", located.path + "-shm"].compactMap { try? OpenedFile(path: $0) }
    try opened.check()
    self.ended = ended
    ended.enter()
  }

  deinit {
    windows.close()
    try? pool.close()
    moveLogs()
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

  private static func open(_ opened: OpenedFile, count: Int) throws -> DatabasePool {
    var configuration = Configuration(readonly: true, timeout: 5)
    configuration.maximumReaderCount = count
    configuration.prepareDatabase { db in
      // The pool opens connections later too.
      try Schema.check(db, path: opened.path)
      try opened.check()
    }
    let pool = try DatabasePool(path: opened.path, configuration: configuration)
    try pool.read { _ in }
    return pool
  }

  /// Moves the log and its index to the present name of this file, if another file has its former name: SQLite would apply
  /// the log to that file. A log that another program has put there is not touched.
  ///
  /// - Returns: where the log is now; nil if it was not moved.
  @discardableResult
  func moveLogs() -> String? {
    guard located.staleReason == OpenedFile.replaced else { return nil }
    let own = logs.filter { $0.staleReason == nil }
    guard !opened.isDeleted else {
      for log in own { unlink(log.path) }
      return nil
    }
    for name in [opened.presentPath, OpenedFile.formerName(of: located.path)].compactMap({ $0 })
    where access(name + "-wal", F_OK) != 0 {
      let moved = own.filter { log in
        rename(log.path, name + log.path.dropFirst(located.path.count)) == 0
      }
      if !moved.isEmpty { return name + "-wal" }
    }
    return nil
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
