import GRDB

extension DatabaseQueue {
  /// Runs `body` in a transaction that takes the writer's lock at once: what it has read cannot have
  /// changed when it writes.
  ///
  /// - Throws: what `body` throws, and nothing is written then; `DatabaseError`.
  func writeAtOnce<Result>(_ body: (Database) throws -> Result) throws -> Result {
    var result: Result?
    try writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        result = try body(db)
        return .commit
      }
    }
    guard let result else { preconditionFailure("A transaction ran without its body.") }
    return result
  }
}
