import Catalogue
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

  /// The chunks that hold some positions, each once, in order, and where the one behind it begins.
  func holding(_ positions: [Int64]) throws -> [(chunk: StoredChunk, next: Int64?)] {
    try session.run(
      """
      SELECT position, count, step, sizes, groups, positions,
        (SELECT min(position) FROM layout AS behind
          WHERE behind.strip = $1 AND behind.position > layout.position)
      FROM layout WHERE strip = $1 AND position IN (
        SELECT coalesce(
          (SELECT max(position) FROM layout WHERE strip = $1 AND position <= wanted),
          (SELECT min(position) FROM layout WHERE strip = $1))
        FROM unnest($2::bigint[]) AS wanted)
      ORDER BY position
      """, [.integer(strip), .integers(positions)]
    ).map { (try StoredChunk($0), try $0.optionalInteger(6)) }
  }

  /// Deletes the chunks that begin at these positions.
  func delete(at positions: [Int64]) throws {
    guard !positions.isEmpty else { return }
    try session.run(
      "DELETE FROM layout WHERE strip = $1 AND position = ANY($2)",
      [.integer(strip), .integers(positions)])
  }

  func insert(_ chunks: [LayoutRow]) throws { try session.insert(chunks.map { (strip, $0) }) }
}

extension Session {
  /// Writes rows of layouts, each of its strip.
  func insert(_ chunks: [(strip: Int64, row: LayoutRow)]) throws {
    var rows = Copying()
    for (strip, chunk) in chunks {
      rows.add(7) { row in
        row.field(strip)
        row.field(chunk.position)
        row.field(Int32(chunk.count))
        row.field(chunk.step)
        row.field(chunk.sizes)
        if let groups = chunk.groups { row.field(groups) } else { row.noField() }
        if let positions = chunk.positions { row.field(positions) } else { row.noField() }
      }
    }
    try copy(
      &rows,
      "COPY layout (strip, position, count, step, sizes, groups, positions) FROM STDIN (FORMAT binary)"
    )
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
