package import Catalogue

/// The chunks of one generation of a strip's layout: rows of `layout`, up to a thousand items each.
package struct LayoutChunkStore {
  let session: any SQLSession
  let generation: Int64

  package init(session: any SQLSession, generation: Int64) {
    self.session = session
    self.generation = generation
  }

  private static let columns = "position, count, step, sizes, groups, positions"

  /// The chunk with the greatest first position that is not after `position`; nil if all begin after it.
  func chunk(upTo position: Int64) throws -> LayoutChunk? {
    try select("position <= $2 ORDER BY position DESC LIMIT 1", [.integer(position)]).first
  }

  /// The chunks after a position, in order, at most `limit`.
  func chunks(after position: Int64, limit: Int) throws -> [LayoutChunk] {
    try select(
      "position > $2 ORDER BY position LIMIT $3", [.integer(position), .integer(limit)])
  }

  /// The chunks from the one on that can hold `position`, in order, at most `limit`. One statement, so
  /// that all of them are of one moment.
  func chunks(from position: Int64, limit: Int) throws -> [LayoutChunk] {
    try select(
      """
      position >= coalesce((
        SELECT max(position) FROM layout WHERE generation = $1 AND position <= $2), $2)
      ORDER BY position LIMIT $3
      """, [.integer(position), .integer(limit)])
  }

  /// Calls `body` with each chunk in order, from the one on that can hold `position`.
  func forEach(from position: Int64, _ body: (LayoutChunk) throws -> Void) throws {
    var chunks = try chunks(from: position, limit: 64)
    while let last = chunks.last?.positions.first {
      for chunk in chunks { try body(chunk) }
      chunks = try self.chunks(after: last, limit: 64)
    }
  }

  /// The first positions of the first and the last chunk; nil if there is none.
  func bounds() throws -> ClosedRange<Int64>? {
    // Two subqueries: each is one look-up, where min and max together read every row in SQLite.
    let first = try session.first(
      """
      SELECT (SELECT min(position) FROM layout WHERE generation = $1),
        (SELECT max(position) FROM layout WHERE generation = $1)
      """, [.integer(generation)]
    ) { row -> ClosedRange<Int64>? in
      guard let low = try row.optionalInteger(0), let high = try row.optionalInteger(1) else {
        return nil
      }
      return low...high
    }
    return first ?? nil
  }

  /// Decodes the chunks that begin within `range`, in order.
  func read(_ range: ClosedRange<Int64>, into decoder: inout LayoutDecoder) throws {
    try session.run(
      """
      SELECT \(Self.columns) FROM layout
      WHERE generation = $1 AND position BETWEEN $2 AND $3 ORDER BY position
      """, [.integer(generation), .integer(range.lowerBound), .integer(range.upperBound)]
    ) { row in
      let frame = try LayoutChunk.Frame(
        position: row.integer(0), count: Int(row.integer(1)), step: row.integer(2),
        groups: row.optionalBytes(4), positions: row.optionalBytes(5))
      try row.withBytes(3) { try decoder.append(frame, sizes: $0) }
    }
  }

  package func insert(_ chunks: [LayoutChunk.Columns]) throws {
    try session.run(
      """
      INSERT INTO layout (generation, \(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7)
      """,
      forEach: chunks.map {
        [
          .integer(generation), .integer($0.position), .integer($0.count), .integer($0.step),
          .bytes($0.sizes), .optional($0.groups), .optional($0.positions),
        ]
      })
  }

  /// Deletes the chunk that begins at `position`.
  func delete(at position: Int64) throws {
    try session.run(
      "DELETE FROM layout WHERE generation = $1 AND position = $2",
      [.integer(generation), .integer(position)])
  }

  private func select(_ condition: String, _ values: [SQLValue]) throws -> [LayoutChunk] {
    try session.map(
      "SELECT \(Self.columns) FROM layout WHERE generation = $1 AND \(condition)",
      [.integer(generation)] + values
    ) { row in
      try LayoutChunk(
        LayoutChunk.Columns(
          position: row.integer(0), count: Int(row.integer(1)), step: row.integer(2),
          sizes: row.bytes(3), groups: row.optionalBytes(4), positions: row.optionalBytes(5)))
    }
  }
}
