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
  package var values: [SQLValue] {
    var values = [.integer(strip)] + ItemColumn.checked.map(value)
    values.insert(
      .integer(RowChecksum(of: values).value), at: ItemColumn.checksum.rawValue + 1)
    return values
  }

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

/// The columns of `item` and `item_history` that both have, but the strip, in the order in which they are read and written.
package enum ItemColumn: Int, CaseIterable {
  case sortKey, firstRevision, kind, aspect, width, group, fields, checksum, id

  /// The columns that the checksum covers, after the strip.
  package static let checked = allCases.filter { $0 != .checksum }
  fileprivate static let checkedIndices = checked.map(\.rawValue)

  var name: String {
    switch self {
    case .sortKey: "sort_key"
    case .firstRevision: "first_revision"
    case .group: #""group""#
    default: "\(self)"
    }
  }
}

package struct ItemRows {
  let session: any SQLSession
  let strip: StripRow

  init(_ session: any SQLSession, of strip: StripRow) {
    self.session = session
    self.strip = strip
  }

  package static let columns = ItemColumn.allCases.map(\.name)

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

  /// The items that the strip has of these ids, in any order. A damaged index can hide some: see `verifyAbsence`.
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
      found.append((ids[number], try row.integer(.sortKey), item))
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
    ) { _, row in found.append((try row.integer(.sortKey), try row.item(of: strip))) }
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

// Finds out whether an id is absent, or a damaged key of the index of ids hides it.
//
//     keys     a3   a7   q9   b2   b5      q9 was a9
//     find b2  compares with q9, goes left, and ends after a7
//
// A damaged key hides its own item, and misleads look-ups of other ids. A look-up ends between two keys of the index. If a
// damaged key has misled it, that key is one of the two. So both are compared with the ids of their rows. If both are
// right, the id is absent.
extension ItemRows {
  /// - Throws: `.corrupt` if a damaged key may hide one of the ids.
  /// - Complexity: O(log *n*) for each, about as much as six look-ups.
  package func verifyAbsence(of ids: [String]) throws {
    // No id has a NUL character, which PostgreSQL rejects.
    let ids = ids.filter { !$0.utf8.contains(0) }
    for statement in Self.faults {
      try session.run(
        statement, forEach: ids.map { [.integer(strip.number), .text($0)] }
      ) { number, row in
        throw CatalogueError.damaged(
          "the index of the ids near \"\(ids[number])\"", of: strip.name,
          "the key \"\((try? row.text(0)) ?? "")\" is not the id of its row", isPublic: true)
      }
    }
  }

  /// Each gives a row if the keys around the strip `$1` and the id `$2` are damaged.
  private static let faults =
    [("<", "DESC", "<", ">="), (">=", "ASC", ">", "<=")].flatMap { side, order, beyond, otherSide in
      let neighbour = """
        FROM item WHERE (strip, id) \(side) ($1, $2) ORDER BY strip \(order), id \(order) LIMIT 1
        """
      return [
        // A key is damaged unless it is the id of its row. SQLite passes over a key without a row if it reads columns of
        // the row. So `neighbour` reads the key alone, `entry` the key and the sort key, and `stored` the row.
        """
        SELECT neighbour.id FROM (SELECT strip, id \(neighbour)) AS neighbour
        LEFT JOIN (SELECT strip, id, sort_key \(neighbour)) AS entry
          ON entry.strip = neighbour.strip AND entry.id = neighbour.id
        LEFT JOIN item AS stored ON stored.strip = entry.strip AND stored.sort_key = entry.sort_key
        WHERE stored.id IS NULL OR stored.id <> neighbour.id
          OR (neighbour.strip, neighbour.id) \(otherSide) ($1, $2)
        """,
        // From a key with damaged bytes, SQLite reads NULL. A search by strip and id passes over this key, and a search
        // by one column stops at it. So there is damage if the two find different rows.
        """
        SELECT neighbour.id FROM (SELECT 1) AS lookup
        LEFT JOIN (SELECT strip, id \(neighbour)) AS neighbour ON TRUE
        WHERE coalesce((
            SELECT '=' || coalesce(id, '') FROM item WHERE strip = $1 AND id \(side) $2
            ORDER BY id \(order) LIMIT 1), '')
          <> coalesce(CASE WHEN neighbour.strip = $1 THEN '=' || neighbour.id END, '')
        OR coalesce(neighbour.strip, 0) <> $1 AND coalesce((
            SELECT '=' || coalesce(strip, 0) FROM item WHERE strip \(beyond) $1
            ORDER BY strip \(order) LIMIT 1), '')
          <> coalesce('=' || neighbour.strip, '')
        """,
      ]
    }
}

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
        throw CatalogueError.corrupt("the index of the ids leads to another item")
      }
      return try body()
    }
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
      try RowChecksum.check(
        self, ItemColumn.checkedIndices, key: strip.number, ItemColumn.checksum.rawValue)
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
