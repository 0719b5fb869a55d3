@preconcurrency import Dispatch
import Foundation
import GRDB
import SQLCatalogue
import Synchronization

/// The connections that read a `SQLiteFile`.
final class ReaderConnections: Sendable {
  let file: FileReference
  let pool: DatabasePool
  let windows: WindowReaderPool
  /// The file at its path without symbolic links. SQLite's logs are beside it.
  private let located: FileReference
  /// The log and its index.
  private let walFiles: [FileReference]
  /// A connection that does not write. It is closed last, and SQLite then deletes the log. Nil if the file is
  /// read-only.
  private let lastConnection: DatabaseQueue?
  private let ended: DispatchGroup

  /// - Parameter pageCache: in bytes, of each connection that reads windows.
  init(path: String, count: Int, pageCache: Int, ended: DispatchGroup) throws {
    let file = try FileReference(path: path)
    self.file = file
    pool = try Self.open(file, count: count)
    windows = WindowReaderPool(limit: count) {
      try WindowReaderConnection(of: file, pageCache: pageCache)
    }
    lastConnection = try? DatabaseQueue(path: path, configuration: Configuration(timeout: 5))
    located = try FileReference(path: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
    walFiles = [located.path + "-wal", located.path + "-shm"].compactMap {
      try? FileReference(path: $0)
    }
    try file.check()
    self.ended = ended
    ended.enter()
  }

  deinit {
    windows.close()
    try? pool.close()
    moveWAL()
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

  private static func open(_ file: FileReference, count: Int) throws -> DatabasePool {
    var configuration = Configuration(readonly: true, timeout: 5)
    configuration.maximumReaderCount = count
    configuration.prepareDatabase { db in
      // The pool opens connections later too.
      try Schema.check(db, path: file.path)
      try file.check()
    }
    let pool = try DatabasePool(path: file.path, configuration: configuration)
    try pool.read { _ in }
    return pool
  }

  /// Moves the log and its index away if another file has taken the name of this one. SQLite would apply the log to that
  /// file.
  ///
  /// They move to the name that this file has now. If it has none, they are named `NAME.former`; if it is deleted, they are
  /// deleted too. A log that another program has put there is not touched.
  ///
  /// - Returns: where the log is now; nil if it was not moved.
  @discardableResult
  func moveWAL() -> String? {
    guard located.staleReason == FileReference.replaced else { return nil }
    let own = walFiles.filter { $0.staleReason == nil }
    guard !file.isDeleted else {
      for file in own { unlink(file.path) }
      return nil
    }
    for name in [file.presentPath, FileReference.formerName(of: located.path)].compactMap({ $0 })
    where access(name + "-wal", F_OK) != 0 {
      let moved = own.filter { file in
        rename(file.path, name + file.path.dropFirst(located.path.count)) == 0
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
  /// A number that changes when another connection commits. Only numbers of one connection can be compared.
  func dataVersion() throws -> Int {
    try Int.fetchOne(cachedStatement(sql: "PRAGMA data_version")) ?? 0
  }

  func limitPageCache(to bytes: Int) throws {
    try execute(sql: "PRAGMA cache_size = -\(bytes >> 10)")
  }
}
