import Catalogue
@preconcurrency import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import Items
import SQLCatalogue
import Views

final class WriterConnection: Sendable {
  /// The file that the connection has opened, also if another file is at its path now.
  let file: FileReference
  private let connection: DatabaseQueue
  private let wal: WALMaintenance?
  private let ended: DispatchGroup

  /// - Parameters:
  ///   - pageCache: in bytes. The inner pages of a long strip and the pages of a large edit stay in memory.
  ///   - walLimit: nil if SQLite itself checkpoints, every thousand pages; else see `SQLiteFile`.
  /// - Throws: `.unavailable` if there is no file, or it is no catalogue of this version.
  init(
    _ path: String, pageCache: Int, walLimit: Int?, ended: DispatchGroup
  ) throws {
    file = try FileReference(path: path)
    var configuration = Configuration(timeout: TimeInterval(WriteDeadline.seconds))
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA synchronous = FULL")
      try db.limitPageCache(to: pageCache)
    }
    connection = try DatabaseQueue(path: path, configuration: configuration)
    try connection.writeWithoutTransaction { db in
      try Schema.check(db, path: path)
      // A log that had to grow beyond the limit is truncated when it begins again.
      if let walLimit { try db.execute(sql: "PRAGMA journal_size_limit = \(walLimit)") }
    }
    wal =
      if let walLimit { try WALMaintenance(connection, limit: walLimit, ended: ended) } else { nil }
    self.ended = ended
    ended.enter()
  }

  deinit {
    try? connection.close()
    ended.leave()
  }

  func write<Value>(
    by deadline: WriteDeadline, _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    wal?.beginEdit()
    defer { wal?.endEdit() }
    do throws(CatalogueError) {
      return try mappingErrors(file.path) {
        try connection.writeWithoutTransaction { db in
          wal?.restartIfLong(db)
          sqlite3_busy_timeout(db.sqliteConnection, Int32(deadline.millisecondsLeft))
          // Maintenance and checkpoints wait only a second for the lock, because the next edit may wait for them.
          defer { sqlite3_busy_timeout(db.sqliteConnection, 1000) }
          // A step of maintenance may have set a lower level.
          try db.execute(sql: "PRAGMA synchronous = FULL")
          // Before the change: a precondition compares the new revision.
          if try Schema.isEpochRevoked(db) {
            try db.inImmediateTransaction(file) { try db.claimEpoch(path: file.path) }
          }
          return try db.inImmediateTransaction(file) {
            try body(SQLiteSession(db, path: file.path))
          }
        }
      }
    } catch {
      // The log may take the space that the change needs.
      switch error {
      case .full, .outcomeUnknown: wal?.truncate()
      default: break
      }
      throw error
    }
  }

  /// Runs a step of maintenance, which becomes durable with the next edit. The step gives the strips of a copy no new
  /// revisions, because a mere read can cause it.
  func maintain<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    wal?.waitForStep()
    return try mappingErrors(file.path) {
      try connection.writeWithoutTransaction { db in
        wal?.restartIfLong(db)
        try db.execute(sql: "PRAGMA synchronous = NORMAL")
        return try db.inImmediateTransaction(file) {
          try body(SQLiteSession(db, path: file.path))
        }
      }
    }
  }
}

extension Database {
  /// Runs `body` in a transaction that takes the write lock first, so that nothing that `body` reads can change before the
  /// commit.
  ///
  /// - Throws: `.unavailable` if another file has the path of `file` before the commit; `.outcomeUnknown` if the disk does
  ///   not confirm the commit. SQLite then rolls back, but the log may have all of the commit, and a start after a crash
  ///   would apply it. After a failed write that cannot happen, because the last write makes a commit valid.
  func inImmediateTransaction<Value>(
    _ file: FileReference, _ body: () throws -> Value
  ) throws -> Value {
    var value: Value?
    do {
      try inTransaction(.immediate) {
        let result = try body()
        try file.check()
        value = result
        return .commit
      }
    } catch let error as DatabaseError
      where value != nil && error.resultCode == .SQLITE_IOERR
      && error.extendedResultCode != .SQLITE_IOERR_WRITE
    {
      throw CatalogueError.outcomeUnknown(
        "\(CatalogueError(error, path: file.path)): the change may have been made, and may not")
    }
    guard let value else { preconditionFailure("A transaction ran without its body.") }
    return value
  }

  /// Gives the strips of a copy new revisions, in the caller's transaction. See `FencingEpoch`.
  func claimEpoch(path: String) throws {
    guard try Schema.isEpochRevoked(self) else { return }
    try FencingEpoch.claim(SQLiteSession(self, path: path))
    try Schema.grantEpoch(self)
  }
}
