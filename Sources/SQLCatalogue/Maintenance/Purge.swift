import Catalogue

/// Deletes rows that no reader needs any more, a few at a time, so that edits do not wait for it.
///
/// A row of `purge` names superseded items up to a revision, a generation of a layout or of columns, or all
/// rows of a strip that was removed or emptied.
enum Purge {
  /// Has the rows of a strip's number deleted, and its layout.
  static func add(strip: Int64, generation: Int64, _ session: any SQLSession) throws {
    try add(strip, lastRevision: nil, generation, session)
  }

  /// Has the items deleted that were superseded at a revision or before it.
  static func add(strip: Int64, lastRevision revision: Int64, _ session: any SQLSession) throws {
    try add(strip, lastRevision: revision, nil, session)
  }

  /// Has a generation of a layout or of columns deleted.
  static func add(generation: Int64, _ session: any SQLSession) throws {
    try add(nil, lastRevision: nil, generation, session)
  }

  private static func add(
    _ strip: Int64?, lastRevision: Int64?, _ generation: Int64?, _ session: any SQLSession
  ) throws {
    try session.run(
      "INSERT INTO purge (number, strip, last_revision, generation) VALUES ($1, $2, $3, $4)",
      [
        .integer(try session.nextNumber()), .optional(strip), .optional(lastRevision),
        .optional(generation),
      ])
  }

  /// Deletes about `count` items, in the caller's transaction.
  ///
  /// - Returns: whether there is more to do.
  /// - Complexity: O(`count` log *n*).
  static func step(count: Int, _ session: any SQLSession) throws -> Bool {
    // Locked, so that of two processes one waits until the other has committed.
    let next = try session.first(
      """
      SELECT number, strip, last_revision, generation FROM purge ORDER BY number LIMIT 1\
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
        DELETE FROM past_item WHERE strip = $1 AND (last_revision, position) IN (
          SELECT last_revision, position FROM past_item WHERE strip = $1 AND last_revision <= $2
          ORDER BY last_revision, position LIMIT $3)
        """, [.integer(strip), lastRevision, limit])
      if next.lastRevision == nil, deleted == 0 {
        deleted = try session.run(
          """
          DELETE FROM item WHERE strip = $1 AND position IN (
            SELECT position FROM item WHERE strip = $1 ORDER BY position LIMIT $2)
          """, [.integer(strip), limit])
      }
      guard deleted == 0 else { return true }
      if next.lastRevision == nil {
        try session.run("DELETE FROM revision WHERE strip = $1", [.integer(strip)])
      }
    }
    // A chunk takes as many bytes as some fifty items; a row of columns is larger.
    for (table, limit) in [("layout", count / 50), ("stored_columns", 1)] {
      guard let generation = next.generation else { break }
      let deleted = try session.run(
        """
        DELETE FROM \(table) WHERE generation = $1 AND position IN (
          SELECT position FROM \(table) WHERE generation = $1 ORDER BY position LIMIT $2)
        """, [.integer(generation), .integer(max(1, limit))])
      guard deleted == 0 else { return true }
    }
    try session.run("DELETE FROM purge WHERE number = $1", [.integer(next.number)])
    return true
  }
}
