import Catalogue
import Windowing

/// A row of `item` or `past_item` and the item in it, by the columns `position`, `id`, `fields`, `kind`,
/// `aspect`, `width`, `group`.
enum StoredItem {
  static func position(_ row: Row) throws -> Int64 { try row.integer(0) }

  /// Id and fields alone: the first three columns.
  static func content(_ row: Row) throws -> ItemContent {
    guard let fields = Fields(stored: try row.bytes(2)) else {
      throw CatalogueError.corrupt("its fields are no JSON object")
    }
    return ItemContent(id: try row.text(1), fields: fields)
  }

  /// - Parameter kinds: the names of the strip's kinds, by number.
  static func item(_ row: Row, kinds: [String]) throws -> Item {
    let content = try content(row)
    let kind = Int(try row.integer(3))
    guard kinds.indices ~= kind else {
      throw CatalogueError.corrupt("an item is of kind \(kind), and there is none")
    }
    return try Item(
      id: content.id, kind: kinds[kind],
      aspect: row.optionalInteger(4).map { Aspect(units: UInt32($0)) },
      width: row.optionalInteger(5).map { Length(units: $0) }, group: row.optionalText(6),
      fields: content.fields)
  }
}
