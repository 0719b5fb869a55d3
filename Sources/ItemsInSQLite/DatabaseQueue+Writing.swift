import Catalogue
import GRDB
import GRDBSQLite

extension DatabaseQueue {
  /// Runs `body` in a transaction that takes the writer's lock at once: what it has read cannot have
  /// changed when it writes.
  ///
  /// - Parameter deadline: until when the lock is waited for; without one, as long as the connection
  ///   waits anyway. What is done on the connection afterwards, before the next such change, waits a
  ///   second, since that change may have to wait for it.
  /// - Throws: what `body` throws, and nothing is written then; `DatabaseError`.
  func writeAtOnce<Result>(
    by deadline: WriteDeadline? = nil, _ body: (Database) throws -> Result
  ) throws -> Result {
    var result: Result?
    try writeWithoutTransaction { db in
      if let deadline {
        sqlite3_busy_timeout(db.sqliteConnection, Int32(deadline.millisecondsLeft))
      }
      defer { if deadline != nil { sqlite3_busy_timeout(db.sqliteConnection, 1000) } }
      try db.inTransaction(.immediate) {
        result = try body(db)
        return .commit
      }
    }
    guard let result else { preconditionFailure("A transaction ran without its body.") }
    return result
  }
}
