import GRDB
import Items
import Windowing

/// The rows of `item` that belong to one strip, with the statements that change them ready.
struct ItemRows {
  private let strip: Int64
  private let byID: Statement
  private let byPosition: Statement
  private let positionBefore: Statement
  private let positionAfter: Statement
  private let insertion: ItemInsertion
  private let update: Statement
  private let delete: Statement

  init(_ db: Database, strip: Int64) throws {
    self.strip = strip
    let item = "SELECT \(StoredItem.columns), position FROM item WHERE strip = ?"
    byID = try db.cachedStatement(sql: "\(item) AND id = ?")
    byPosition = try db.cachedStatement(sql: "\(item) AND position = ?")
    positionBefore = try db.cachedStatement(
      sql: "SELECT max(position) FROM item WHERE strip = ? AND position < ?")
    positionAfter = try db.cachedStatement(
      sql: "SELECT min(position) FROM item WHERE strip = ? AND position > ?")
    insertion = try ItemInsertion(db)
    update = try db.cachedStatement(
      sql: """
        UPDATE item SET kind = ?, aspect = ?, width = ?, "group" = ?, fields = ?
        WHERE strip = ? AND position = ?
        """)
    delete = try db.cachedStatement(sql: "DELETE FROM item WHERE strip = ? AND position = ?")
  }

  /// The item of this id, and where it is.
  func item(_ id: String, kinds: [String]) throws -> (Item, at: Int64)? {
    guard let row = try Row.fetchOne(byID, arguments: [strip, id]) else { return nil }
    return (try StoredItem.item(row, kinds: kinds), row[6])
  }

  func item(at position: Int64, kinds: [String]) throws -> Item? {
    try Row.fetchOne(byPosition, arguments: [strip, position])
      .map { try StoredItem.item($0, kinds: kinds) }
  }

  /// The position of the item before `position`, of the last one without.
  func position(before position: Int64?) throws -> Int64? {
    try Int64.fetchOne(positionBefore, arguments: [strip, position ?? .max])
  }

  /// The position of the item after `position`, of the first one without.
  func position(after position: Int64?) throws -> Int64? {
    try Int64.fetchOne(positionAfter, arguments: [strip, position ?? .min])
  }

  /// Writes a row where none is.
  func insert(_ item: Item, kind: Int, at position: Int64) throws {
    try insertion.insert(item, at: position, kind: kind, strip: strip)
  }

  /// Writes over a row; the id stays what it is.
  func update(_ item: Item, kind: Int, at position: Int64) throws {
    try update.execute(arguments: [
      kind, item.aspect?.units, item.width?.units, item.group,
      String(decoding: item.fields.json, as: UTF8.self), strip, position,
    ])
  }

  func delete(at position: Int64) throws {
    try delete.execute(arguments: [strip, position])
  }
}
