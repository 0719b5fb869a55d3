package import Catalogue
import Items
import Views
import Windowing

/// The chunks of one generation of a strip's geometry: rows of `layout`, up to a thousand items each.
package struct GeometryChunkStore {
  private let session: any SQLSession
  private let strip: StripRow
  private let generation: Int64

  init(_ session: any SQLSession, of strip: StripRow, generation: Int64? = nil) {
    self.session = session
    self.strip = strip
    self.generation = generation ?? strip.generation
  }

  /// The columns after the generation.
  private enum Column: Int, TableColumn {
    case sortKey, count, step, sizes, groups, sortKeys, checksum
  }

  private static let columns = Column.names.joined(separator: ", ")

  package static let columnList = "generation, \(columns)"

  /// The values are those of `columnList`.
  package static let insert =
    "INSERT INTO layout (\(columnList)) VALUES (\(SQLValue.parameters(1...8)))"

  package static func values(of chunk: GeometryChunk.Columns, generation: Int64) -> [SQLValue] {
    Column.values(key: generation) { column in
      switch column {
      case .sortKey: .integer(chunk.sortKey)
      case .count: .integer(chunk.count)
      case .step: .integer(chunk.step)
      case .sizes: .bytes(chunk.sizes)
      case .groups: .optional(chunk.groups)
      case .sortKeys: .optional(chunk.sortKeys)
      case .checksum: .null
      }
    }
  }

  /// The chunk with the greatest first sort key up to `sortKey`.
  func chunk(upTo sortKey: Int64) throws -> GeometryChunk? {
    try select("sort_key <= $2 ORDER BY sort_key DESC LIMIT 1", [.integer(sortKey)]).first
  }

  /// An item as the geometry and the change log have it: without fields.
  func item(_ id: String, at sortKey: Int64) throws -> Item {
    let changeLog = try strip.changes(after: strip.layoutRevision, session).merged
    let change = (0..<changeLog.count).lazy.map { changeLog[$0] }.first { $0.sortKey == sortKey }
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

  func chunks(after sortKey: Int64, limit: Int) throws -> [GeometryChunk] {
    try select(
      "sort_key > $2 ORDER BY sort_key LIMIT $3", [.integer(sortKey), .integer(limit)])
  }

  /// The chunks from the one that can hold `sortKey` on, in order. One statement reads them, so that they are of one moment.
  func chunks(from sortKey: Int64, limit: Int) throws -> [GeometryChunk] {
    try select(
      """
      sort_key >= coalesce((
        SELECT max(sort_key) FROM layout WHERE generation = $1 AND sort_key <= $2), $2)
      ORDER BY sort_key LIMIT $3
      """, [.integer(sortKey), .integer(limit)])
  }

  /// Calls `body` with each chunk from the one that can hold `sortKey`, in order.
  func forEach(from sortKey: Int64, _ body: (GeometryChunk) throws -> Void) throws {
    var chunks = try chunks(from: sortKey, limit: 64)
    while let last = chunks.last?.sortKeys.first {
      for chunk in chunks { try body(chunk) }
      chunks = try self.chunks(after: last, limit: 64)
    }
  }

  /// Reads all chunks, in order. Each statement reads a few of them, because a database can hold all rows of a result in
  /// memory.
  func read(into decoder: inout GeometryDecoder, _ progress: LoadProgress?) throws {
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
        try withCorruptionContext(row) { chunk in
          let decoded = try GeometryChunk.DecodedColumns(
            sortKey: chunk.integer(.sortKey), count: Int(chunk.integer(.count)),
            step: chunk.integer(.step), groups: chunk.optionalBytes(.groups),
            sortKeys: chunk.optionalBytes(.sortKeys))
          try row.withBytes(Column.sizes.rawValue) { try decoder.append(decoded, sizes: $0) }
          guard decoded.sortKeys.first > last else {
            throw CatalogueError.corrupt("chunks of its layout overlap")
          }
          last = decoded.sortKeys.first
          count += 1
          progress?.loaded += decoded.sortKeys.count
        }
      }
    }
  }

  private static let pageCount = 32

  func insert(_ chunks: [GeometryChunk.Columns]) throws {
    try session.run(
      Self.insert, forEach: chunks.map { Self.values(of: $0, generation: generation) })
  }

  func delete(at sortKey: Int64) throws {
    try session.run(
      "DELETE FROM layout WHERE generation = $1 AND sort_key = $2",
      [.integer(generation), .integer(sortKey)])
  }

  private func select(_ condition: String, _ values: [SQLValue]) throws -> [GeometryChunk] {
    try session.map(
      "SELECT \(Self.columns) FROM layout WHERE generation = $1 AND \(condition)",
      [.integer(generation)] + values
    ) { row in
      try withCorruptionContext(row) { row in
        try GeometryChunk(
          GeometryChunk.Columns(
            sortKey: row.integer(.sortKey), count: Int(row.integer(.count)),
            step: row.integer(.step), sizes: row.bytes(.sizes),
            groups: row.optionalBytes(.groups), sortKeys: row.optionalBytes(.sortKeys)))
      }
    }
  }

  /// Compares the checksum before `body` reads the row.
  private func withCorruptionContext<Value>(
    _ row: any SQLRow, _ body: (TableRow<Column>) throws -> Value
  ) throws -> Value {
    let row = TableRow<Column>(row: row)
    return try SQLCatalogue.withCorruptionContext(
      "the chunk of the layout at the sort key \((try? row.integer(.sortKey)) ?? 0)",
      of: strip.name
    ) {
      try row.check(key: generation)
      return try body(row)
    }
  }
}
