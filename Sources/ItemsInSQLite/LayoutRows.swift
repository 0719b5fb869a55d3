import Catalogue
import GRDB

/// The rows of `layout` that belong to one strip, a chunk each.
struct LayoutRows {
  private let db: Database
  private let strip: Int64

  init(_ db: Database, strip: Int64) {
    self.db = db
    self.strip = strip
  }

  /// The chunk with the greatest first position that is not above `position`; nil where all begin
  /// behind it.
  func chunk(upTo position: Int64) throws -> StoredChunk? {
    try first("position <= ? ORDER BY position DESC", position)
  }

  /// The first chunk that begins behind `position`.
  func chunk(after position: Int64) throws -> StoredChunk? {
    try first("position > ? ORDER BY position", position)
  }

  /// Gives all chunks in order, from the one on that holds `position`: each time the next, and nil
  /// behind the last.
  func all(from position: Int64 = .min) throws -> () throws -> StoredChunk? {
    let rows = try select(
      """
      position >= ifnull((SELECT max(position) FROM layout WHERE strip = ?1 AND position <= ?2), ?2)
      ORDER BY position
      """)
    rows.bind(2, position)
    return { try rows.next() ? try StoredChunk(rows) : nil }
  }

  /// Where the first chunk begins, and the last; nil where there is none.
  func ends() throws -> ClosedRange<Int64>? {
    let ends = try DirectStatement(
      db,
      """
      SELECT (SELECT min(position) FROM layout WHERE strip = ?1),
        (SELECT max(position) FROM layout WHERE strip = ?1)
      """)
    ends.bind(1, strip)
    defer { ends.reset() }
    guard try ends.next(), let first = ends.optionalInteger(0), let last = ends.optionalInteger(1)
    else { return nil }
    return first...last
  }

  /// Appends the chunks that begin within `range` to a part, in order.
  func read(_ range: ClosedRange<Int64>, into part: inout LayoutPart) throws {
    let rows = try select("position BETWEEN ?2 AND ?3 ORDER BY position")
    rows.bind(2, range.lowerBound)
    rows.bind(3, range.upperBound)
    defer { rows.reset() }
    while try rows.next() {
      try part.append(ChunkFrame(rows), sizes: rows.raw(3))
    }
  }

  /// Writes a chunk where none is; nothing for no items.
  func insert(_ chunk: LayoutChunk) throws {
    guard let row = chunk.row else { return }
    let insertion = try DirectStatement(
      db,
      """
      INSERT INTO layout (strip, position, count, step, sizes, groups, positions)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    insertion.bind(1, strip)
    insertion.bind(2, row.position)
    insertion.bind(3, Int64(row.count))
    insertion.bind(4, row.step)
    insertion.bind(5, blob: row.sizes)
    insertion.bind(6, blob: row.groups)
    insertion.bind(7, blob: row.positions)
    try insertion.run()
  }

  /// Deletes a chunk that is there.
  func delete(_ chunk: StoredChunk) throws {
    let deletion = try DirectStatement(db, "DELETE FROM layout WHERE strip = ? AND position = ?")
    deletion.bind(1, strip)
    deletion.bind(2, chunk.place.first)
    try deletion.run()
  }

  private func first(_ condition: String, _ position: Int64) throws -> StoredChunk? {
    let rows = try select("\(condition) LIMIT 1")
    rows.bind(2, position)
    defer { rows.reset() }
    return try rows.next() ? try StoredChunk(rows) : nil
  }

  private func select(_ condition: String) throws -> DirectStatement {
    let rows = try DirectStatement(
      db,
      """
      SELECT position, count, step, sizes, groups, positions FROM layout
      WHERE strip = ?1 AND \(condition)
      """)
    rows.reset()
    rows.bind(1, strip)
    return rows
  }
}

extension StoredChunk {
  fileprivate init(_ row: DirectStatement) throws {
    try self.init(
      LayoutRow(
        position: row.integer(0), count: Int(row.integer(1)), step: row.integer(2),
        sizes: row.bytes(3), groups: row.optionalBytes(4), positions: row.optionalBytes(5)))
  }
}

extension ChunkFrame {
  fileprivate init(_ row: DirectStatement) throws {
    try self.init(
      position: row.integer(0), count: Int(row.integer(1)), step: row.integer(2),
      groups: row.optionalBytes(4), positions: row.optionalBytes(5))
  }
}
