import GRDB
import Items
import Windowing

/// The step from one revision of a strip to the next: what is written over or deleted goes to the
/// tables of the past first, so that the former revision can still be read.
///
///     revision          7                    8                    9
///     item at 20      "Blue"  ── update ──  "Blues"
///                                           "Blues" ── remove ──  -
///     past_item                (20, until 7, "Blue")   (20, until 8, "Blues")
///
/// Whoever reads position 20 at revision r takes the row of the past with the least `until` that is
/// not below r, or where there is none the row of the present. `past_strip` has a row for each
/// former revision that is held, with its settings, and `past_layout` the rows of the layout, which
/// also say `since` when they held.
struct Succession {
  let db: Database
  /// The strip as it was.
  let former: StripRow
  /// How many kinds it had.
  let kinds: Int
  /// The revision that is being made.
  let revision: Int64

  /// Keeps the item at a position; what stands there may then be written over.
  func supersedeItem(at position: Int64) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO past_item SELECT strip, position, ?, id, kind, aspect, width, "group", fields
        FROM item WHERE strip = ? AND position = ?
        """
    ).execute(arguments: [former.revision, former.number, position])
  }

  /// Moves a row of the layout to the past; one that was written for this very revision goes for good.
  func supersedeLayout(at position: Int64) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO past_layout
        SELECT strip, ?, position, since, count, step, sizes, groups, positions
        FROM layout WHERE strip = ? AND position = ? AND since < ?
        """
    ).execute(arguments: [former.revision, former.number, position, revision])
    try db.cachedStatement(sql: "DELETE FROM layout WHERE strip = ? AND position = ?")
      .execute(arguments: [former.number, position])
  }

  /// Makes the former revision one that is held, and lets go of those whose time is over: to be
  /// called last, with all rows written.
  ///
  /// - Parameter clock: microseconds since 1970.
  func finish(clock: Int64) throws {
    let last = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT place, weight FROM past_strip WHERE strip = ? ORDER BY until DESC LIMIT 1
          """), arguments: [former.number])
    let place: Int64 = try last?.required("place") ?? 0
    let weight: Int64 = try last?.required("weight") ?? 0
    let settings = former.settings
    try db.cachedStatement(
      sql: """
        INSERT INTO past_strip (strip, until, ended, place, weight, kinds,
          title, height, gap, inset, loop, snap, item_width)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      former.number, former.revision, clock, place + 1, weight + (try weightOfRows()), kinds,
      settings.title, settings.height.units, settings.gap.units, settings.inset.units,
      settings.loop, settings.snap.rawValue, settings.itemWidth.units,
    ])
    try forget(clock: clock)
  }

  /// About how many bytes the rows take that this step has superseded.
  private func weightOfRows() throws -> Int64 {
    var weight: Int64 = 0
    for sql in [
      """
      SELECT total(length(CAST(fields AS BLOB)) + 400) FROM past_item
      WHERE strip = ? AND until = ?
      """,
      """
      SELECT total(length(sizes) + ifnull(length(groups), 0) + ifnull(length(positions), 0) + 50)
      FROM past_layout WHERE strip = ? AND until = ?
      """,
    ] {
      weight +=
        try Int64.fetchOne(
          db.cachedStatement(sql: sql), arguments: [former.number, former.revision]) ?? 0
    }
    return weight
  }

  /// Deletes what no revision needs that is held: the last 64 are, and those younger than 60 s as
  /// far as 64 MB go. A few at a time, so that no edit pays for many.
  private func forget(clock: Int64) throws {
    let over = try Int64.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT max(until) FROM (
            SELECT until, place, weight, ended FROM past_strip WHERE strip = ?1
            ORDER BY until LIMIT 8) AS oldest
          JOIN (SELECT place AS lastPlace, weight AS lastWeight FROM past_strip WHERE strip = ?1
            ORDER BY until DESC LIMIT 1)
          WHERE lastPlace - place >= 63
            AND (ended < ?2 - 60000000 OR lastWeight - weight > 64000000)
          """), arguments: [former.number, clock])
    guard let over else { return }
    for table in ["past_item", "past_layout", "past_strip"] {
      try db.cachedStatement(sql: "DELETE FROM \(table) WHERE strip = ? AND until <= ?")
        .execute(arguments: [former.number, over])
    }
  }
}

extension StripRow {
  /// The strip as it was at a former revision that is held, and how many kinds it had.
  func held(at revision: Int64, _ db: Database) throws -> (row: StripRow, kinds: Int)? {
    let past = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM past_strip WHERE strip = ? AND until = ?"),
      arguments: [number, revision])
    guard let past else { return nil }
    var row = self
    row.settings = try past.settings()
    row.revision = revision
    return (row, try past.required("kinds"))
  }
}
