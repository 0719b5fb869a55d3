import Catalogue
package import Items
import Views
import Windowing

package struct ItemRow {
  package let strip: Int64
  package let sortKey: Int64
  package let firstRevision: Int64
  package let kind: Int
  package let item: Item

  package init(_ item: Item, kind: Int, strip: Int64, sortKey: Int64, firstRevision: Int64) {
    self.strip = strip
    self.sortKey = sortKey
    self.firstRevision = firstRevision
    self.kind = kind
    self.item = item
  }

  /// The strip, and the values of `ItemRows.columns`.
  package var values: [SQLValue] {
    var values: [SQLValue] = [
      .integer(strip), .integer(sortKey), .integer(firstRevision), .integer(kind),
      .optional(item.aspect.map { Int64($0.units) }), .optional(item.width?.units),
      .optional(item.group), .utf8(item.fields.json), .text(item.id),
    ]
    values.insert(.integer(RowChecksum(of: values).value), at: values.count - 1)
    return values
  }
}

package struct ItemRows {
  let session: any SQLSession
  let strip: StripRow

  init(_ session: any SQLSession, of strip: StripRow) {
    self.session = session
    self.strip = strip
  }

  /// All columns but the strip, in the order in which they are read and written.
  package static let columns = [
    "sort_key", "first_revision", "kind", "aspect", "width", #""group""#, "fields", "checksum",
    "id",
  ]

  package static let columnList = columns.joined(separator: ", ")

  /// The values are those of `insert` without the last, the id. So the index of ids stays as it is.
  static let update = """
    UPDATE item
    SET \((1..<columns.count - 1).map { "\(columns[$0]) = $\($0 + 2)" }.joined(separator: ", "))
    WHERE strip = $1 AND sort_key = $2
    """

  /// The values are the strip, and those of `columns`.
  package static let insert = """
    INSERT INTO item (strip, \(columnList))
    VALUES ($1, \(columns.indices.map { "$\($0 + 2)" }.joined(separator: ", ")))
    """

  /// The checksum of a row: of its strip and of `columns`.
  package static func checksum(
    _ strip: Int64, _ sortKey: Int64, _ firstRevision: Int64, _ kind: Int64, _ aspect: Int64?,
    _ width: Int64?, _ group: UnsafeRawBufferPointer?, _ fields: UnsafeRawBufferPointer,
    _ id: UnsafeRawBufferPointer
  ) -> RowChecksum {
    var checksum = RowChecksum()
    checksum.add(strip)
    checksum.add(sortKey)
    checksum.add(firstRevision)
    checksum.add(kind)
    checksum.add(aspect)
    checksum.add(width)
    checksum.add(group)
    checksum.add(fields)
    checksum.add(id)
    return checksum
  }

  /// The items that the strip has of these ids, in any order. A damaged index can hide some: see `confirmAbsence`.
  func find(_ ids: [String]) throws -> [(sortKey: Int64, item: Item)] {
    // No id has a NUL character, which PostgreSQL rejects.
    try read("id = $2", ids.filter { !$0.utf8.contains(0) }.map { .text($0) })
  }

  /// Finds items as `find` does, also if some of them are damaged.
  func findWithDamaged(
    _ ids: [String]
  ) throws -> [(id: String, sortKey: Int64, item: Result<Item, CatalogueError>)] {
    let ids = ids.filter { !$0.utf8.contains(0) }
    var found: [(id: String, sortKey: Int64, item: Result<Item, CatalogueError>)] = []
    try session.run(
      "SELECT \(Self.columnList) FROM item WHERE strip = $1 AND id = $2",
      forEach: ids.map { [.integer(strip.number), .text($0)] }
    ) { number, row in
      let item: Result<Item, CatalogueError>
      do {
        item = .success(try row.item(of: strip))
      } catch let error as CatalogueError {
        item = .failure(error)
      }
      found.append((ids[number], try row.integer(0), item))
    }
    return found
  }

  func items(at sortKeys: [Int64]) throws -> [Int64: Item] {
    Dictionary(
      try read("sort_key = $2", sortKeys.map { .integer($0) })
    ) { first, _ in first }
  }

  private func read(
    _ condition: String, _ values: [SQLValue]
  ) throws -> [(sortKey: Int64, item: Item)] {
    var found: [(sortKey: Int64, item: Item)] = []
    try session.run(
      "SELECT \(Self.columnList) FROM item WHERE strip = $1 AND \(condition)",
      forEach: values.map { [.integer(strip.number), $0] }
    ) { _, row in found.append((try row.integer(0), try row.item(of: strip))) }
    return found
  }

  func items(after sortKey: Int64, limit: Int) throws -> [(sortKey: Int64, item: Item)] {
    try session.map(
      """
      SELECT \(Self.columnList) FROM item
      WHERE strip = $1 AND sort_key > $2 ORDER BY sort_key LIMIT $3
      """, [.integer(strip.number), .integer(sortKey), .integer(limit)]
    ) { (try $0.integer(0), try $0.item(of: strip)) }
  }

  /// The nearest first; nil for the strip's end.
  func sortKeys(before sortKey: Int64?, limit: Int) throws -> [Int64] {
    try session.map(
      """
      SELECT sort_key FROM item WHERE strip = $1 AND sort_key < $2
      ORDER BY sort_key DESC LIMIT $3
      """, [.integer(strip.number), .integer(sortKey ?? .max), .integer(limit)]
    ) { try $0.integer(0) }
  }

  /// The nearest first; nil for the strip's front.
  func sortKeys(after sortKey: Int64?, limit: Int) throws -> [Int64] {
    try session.map(
      "SELECT sort_key FROM item WHERE strip = $1 AND sort_key > $2 ORDER BY sort_key LIMIT $3",
      [.integer(strip.number), .integer(sortKey ?? .min), .integer(limit)]
    ) { try $0.integer(0) }
  }

  /// The sort key of the next item after each; nil for the last item.
  func sortKeys(after sortKeys: [Int64]) throws -> [Int64?] {
    var found = [Int64?](repeating: nil, count: sortKeys.count)
    try session.run(
      "SELECT sort_key FROM item WHERE strip = $1 AND sort_key > $2 ORDER BY sort_key LIMIT 1",
      forEach: sortKeys.map { [.integer(strip.number), .integer($0)] }
    ) { index, row in found[index] = try row.integer(0) }
    return found
  }
}

// A row of `ItemRows.columns`. Its checksum is compared first. Errors are `.corrupt`, and name the strip and the item.
extension SQLRow {
  func item(of strip: StripRow) throws -> Item {
    try readingItem(of: strip) {
      let content = try content
      let size = try size(kinds: strip.kinds.count)
      return try Item(
        id: content.id, kind: strip.kinds[size.item.kind], aspect: aspect, width: width,
        group: size.group, fields: content.fields)
    }
  }

  func content(of strip: StripRow) throws -> ItemContent {
    try readingItem(of: strip) { try content }
  }

  /// Passes a row that an index has found to `body`, if it is the row of this id.
  func verified<Value>(
    as id: String, of strip: StripRow, _ body: () throws -> Value
  ) throws -> Value {
    try readingItem("\"\(id)\"", of: strip) {
      guard try withBytes(8, { $0.elementsEqual(id.utf8) }) else {
        throw CatalogueError.corrupt("the index of the ids leads to another item")
      }
      return try body()
    }
  }

  func size(kinds: Int) throws -> LayoutChange.State {
    let kind = try integer(2)
    guard 0..<Int64(kinds) ~= kind else {
      throw CatalogueError.corrupt("it has the kind \(kind), and the strip has no such kind")
    }
    return LayoutChange.State(
      StoredSize(aspect: try aspect, width: try width, kind: Int(kind)),
      group: try optionalText(5))
  }

  private var aspect: Aspect? {
    get throws {
      guard let units = try optionalInteger(3) else { return nil }
      guard 0...1000 * 65536 ~= units else {
        throw CatalogueError.corrupt("it has the aspect \(units)/65536")
      }
      return Aspect(units: UInt32(units))
    }
  }

  private var width: Length? {
    get throws {
      guard let units = try optionalInteger(4) else { return nil }
      guard 0...100_000 * 64 ~= units else {
        throw CatalogueError.corrupt("it has the width \(units)/64 px")
      }
      return Length(units: units)
    }
  }

  private var content: ItemContent {
    get throws {
      let id = try text(8)
      guard let fields = Fields(stored: try bytes(6)) else {
        throw CatalogueError.corrupt("its fields are not a flat JSON object")
      }
      return ItemContent(id: id, fields: fields)
    }
  }

  /// The id, or the sort key if the id is no text.
  private var itemName: String {
    (try? text(8)).map { "\"\($0)\"" } ?? "at the sort key \((try? integer(0)) ?? 0)"
  }

  private func readingItem<Value>(
    _ name: @autoclosure () -> String? = nil, of strip: StripRow, _ body: () throws -> Value
  ) throws -> Value {
    try withCorruptionContext("the item \(name() ?? itemName)", of: strip.name) {
      var checksum = RowChecksum()
      checksum.add(strip.number)
      for column in 0..<5 { checksum.add(try optionalInteger(column)) }
      for column in [5, 6, 8] { try checksum.add(self, column) }
      try checksum.check(integer(7))
      return try body()
    }
  }
}
