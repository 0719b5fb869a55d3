import Items

/// Deletes rows that no reader needs, a few at a time, so that edits do not wait for it.
///
/// A row of `garbage` names superseded items up to a revision, a generation of a layout, or all rows of a strip. If a
/// damaged row of `garbage` names rows that a strip needs, maintenance skips it, and `carousel check` reports it.
enum GarbageCollection {
  /// Schedules a deletion: earlier rows of items of a strip up to `lastRevision`, or all its rows for nil, and a
  /// generation.
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
    let limit = SQLValue.integer(count)
    if let strip = next.strip {
      let lastRevision = SQLValue.integer(next.lastRevision ?? .max)
      var deleted = try session.run(
        """
        DELETE FROM item_history WHERE strip = $1 AND (last_revision, sort_key) IN (
          SELECT last_revision, sort_key FROM item_history WHERE strip = $1 AND last_revision <= $2
          ORDER BY last_revision, sort_key LIMIT $3)
        """, [.integer(strip), lastRevision, limit])
      if next.lastRevision == nil, deleted == 0 {
        deleted = try session.run(
          """
          DELETE FROM item WHERE strip = $1 AND sort_key IN (
            SELECT sort_key FROM item WHERE strip = $1 ORDER BY sort_key LIMIT $2)
          """, [.integer(strip), limit])
      }
      guard deleted == 0 else { return true }
      if next.lastRevision == nil {
        deleted = try session.run(
          """
          DELETE FROM revision WHERE strip = $1 AND previous IN (
            SELECT previous FROM revision WHERE strip = $1 ORDER BY previous LIMIT $2)
          """, [.integer(strip), limit])
        guard deleted == 0 else { return true }
      }
    }
    if let generation = next.generation {
      // A chunk costs about as much to delete as fifty items.
      let deleted = try session.run(
        """
        DELETE FROM layout WHERE generation = $1 AND sort_key IN (
          SELECT sort_key FROM layout WHERE generation = $1 ORDER BY sort_key LIMIT $2)
        """, [.integer(generation), .integer(max(1, count / 50))])
      guard deleted == 0 else { return true }
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

/// A generation of a layout that a process writes: a row of `compaction`.
///
/// If two processes write generations of one strip, the first to finish wins, and the other discards its own.
struct UnfinishedGeneration {
  let number: Int64

  init(of strip: Int64, _ session: any SQLSession) throws {
    number = try session.nextNumber()
    try session.run(
      "INSERT INTO compaction (generation, strip, last_step) VALUES ($1, $2, $3)",
      [.integer(number), .integer(strip), .integer(try session.clock())])
  }

  /// - Returns: false if another process has discarded the generation. Until the end of the transaction
  ///   no other process can discard it.
  func step(_ session: any SQLSession) throws -> Bool {
    try session.run(
      "UPDATE compaction SET last_step = $1 WHERE generation = $2",
      [.integer(try session.clock()), .integer(number)]) == 1
  }

  func finish(_ session: any SQLSession) throws -> Bool {
    try session.run("DELETE FROM compaction WHERE generation = $1", [.integer(number)]) == 1
  }

  /// Deletes what was written, unless the generation is finished or discarded.
  func discard(_ session: any SQLSession) throws {
    if try finish(session) { try GarbageCollection.add(generation: number, session) }
  }

  static func exists(of strip: StripRow, _ session: any SQLSession) throws -> Bool {
    try session.first(
      "SELECT 1 FROM compaction WHERE strip = $1 LIMIT 1", [.integer(strip.number)]
    ) { _ in true } ?? false
  }

  /// Discards generations without a step for half a minute. A step takes milliseconds, or seconds if it waits for a
  /// lock.
  static func discardAbandoned(_ session: any SQLSession) throws {
    try discardAll(lastStepBefore: session.clock() - 30_000_000, session)
  }

  /// - Parameter end: microseconds since 1970.
  static func discardAll(lastStepBefore end: Int64, _ session: any SQLSession) throws {
    let generations = try session.map(
      "DELETE FROM compaction WHERE last_step < $1 RETURNING generation", [.integer(end)]
    ) { try $0.integer(0) }
    for generation in generations { try GarbageCollection.add(generation: generation, session) }
  }
}
