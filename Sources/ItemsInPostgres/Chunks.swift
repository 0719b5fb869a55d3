import Items
import Windowing

/// The rows of `layout` that belong to one strip.
struct Chunks {
  let session: Session
  let strip: Int64

  /// The chunk with the greatest first position that is not above `position`, else the first of all.
  func chunk(holding position: Int64) throws -> StoredChunk? {
    let before = try session.run(
      """
      SELECT position, count, step, sizes, groups, positions FROM layout
      WHERE strip = $1 AND position <= $2 ORDER BY position DESC LIMIT 1
      """, [.integer(strip), .integer(position)]
    ).first(StoredChunk.init)
    return try before ?? read(after: .min, limit: 1).first
  }

  /// Chunks behind a position, in order.
  func read(after position: Int64, limit: Int) throws -> [StoredChunk] {
    try session.run(
      """
      SELECT position, count, step, sizes, groups, positions FROM layout
      WHERE strip = $1 AND position > $2 ORDER BY position LIMIT $3
      """, [.integer(strip), .integer(position), .integer(Int64(limit))]
    ).map(StoredChunk.init)
  }

  /// All chunks from the one on that holds `position`, one after the other; some are read at once.
  func all(from position: Int64 = .min) throws -> () throws -> StoredChunk? {
    var read = try [chunk(holding: position)].compactMap(\.self)[...]
    var last = read.last?.place.first
    return {
      if let chunk = read.popFirst() { return chunk }
      guard let from = last else { return nil }
      read = try self.read(after: from, limit: 64)[...]
      last = read.last?.place.first
      return read.popFirst()
    }
  }

  func delete(at position: Int64) throws {
    try session.run(
      "DELETE FROM layout WHERE strip = $1 AND position = $2",
      [.integer(strip), .integer(position)])
  }

  func insert(_ row: LayoutRow) throws {
    try session.run(
      """
      INSERT INTO layout (strip, position, count, step, sizes, groups, positions)
      VALUES ($1, $2, $3::bigint, $4, $5, $6, $7)
      """,
      [
        .integer(strip), .integer(row.position), .integer(Int64(row.count)), .integer(row.step),
        .bytes(row.sizes), row.groups.map { .bytes($0) } ?? .null,
        row.positions.map { .bytes($0) } ?? .null,
      ])
  }
}

extension StoredChunk {
  init(_ row: Row) throws {
    try self.init(
      LayoutRow(
        position: row.integer(0), count: Int(row.integer(1)), step: row.integer(2),
        sizes: row.bytes(3), groups: row.optionalBytes(4), positions: row.optionalBytes(5)))
  }
}
