import Catalogue
@preconcurrency import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import SQLCatalogue

/// The connection of a `SQLiteFile` that writes. It is closed when no thread uses it any more.
final class WritingConnection: Sendable {
  /// The file that the connection writes, whatever is at its path now.
  let file: OpenedFile
  private let connection: DatabaseQueue
  private let wal: WALMaintenance?
  /// Left when the connection is closed.
  private let ended: DispatchGroup

  /// - Parameters:
  ///   - isReplacement: whether the file has replaced another one under this process. Its strips get new
  ///     revisions, as those of a copy do.
  ///   - logLimit: nil if SQLite itself checkpoints, every thousand pages; else see `SQLiteFile`.
  ///   - ended: is entered, and left when the connection is closed.
  /// - Throws: `.unavailable` if there is no file, or it is no catalogue of this version.
  init(
    _ path: String, isReplacement: Bool, logLimit: Int?, ended: DispatchGroup
  ) throws {
    guard let identity = FileIdentity(path: path) else {
      throw CatalogueError.unavailable("\(path) does not exist")
    }
    file = OpenedFile(path: path, identity: identity)
    connection = try Self.open(path, isReplacement: isReplacement)
    if let logLimit {
      // A background queue checkpoints. A write does it only if the log grows too fast for that. Then
      // the log's file is truncated to the limit.
      try connection.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            PRAGMA wal_autocheckpoint = \(max(1, logLimit / Schema.pageSize));
            PRAGMA journal_size_limit = \(logLimit)
            """)
      }
    }
    wal = logLimit == nil ? nil : WALMaintenance(connection, ended: ended)
    self.ended = ended
    ended.enter()
  }

  deinit {
    try? connection.close()
    ended.leave()
  }

  /// Runs `body` in a transaction that takes the write lock first: nothing that it reads can change
  /// before it commits.
  func write<Value>(
    by deadline: WriteDeadline, _ body: (any SQLSession) throws -> Value
  ) throws -> Value {
    var isFull = false
    func write() throws -> Value {
      try connection.writeWithoutTransaction { db in
        sqlite3_busy_timeout(db.sqliteConnection, Int32(deadline.millisecondsLeft))
        // Maintenance and checkpoints wait a second: the next edit may wait for them.
        defer { sqlite3_busy_timeout(db.sqliteConnection, 1000) }
        let session = SQLiteSession(db, path: file.path)
        do {
          // A step of maintenance leaves a lower level.
          try db.execute(sql: "PRAGMA synchronous = FULL")
          return try db.inImmediateTransaction { try body(session) }
        } catch {
          isFull = session.isFull || (error as? DatabaseError)?.resultCode == .SQLITE_FULL
          throw error
        }
      }
    }
    do {
      return try wal?.countingWrite(write) ?? write()
    } catch {
      // The log may take the space that is missing.
      if isFull { wal?.truncate() }
      throw error
    }
  }

  /// Runs one step of maintenance, which need not be durable before the next edit is.
  func maintain<Value>(_ body: (any SQLSession) throws -> Value) throws -> Value {
    wal?.prepareStep()
    return try connection.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA synchronous = NORMAL")
      return try db.inImmediateTransaction { try body(SQLiteSession(db, path: file.path)) }
    }
  }

  private static func open(_ path: String, isReplacement: Bool) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(TimeInterval(WriteDeadline.seconds))
    configuration.prepareDatabase { db in
      // In KiB. The inner pages of a long strip and the pages of a large edit stay in memory.
      try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA cache_size = -65536")
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let isCopy = try queue.read { db in
      try Schema.check(db, path: path)
      return try Schema.isCopy(db)
    }
    if isCopy || isReplacement {
      try queue.writeWithoutTransaction { db in
        try db.inImmediateTransaction {
          if isReplacement { try Schema.markCopy(db) }
          try db.claimOrigin(path: path)
        }
      }
    }
    return queue
  }
}

extension Database {
  /// Runs `body` in a transaction that takes the write lock first.
  func inImmediateTransaction<Value>(_ body: () throws -> Value) throws -> Value {
    var value: Value?
    try inTransaction(.immediate) {
      value = try body()
      return .commit
    }
    guard let value else { preconditionFailure("A transaction ran without its body.") }
    return value
  }

  /// Gives the strips of a copy new revisions, in the caller's transaction; does nothing if the database
  /// is an original. See `RestoreGuard`.
  func claimOrigin(path: String) throws {
    // Another command may have been quicker.
    guard try Schema.isCopy(self) else { return }
    try RestoreGuard.bumpRevisions(SQLiteSession(self, path: path))
    try Schema.markOriginal(self)
  }
}
