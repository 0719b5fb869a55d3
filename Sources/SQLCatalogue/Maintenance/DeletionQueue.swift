import Items

/// The deletions that are still to do: the table `garbage`. Maintenance deletes a few rows at a time, so that edits do not
/// wait.
///
/// A row of the table names superseded items up to a revision, a generation of a geometry, or all rows of a strip. If a
/// damaged row names rows that a strip needs, maintenance skips it, and `carousel check` reports it.
enum DeletionQueue {
  /// Schedules the deletion of rows of a strip, and of a generation. Of the strip, these are the superseded items up to
  /// `lastRevision`, or all rows if it is nil.
  static func add(
    strip: Int64? = nil, lastRevision: Int64? = nil, generation: Int64? = nil,
    _ session: any SQLSession
  ) throws {
    try session.run(
      "INSERT INTO garbage (number, strip, last_revision, generation) VALUES ($1, $2, $3, $4)",
      [
        .integer(try session.nextNumber()), .optional(strip), .optional(lastRevision),
        .optional(generation),
      ])
  }

  /// Deletes about `count` items.
  ///
  /// - Returns: whether there is more to do.
  /// - Complexity: O(`count` log *n*), and O(strips) for a generation.
  static func step(count: Int, _ session: any SQLSession) throws -> Bool {
    // Locked, so that a second process waits for the commit of the first.
    let next = try session.first(
      """
      SELECT number, strip, last_revision, generation FROM garbage WHERE NOT (\(Self.isDamaged))
      ORDER BY number LIMIT 1\
      \(session.dialect.lockClause)
      """
    ) { row in
      (
        number: try row.integer(0), strip: try row.optionalInteger(1),
        lastRevision: try row.optionalInteger(2), generation: try row.optionalInteger(3)
      )
    }
    guard let next else { return false }
    func delete(
      _ table: String, _ owner: String, _ number: Int64, upTo last: Int64? = nil, by key: String,
      weight: Int = 1
    ) throws -> Bool {
      var values = [SQLValue.integer(number)]
      if let last { values.append(.integer(last)) }
      values.append(.integer(max(1, count / weight)))
      let condition = last == nil ? "" : "AND last_revision <= $2"
      return try session.run(
        """
        DELETE FROM \(table) WHERE \(owner) = $1 AND (\(key)) IN (
          SELECT \(key) FROM \(table) WHERE \(owner) = $1 \(condition)
          ORDER BY \(key) LIMIT $\(values.count))
        """, values) > 0
    }
    if let strip = next.strip {
      let (last, key) = (next.lastRevision ?? .max, "last_revision, sort_key")
      if try delete("item_history", "strip", strip, upTo: last, by: key) { return true }
      if next.lastRevision == nil {
        if try delete("item", "strip", strip, by: "sort_key") { return true }
        if try delete("revision", "strip", strip, by: "previous") { return true }
      }
    }
    if let generation = next.generation {
      // A chunk costs about as much to delete as fifty items.
      if try delete("layout", "generation", generation, by: "sort_key", weight: 50) { return true }
    }
    // A damaged number can be listed and not be found. Without this error the loop would not end.
    guard try session.run("DELETE FROM garbage WHERE number = $1", [.integer(next.number)]) == 1
    else {
      throw CatalogueError.corrupt(
        "the row \(next.number) of the table garbage cannot be deleted: its key is damaged")
    }
    return true
  }

  /// Whether a row of `garbage` names rows that a strip, a readable revision or a compaction needs.
  private static let isDamaged = """
    EXISTS (SELECT 1 FROM strip WHERE number = garbage.strip
      AND (garbage.last_revision IS NULL OR garbage.last_revision >= oldest_revision))
    OR EXISTS (SELECT 1 FROM strip WHERE strip.generation = garbage.generation)
    OR EXISTS (SELECT 1 FROM compaction WHERE compaction.generation = garbage.generation)
    """

  /// Names the damaged rows of `garbage`, and the tables with rows of no strip that no row of `garbage` names.
  ///
  /// - Complexity: O(*s* log *n*) in the numbers of strips and rows.
  static func faults(_ session: any SQLSession) throws -> [String] {
    let strips =
      "SELECT number FROM strip EXCEPT SELECT strip FROM garbage WHERE last_revision IS NULL"
    let generations = """
      SELECT generation FROM strip EXCEPT SELECT generation FROM compaction
      EXCEPT SELECT generation FROM garbage
      """
    let damaged = try session.map("SELECT number FROM garbage WHERE \(isDamaged) ORDER BY number") {
      "the row \(try $0.integer(0)) of the table garbage would delete rows that a strip needs"
    }
    let abandoned = try [
      ("item", "strip", strips), ("item_history", "strip", strips), ("revision", "strip", strips),
      ("layout", "generation", generations),
    ].flatMap { table, column, owners in
      // Steps from one number to the next in the primary key. UNION ends the steps even if the key is damaged.
      try session.map(
        """
        WITH RECURSIVE used(number) AS (
          SELECT min(\(column)) FROM \(table)
          UNION
          SELECT (SELECT min(\(column)) FROM \(table) WHERE \(column) > used.number)
          FROM used WHERE used.number IS NOT NULL)
        SELECT number FROM used WHERE number IS NOT NULL EXCEPT \(owners) ORDER BY number
        """
      ) { "the \(column) \(try $0.integer(0)) of the table \(table) has no strip" }
    }
    return damaged + abandoned
  }
}
