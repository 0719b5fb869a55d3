import Catalogue
import Windowing

/// The rows of `item` that belong to one strip.
///
///     let items = ItemRows(session, strip: row.number, kinds: row.kinds)
///     try items.find(["a6"])           // [(position: 7340032, item: ...)]
///     try items.positions(before: nil, limit: 1)
struct ItemRows {
  let session: any SQLSession
  let strip: Int64
  /// The names of the strip's kinds, by number.
  var kinds: [String]

  init(_ session: any SQLSession, strip: Int64, kinds: [String]) {
    self.session = session
    self.strip = strip
    self.kinds = kinds
  }

  /// All columns of an item, in the order of `Item.values(strip:position:firstRevision:kind:)`, then the id.
  static let columns = [
    "position", "first_revision", "kind", "aspect", "width", #""group""#, "fields", "id",
  ]

  /// All columns of an item, for SQL.
  static let columnList = columns.joined(separator: ", ")

  /// Changes an item. The values are the strip, and those of `columns` without the id: it stays as it is,
  /// and so does its index.
  static let update = """
    UPDATE item
    SET \((1..<columns.count - 1).map { "\(columns[$0]) = $\($0 + 2)" }.joined(separator: ", "))
    WHERE strip = $1 AND position = $2
    """

  /// Writes a new item. The values are the strip, and those of `columns`.
  static let insert = """
    INSERT INTO item (strip, \(columnList))
    VALUES ($1, \(columns.indices.map { "$\($0 + 2)" }.joined(separator: ", ")))
    """

  /// The columns that `item(_:kinds:)` reads, and after them `first_revision`.
  static let readColumns = #"position, id, fields, kind, aspect, width, "group", first_revision"#

  /// The place of `first_revision` in `readColumns`.
  static let firstRevision = 7

  /// How many `readColumns` there are: the place of the first column after them.
  static let readCount = 8

  /// The items of these ids that the strip has, in any order.
  func find(_ ids: [String]) throws -> [(position: Int64, item: Item)] {
    var found: [(position: Int64, item: Item)] = []
    // No item has an id with a NUL character, and PostgreSQL does not accept it as text.
    let sets = ids.filter { !$0.utf8.contains(0) }.map { [SQLValue.integer(strip), .text($0)] }
    try session.run(
      "SELECT \(Self.readColumns) FROM item WHERE strip = $1 AND id = $2", forEach: sets
    ) { _, row in found.append((try row.integer(0), try Self.item(row, kinds: kinds))) }
    return found
  }

  /// The items at these positions, by position.
  func items(at positions: [Int64]) throws -> [Int64: Item] {
    var found: [Int64: Item] = [:]
    try session.run(
      "SELECT \(Self.readColumns) FROM item WHERE strip = $1 AND position = $2",
      forEach: positions.map { [.integer(strip), .integer($0)] }
    ) { _, row in found[try row.integer(0)] = try Self.item(row, kinds: kinds) }
    return found
  }

  /// The items after a position, in order, at most `limit`.
  func items(after position: Int64, limit: Int) throws -> [(position: Int64, item: Item)] {
    try session.map(
      """
      SELECT \(Self.readColumns) FROM item
      WHERE strip = $1 AND position > $2 ORDER BY position LIMIT $3
      """, [.integer(strip), .integer(position), .integer(limit)]
    ) { (try $0.integer(0), try Self.item($0, kinds: kinds)) }
  }

  /// The positions of the items before one, the nearest first, at most `limit`; nil for the strip's end.
  func positions(before position: Int64?, limit: Int) throws -> [Int64] {
    try session.map(
      """
      SELECT position FROM item WHERE strip = $1 AND position < $2
      ORDER BY position DESC LIMIT $3
      """, [.integer(strip), .integer(position ?? .max), .integer(limit)]
    ) { try $0.integer(0) }
  }

  /// The positions of the items after one, the nearest first, at most `limit`; nil for the strip's front.
  func positions(after position: Int64?, limit: Int) throws -> [Int64] {
    try session.map(
      "SELECT position FROM item WHERE strip = $1 AND position > $2 ORDER BY position LIMIT $3",
      [.integer(strip), .integer(position ?? .min), .integer(limit)]
    ) { try $0.integer(0) }
  }
}

extension ItemRows {
  /// Reads an item from `readColumns`.
  ///
  /// - Throws: `.corrupt` if a column holds what no item can have.
  static func item(_ row: any SQLRow, kinds: [String]) throws -> Item {
    let content = try content(row)
    let size = try size(row, kinds: kinds.count)
    do {
      return try Item(
        id: content.id, kind: kinds[size.item.kind], aspect: Aspect(row, 4), width: Length(row, 5),
        group: size.group, fields: content.fields)
    } catch CatalogueError.invalid(let sentence) {
      throw CatalogueError.corrupt("the item \"\(content.id)\" is damaged: \(sentence)")
    }
  }

  /// Reads id and fields from the second and third column.
  static func content(_ row: any SQLRow) throws -> ItemContent {
    let id = try row.text(1)
    guard let fields = Fields(stored: try row.bytes(2)) else {
      throw CatalogueError.corrupt("the fields of the item \"\(id)\" are not a flat JSON object")
    }
    return ItemContent(id: id, fields: fields)
  }

  /// Reads what the layout says of an item from `readColumns`.
  ///
  /// - Throws: `.corrupt`, which names the item, if a number is out of range.
  static func size(_ row: any SQLRow, kinds: Int) throws -> LayoutChange.State {
    let kind = try row.integer(3)
    guard 0..<Int64(kinds) ~= kind else {
      throw CatalogueError.corrupt(
        "the item \"\(try row.text(1))\" has the kind \(kind), and the strip has no such kind")
    }
    return LayoutChange.State(
      StoredSize(aspect: try Aspect(row, 4), width: try Length(row, 5), kind: Int(kind)),
      group: try row.optionalText(6))
  }
}

extension Aspect {
  fileprivate init?(_ row: any SQLRow, _ column: Int) throws {
    guard let units = try row.optionalInteger(column) else { return nil }
    guard 0...1000 * 65536 ~= units else {
      throw CatalogueError.corrupt(
        "the item \"\(try row.text(1))\" has the aspect \(units)/65536")
    }
    self.init(units: UInt32(units))
  }
}

extension Length {
  fileprivate init?(_ row: any SQLRow, _ column: Int) throws {
    guard let units = try row.optionalInteger(column) else { return nil }
    guard 0...100_000 * 64 ~= units else {
      throw CatalogueError.corrupt(
        "the item \"\(try row.text(1))\" has the width \(units)/64 px")
    }
    self.init(units: units)
  }
}

extension Item {
  /// The values of `ItemRows.update`. With the id after them they are those of `ItemRows.insert`.
  func values(strip: Int64, position: Int64, firstRevision: Int64, kind: Int) -> [SQLValue] {
    [
      .integer(strip), .integer(position), .integer(firstRevision), .integer(kind),
      .optional(aspect.map { Int64($0.units) }), .optional(width?.units), .optional(group),
      .utf8(fields.json),
    ]
  }
}
