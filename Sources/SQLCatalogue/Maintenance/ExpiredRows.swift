import Catalogue

/// Idempotency keys and lists that no client needs. They are deleted about a megabyte at a time, so that edits do not
/// wait for it.
enum ExpiredRows {
  private struct Table: Sendable {
    let name: String
    /// The column that, with the strip, is the primary key.
    let key: String
    let content: String
    /// The condition of the rows that are deleted after the removal of their strip.
    var orphans = "1 = 1"
    let value: @Sendable (any SQLRow) throws -> SQLValue
  }

  private static let keys = Table(
    name: "idempotency_key", key: "key", content: "body",
    orphans: "revision < \(IdempotencyKey.removal)", value: { .bytes(try $0.bytes(1)) })
  private static let lists = Table(
    name: "list", key: "name", content: "ids", value: { .text(try $0.text(1)) })

  /// The most rows and bytes of one step, which deletes at least one row.
  private static let (rowCount, byteCount) = (100, 1 << 20)

  /// Deletes idempotency keys that are older than a day.
  ///
  /// - Returns: whether there may be more of them.
  static func deleteKeys(_ session: any SQLSession) throws -> Bool {
    try delete(
      from: keys, where: "created <= $1", order: "created",
      .integer(try session.clock() - IdempotencyKey.lifetime), session)
  }

  /// Deletes lists whose last recorded use is more than `days` + 2 days ago. Two days of slack: a cached view re-reads its
  /// list daily, and uses are recorded daily.
  ///
  /// - Returns: whether there may be more of them.
  static func deleteLists(days: Int, _ session: any SQLSession) throws -> Bool {
    let end = try session.clock() - Int64(days) * 86_400_000_000 - 2 * ListRows.usePrecision
    return try delete(from: lists, where: "used < $1", order: "used", .integer(end), session)
  }

  /// Deletes keys and lists of removed strips, but not the keys of removals. If a strip of the same name is made before
  /// that, it gets the lists.
  ///
  /// - Returns: whether there may be more of them.
  /// - Complexity: O(strips).
  static func deleteOrphans(_ session: any SQLSession) throws -> Bool {
    for table in [keys, lists] {
      // Steps from one name to the next in the primary key.
      let removed = try session.first(
        """
        WITH RECURSIVE used(name) AS (
          SELECT min(strip) FROM \(table.name) WHERE \(table.orphans)
          UNION
          SELECT (SELECT min(strip) FROM \(table.name) WHERE strip > used.name AND \(table.orphans))
          FROM used WHERE used.name IS NOT NULL)
        SELECT name FROM used WHERE name IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM strip WHERE strip.name = used.name)
        LIMIT 1
        """
      ) { try $0.text(0) }
      guard let removed else { continue }
      _ = try delete(
        from: table,
        where: """
          strip = $1 AND \(table.orphans) AND NOT EXISTS (SELECT 1 FROM strip WHERE name = $1)
          """,
        order: table.key, .text(removed), session)
      return true
    }
    return false
  }

  private static func delete(
    from table: Table, where condition: String, order: String, _ value: SQLValue,
    _ session: any SQLSession
  ) throws -> Bool {
    let rows = try session.map(
      """
      SELECT strip, \(table.key), CAST(length(\(table.content)) AS bigint) FROM \(table.name)
      WHERE \(condition) ORDER BY \(order) LIMIT \(rowCount)
      """, [value]
    ) { row in
      (strip: try row.text(0), key: try table.value(row), size: Int(try row.integer(2)))
    }
    var size = 0
    let batch = rows.prefix { row in
      defer { size += row.size }
      return size < byteCount
    }
    // The condition again: another process can have used a row in between.
    try session.run(
      "DELETE FROM \(table.name) WHERE strip = $2 AND \(table.key) = $3 AND \(condition)",
      forEach: batch.map { [value, .text($0.strip), $0.key] })
    return batch.count < rows.count || rows.count == rowCount
  }
}
