import Catalogue
import GRDB

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

  /// A table, what its rows are told apart by, and how many of them are as much as one item.
  struct Table {
    let name: String
    let key: String
    let share: Int
  }

  /// What a strip that is gone leaves.
  static let tables = [
    Table(name: "item", key: "position", share: 1),
    Table(name: "past_item", key: "number", share: 1),
    Table(name: "layout", key: "position", share: 50),
    Table(name: "change", key: "revision", share: 50),
    Table(name: "past_strip", key: "until", share: 1),
  ]

  /// - Returns: whether rows were deleted.
  private static func delete(
    from table: Table, of strip: Int64, rows: Int, _ db: Database
  ) throws -> Bool {
    try db.cachedStatement(sql: deletion(from: table))
      .execute(arguments: [strip, max(1, rows / table.share)])
    return db.changesCount > 0
  }

  /// Deletes at most ?2 rows of a strip ?1.
  static func deletion(from table: Table) -> String {
    // Numbers of `past_item` are of one strip alone: asked for the strip as well, SQLite would look for
    // them among all of its rows, each time.
    let isOfStrip = table.key == "number" ? "" : "strip = ?1 AND"
    return """
      DELETE FROM \(table.name) WHERE \(isOfStrip) \(table.key) IN (
        SELECT \(table.key) FROM \(table.name) WHERE strip = ?1 LIMIT ?2)
      """
  }
}
