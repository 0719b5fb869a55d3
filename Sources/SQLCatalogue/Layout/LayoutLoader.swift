package import Catalogue
import Items
import Views
package import Windowing

/// Reads the whole layout of a strip: the chunks of its generation, and the log after them.
package enum LayoutLoader {
  /// The strip at the revision of `row`.
  ///
  /// - Parameter itemWidth: the width of items without a size; nil for that of the row.
  /// - Throws: `.corrupt` if the layout is damaged, or does not begin and end as the items do.
  /// - Complexity: O(*n*); 8 bytes an item are read, which takes 0.07 s of processor time for four million items.
  package static func load(
    _ row: StripRow, itemWidth: Length? = nil, progress: LoadProgress? = nil,
    _ session: any SQLSession
  ) throws -> IndexedStrip {
    try withCorruptionContext(of: row.name) {
      let itemWidth = itemWidth ?? row.settings.itemWidth
      var decoder = LayoutDecoder(kinds: row.kinds, itemWidth: itemWidth)
      try LayoutChunkStore(session, of: row).read(into: &decoder, progress)
      var indexed = decoder.finish()
      guard indexed.sortKeys.areAscending else {
        throw CatalogueError.corrupt("chunks of its layout overlap")
      }
      let log = try row.changes(after: row.layoutRevision, session)
      try indexed.apply(log.merged, itemWidth: itemWidth)
      try indexed.sortKeys.check(against: row, session)
      guard indexed.strip.count == row.totals.count else {
        throw CatalogueError.corrupt(
          "its layout has \(indexed.strip.count) items, its row \(row.totals.count)")
      }
      return indexed
    }
  }
}

extension IndexedStrip {
  mutating func undo(_ log: [LayoutChanges], itemWidth: Length) throws {
    if let appendedFrom = log.appendedFrom { truncate(at: appendedFrom) }
    try apply(log.inverse, itemWidth: itemWidth)
  }
}

extension SortKeys {
  /// Compares the first and the last sort key with those of the items.
  ///
  /// - Throws: `.corrupt` if rows are missing.
  fileprivate func check(against row: StripRow, _ session: any SQLSession) throws {
    let rows = ItemRows(session, of: row)
    let first = try rows.sortKeys(after: nil, limit: 1).first
    let last = try rows.sortKeys(before: nil, limit: 1).first
    guard first == (count > 0 ? self[0] : nil), last == (count > 0 ? self[count - 1] : nil) else {
      throw CatalogueError.corrupt(
        "its layout and its items differ in the first or last sort key")
    }
  }
}

/// The chunks of one generation of a strip's layout: rows of `layout`, up to a thousand items each.
package struct LayoutChunkStore {
  private let session: any SQLSession
  private let strip: StripRow
  private let generation: Int64

  init(_ session: any SQLSession, of strip: StripRow, generation: Int64? = nil) {
    self.session = session
    self.strip = strip
    self.generation = generation ?? strip.generation
  }

  private static let columns = "sort_key, count, step, sizes, groups, sort_keys, checksum"

  package static let columnList = "generation, \(columns)"

  /// The values are those of `columnList`.
  package static let insert =
    "INSERT INTO layout (\(columnList)) VALUES (\(SQLValue.parameters(1...8)))"

  package static func values(of chunk: LayoutChunk.Columns, generation: Int64) -> [SQLValue] {
    let values: [SQLValue] = [
      .integer(generation), .integer(chunk.sortKey), .integer(chunk.count), .integer(chunk.step),
      .bytes(chunk.sizes), .optional(chunk.groups), .optional(chunk.sortKeys),
    ]
    return values + [.integer(RowChecksum(of: values).value)]
  }

  /// The chunk with the greatest first sort key up to `sortKey`.
  func chunk(upTo sortKey: Int64) throws -> LayoutChunk? {
    try select("sort_key <= $2 ORDER BY sort_key DESC LIMIT 1", [.integer(sortKey)]).first
  }

  /// An item as the layout and the log have it: without fields.
  func item(_ id: String, at sortKey: Int64) throws -> Item {
    let log = try strip.changes(after: strip.layoutRevision, session).merged
    let change = (0..<log.count).lazy.map { log[$0] }.first { $0.sortKey == sortKey }
    guard let state = try change.map(\.after) ?? chunk(upTo: sortKey)?.state(at: sortKey),
      state.item.kind < strip.kinds.count
    else {
      throw CatalogueError.damaged(
        "the item \"\(id)\"", of: strip.name, "the layout has no item at its sort key")
    }
    return try Item(
      id: id, kind: strip.kinds[state.item.kind], aspect: state.item.aspect,
      width: state.item.width, group: state.group)
  }

  func chunks(after sortKey: Int64, limit: Int) throws -> [LayoutChunk] {
    try select(
      "sort_key > $2 ORDER BY sort_key LIMIT $3", [.integer(sortKey), .integer(limit)])
  }

  /// The chunks from the one that can hold `sortKey`, in order, by one statement so that they are of one moment.
  func chunks(from sortKey: Int64, limit: Int) throws -> [LayoutChunk] {
    try select(
      """
      sort_key >= coalesce((
        SELECT max(sort_key) FROM layout WHERE generation = $1 AND sort_key <= $2), $2)
      ORDER BY sort_key LIMIT $3
      """, [.integer(sortKey), .integer(limit)])
  }

  /// Calls `body` with each chunk from the one that can hold `sortKey`, in order.
  func forEach(from sortKey: Int64, _ body: (LayoutChunk) throws -> Void) throws {
    var chunks = try chunks(from: sortKey, limit: 64)
    while let last = chunks.last?.sortKeys.first {
      for chunk in chunks { try body(chunk) }
      chunks = try self.chunks(after: last, limit: 64)
    }
  }

  /// All chunks, in order. A statement reads a few of them, because a database can hold all its rows in memory.
  func read(into decoder: inout LayoutDecoder, _ progress: LoadProgress?) throws {
    var last = Int64.min
    var count = Self.pageCount
    while count == Self.pageCount {
      count = 0
      try session.run(
        """
        SELECT \(Self.columns) FROM layout
        WHERE generation = $1 AND sort_key > $2 ORDER BY sort_key LIMIT \(Self.pageCount)
        """, [.integer(generation), .integer(last)]
      ) { row in
        try withCorruptionContext(row) {
          let decoded = try LayoutChunk.DecodedColumns(
            sortKey: row.integer(0), count: Int(row.integer(1)), step: row.integer(2),
            groups: row.optionalBytes(4), sortKeys: row.optionalBytes(5))
          try row.withBytes(3) { try decoder.append(decoded, sizes: $0) }
          guard decoded.sortKeys.first > last else {
            throw CatalogueError.corrupt("chunks of its layout overlap")
          }
          last = decoded.sortKeys.first
          count += 1
          progress?.add(decoded.sortKeys.count)
        }
      }
    }
  }

  private static let pageCount = 32

  func insert(_ chunks: [LayoutChunk.Columns]) throws {
    try session.run(
      Self.insert, forEach: chunks.map { Self.values(of: $0, generation: generation) })
  }

  func delete(at sortKey: Int64) throws {
    try session.run(
      "DELETE FROM layout WHERE generation = $1 AND sort_key = $2",
      [.integer(generation), .integer(sortKey)])
  }

  private func select(_ condition: String, _ values: [SQLValue]) throws -> [LayoutChunk] {
    try session.map(
      "SELECT \(Self.columns) FROM layout WHERE generation = $1 AND \(condition)",
      [.integer(generation)] + values
    ) { row in
      try withCorruptionContext(row) {
        try LayoutChunk(
          LayoutChunk.Columns(
            sortKey: row.integer(0), count: Int(row.integer(1)), step: row.integer(2),
            sizes: row.bytes(3), groups: row.optionalBytes(4), sortKeys: row.optionalBytes(5)))
      }
    }
  }

  /// Compares the checksum before `body` reads the row.
  private func withCorruptionContext<Value>(
    _ row: any SQLRow, _ body: () throws -> Value
  ) throws -> Value {
    try SQLCatalogue.withCorruptionContext(
      "the chunk of the layout at the sort key \((try? row.integer(0)) ?? 0)", of: strip.name
    ) {
      try RowChecksum.check(row, [0, 1, 2, 3, 4, 5], key: generation, 6)
      return try body()
    }
  }
}
