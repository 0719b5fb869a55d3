import GRDB

/// The order in which strips of a database were changed: each change of a strip takes the next
/// number, which the strip's row has from then on, or its row in `former` where the strip is gone.
enum Changes {
  /// The number for a change that is being made.
  static func next(_ db: Database) throws -> Int64 {
    guard
      let next = try Int64.fetchOne(
        db.cachedStatement(sql: "UPDATE changes SET last = last + 1 RETURNING last"))
    else { throw Self.missing }
    return next
  }

  /// The number of the last change that was made.
  static func last(_ db: Database) throws -> Int64 {
    guard let last = try Int64.fetchOne(db.cachedStatement(sql: "SELECT last FROM changes"))
    else { throw Self.missing }
    return last
  }

  /// The names of the strips that were changed, made or removed after the change `seen`.
  ///
  /// - Complexity: O(changed strips x log strips).
  static func names(after seen: Int64, _ db: Database) throws -> [String] {
    try String.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT name FROM strip WHERE changed > ?1
          UNION SELECT name FROM former WHERE changed > ?1
          """), arguments: [seen])
  }

  private static var missing: DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "changes are not numbered")
  }
}
