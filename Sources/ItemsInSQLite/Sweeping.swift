import GRDB
import Items

/// Deletes what `forgotten` names, a few rows at a time.
enum Sweeping {
  /// Deletes some rows, in the caller's transaction.
  ///
  /// - Returns: whether there is more to do.
  /// - Complexity: O(`rows` log *n*).
  static func step(_ db: Database, rows: Int) throws -> Bool {
    let next = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM forgotten ORDER BY number LIMIT 1"))
    guard let next else { return false }
    let number: Int64 = try next.required("number")
    let strip: Int64 = try next.required("strip")
    if let first: Int64 = try next.optional("first") {
      let last: Int64 = try next.required("last")
      let end = min(last, first + Int64(rows) - 1)
      try db.cachedStatement(sql: "DELETE FROM past_item WHERE number BETWEEN ? AND ?")
        .execute(arguments: [first, end])
      try db.cachedStatement(sql: "UPDATE forgotten SET first = ? WHERE number = ?")
        .execute(arguments: [end + 1, number])
      guard end == last else { return true }
    } else {
      for table in tables where try delete(from: table, of: strip, rows: rows, db) { return true }
      try db.execute(
        sql: "DELETE FROM kind WHERE strip = ?", arguments: [strip])
    }
    try db.cachedStatement(sql: "DELETE FROM forgotten WHERE number = ?")
      .execute(arguments: [number])
    return true
  }

  /// What a strip that is gone leaves, with what its rows are told apart by, and how many of
  /// them are as much as one item.
  private static let tables = [
    (name: "item", key: "position", share: 1), ("past_item", "number", 1),
    ("layout", "position", 50), ("change", "revision", 50), ("past_strip", "until", 1),
  ]

  /// - Returns: whether rows were deleted.
  private static func delete(
    from table: (name: String, key: String, share: Int), of strip: Int64, rows: Int, _ db: Database
  ) throws -> Bool {
    let index = table.name == "past_item" ? "INDEXED BY past_item_position" : ""
    try db.cachedStatement(
      sql: """
        DELETE FROM \(table.name) WHERE strip = ?1 AND \(table.key) IN (
          SELECT \(table.key) FROM \(table.name) \(index) WHERE strip = ?1 LIMIT ?2)
        """
    ).execute(arguments: [strip, max(1, rows / table.share)])
    return db.changesCount > 0
  }
}
