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

  /// The strip, and the values of `ItemColumn`.
  package var values: [SQLValue] { ItemColumn.values(key: strip, value) }

  private func value(of column: ItemColumn) -> SQLValue {
    switch column {
    case .sortKey: .integer(sortKey)
    case .firstRevision: .integer(firstRevision)
    case .kind: .integer(kind)
    case .aspect: .optional(item.aspect.map { Int64($0.units) })
    case .width: .optional(item.width?.units)
    case .group: .optional(item.group)
    case .fields: .utf8(item.fields.json)
    case .id: .text(item.id)
    case .checksum: .null
    }
  }
}

/// The common columns of `item` and `item_history`, except the strip, in the order in which they are read and written.
package enum ItemColumn: Int, TableColumn {
  case sortKey, firstRevision, kind, aspect, width, group, fields, id, checksum
}

package struct ItemRows {
  let session: any SQLSession
  let strip: StripRow

  init(_ session: any SQLSession, of strip: StripRow) {
    self.session = session
    self.strip = strip
  }

  package static let columns = ItemColumn.names.map { $0 == "group" ? #""group""# : $0 }

  package static let columnList = columns.joined(separator: ", ")

  /// Takes the values of `insert` without the id, so that the index of ids stays unchanged.
  static let update: String = {
    let updated = columns.filter { $0 != "id" }
    return """
      UPDATE item
      SET \((1..<updated.count).map { "\(updated[$0]) = $\($0 + 2)" }.joined(separator: ", "))
      WHERE strip = $1 AND sort_key = $2
      """
  }()

  /// Takes the strip and the values of `columns`.
  package static let insert = """
    INSERT INTO item (strip, \(columnList))
    VALUES ($1, \(columns.indices.map { "$\($0 + 2)" }.joined(separator: ", ")))
    """

  /// The items that the strip has of these ids, in any order. A damaged index can hide some: `carousel check` finds it.
  func find(_ ids: [String]) throws -> [(sortKey: Int64, item: Item)] {
    try findWithDamaged(ids).map { ($0.sortKey, try $0.item.get()) }
  }

  /// Finds items as `find` does, also if some of them are damaged. If the index leads to another item, that is an error.
  func findWithDamaged(
    _ ids: [String]
  ) throws -> [(id: String, sortKey: Int64, item: Result<Item, CatalogueError>)] {
    // No id has a NUL character, which PostgreSQL rejects.
    let ids = ids.filter { !$0.utf8.contains(0) }
    var found: [(id: String, sortKey: Int64, item: Result<Item, CatalogueError>)] = []
    try session.run(
      "SELECT \(Self.columnList) FROM item WHERE strip = $1 AND id = $2",
      forEach: ids.map { [.integer(strip.number), .text($0)] }
    ) { number, row in
      let id = ids[number]
      let item: Result<Item, CatalogueError>
      do {
        item = .success(try row.item(of: strip))
      } catch let error as CatalogueError {
        // The index can be damaged too, and lead to the row of another item.
        guard try row.isDamagedRow(of: id, in: strip) else { throw error }
        item = .failure(error)
      }
      if let found = try? item.get(), !found.id.utf8.elementsEqual(id.utf8) {
        throw CatalogueError.damaged("the item \"\(id)\"", of: strip.name, wrongIndex)
      }
      found.append((id, try row.integer(.sortKey), item))
    }
    return found
  }

  func items(at sortKeys: [Int64]) throws -> [Int64: Item] {
    var found: [Int64: Item] = [:]
    try session.run(
      "SELECT \(Self.columnList) FROM item WHERE strip = $1 AND sort_key = $2",
      forEach: sortKeys.map { [.integer(strip.number), .integer($0)] }
    ) { _, row in found[try row.integer(.sortKey)] = try row.item(of: strip) }
    return found
  }

  func items(after sortKey: Int64, limit: Int) throws -> [(sortKey: Int64, item: Item)] {
    try session.map(
      """
      SELECT \(Self.columnList) FROM item
      WHERE strip = $1 AND sort_key > $2 ORDER BY sort_key LIMIT $3
      """, [.integer(strip.number), .integer(sortKey), .integer(limit)]
    ) { (try $0.integer(.sortKey), try $0.item(of: strip)) }
  }

  /// The sort keys before `sortKey`, the nearest first. Nil stands for the strip's end.
  func sortKeys(before sortKey: Int64?, limit: Int) throws -> [Int64] {
    try session.map(
      """
      SELECT sort_key FROM item WHERE strip = $1 AND sort_key < $2
      ORDER BY sort_key DESC LIMIT $3
      """, [.integer(strip.number), .integer(sortKey ?? .max), .integer(limit)]
    ) { try $0.integer(0) }
  }

  /// The sort keys after `sortKey`, the nearest first. Nil stands for the strip's front.
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

private let wrongIndex = "the index of the ids leads to another item"

// A row of `ItemColumn`. Its checksum is compared first. Errors are `.corrupt`, and name the strip and the item.
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
      guard try withBytes(.id, { $0.elementsEqual(id.utf8) }) else {
        throw CatalogueError.corrupt(wrongIndex)
      }
      return try body()
    }
  }

  /// Whether a damaged row is that of `id`: it has this id, or only its id is damaged.
  fileprivate func isDamagedRow(of id: String, in strip: StripRow) throws -> Bool {
    if try withBytes(.id, { $0.elementsEqual(id.utf8) }) { return true }
    var checksum = try RowChecksum(of: self, ..<ItemColumn.id.rawValue, key: strip.number)
    Array(id.utf8).withUnsafeBytes { checksum.add($0) }
    return checksum.value == (try integer(.checksum))
  }

  func size(kinds: Int) throws -> GeometryChange.State {
    let kind = try integer(.kind)
    guard 0..<Int64(kinds) ~= kind else {
      throw CatalogueError.corrupt("it has the kind \(kind), and the strip has no such kind")
    }
    return GeometryChange.State(
      PackedSizeAndKind(aspect: try aspect, width: try width, kind: Int(kind)),
      group: try optionalText(ItemColumn.group.rawValue))
  }

  private var aspect: Aspect? {
    get throws {
      guard let units = try optionalInteger(.aspect) else { return nil }
      guard 0...1000 * 65536 ~= units else {
        throw CatalogueError.corrupt("it has the aspect \(units)/65536")
      }
      return Aspect(units: UInt32(units))
    }
  }

  private var width: Length? {
    get throws {
      guard let units = try optionalInteger(.width) else { return nil }
      guard 0...100_000 * 64 ~= units else {
        throw CatalogueError.corrupt("it has the width \(units)/64 px")
      }
      return Length(units: units)
    }
  }

  private var content: ItemContent {
    get throws {
      let id = try text(.id)
      guard let fields = Fields(stored: try withBytes(.fields) { Array($0) }) else {
        throw CatalogueError.corrupt("its fields are not a flat JSON object")
      }
      return ItemContent(id: id, fields: fields)
    }
  }

  /// The id, or the sort key if the id is no text.
  private var itemName: String {
    (try? text(.id)).map { "\"\($0)\"" } ?? "at the sort key \((try? integer(.sortKey)) ?? 0)"
  }

  private func readingItem<Value>(
    _ name: @autoclosure () -> String? = nil, of strip: StripRow, _ body: () throws -> Value
  ) throws -> Value {
    try withCorruptionContext("the item \(name() ?? itemName)", of: strip.name) {
      try TableRow<ItemColumn>(row: self).check(key: strip.number)
      return try body()
    }
  }
}

extension SQLRow {
  func integer(_ column: ItemColumn) throws -> Int64 { try integer(column.rawValue) }
  func text(_ column: ItemColumn) throws -> String { try text(column.rawValue) }

  func optionalInteger(_ column: ItemColumn) throws -> Int64? {
    try optionalInteger(column.rawValue)
  }

  private func withBytes<Value>(
    _ column: ItemColumn, _ body: (UnsafeRawBufferPointer) throws -> Value
  ) throws -> Value { try withBytes(column.rawValue, body) }
}
