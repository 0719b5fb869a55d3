import Catalogue
import GRDB
import Windowing

/// The rows of `item` that belong to one strip, with the statements that change them ready.
struct ItemRows {
  private let byID: DirectStatement
  private let byPosition: DirectStatement
  private let positionBefore: DirectStatement
  private let positionAfter: DirectStatement
  private let insertion: ItemInsertion
  private let update: DirectStatement
  private let delete: DirectStatement
  private let strip: Int64

  init(_ db: Database, strip: Int64) throws {
    self.strip = strip
    let item = "SELECT \(StoredItem.columns), position FROM item WHERE strip = ?"
    byID = try DirectStatement(db, "\(item) AND id = ?")
    byPosition = try DirectStatement(db, "\(item) AND position = ?")
    positionBefore = try DirectStatement(
      db,
      "SELECT position FROM item WHERE strip = ? AND position < ? ORDER BY position DESC LIMIT 1")
    positionAfter = try DirectStatement(
      db, "SELECT position FROM item WHERE strip = ? AND position > ? ORDER BY position LIMIT 1")
    insertion = try ItemInsertion(db)
    update = try DirectStatement(
      db,
      """
      UPDATE item SET kind = ?, aspect = ?, width = ?, "group" = ?, fields = ?
      WHERE strip = ? AND position = ?
      """)
    delete = try DirectStatement(db, "DELETE FROM item WHERE strip = ? AND position = ?")
  }

  /// The item of this id, and where it is.
  func item(_ id: String, kinds: [String]) throws -> (Item, at: Int64)? {
    byID.bind(1, strip)
    byID.bind(2, id)
    defer { byID.reset() }
    guard try byID.next() else { return nil }
    return (try StoredItem.item(byID, kinds: kinds), byID.integer(6))
  }

  func item(at position: Int64, kinds: [String]) throws -> Item? {
    byPosition.bind(1, strip)
    byPosition.bind(2, position)
    defer { byPosition.reset() }
    guard try byPosition.next() else { return nil }
    return try StoredItem.item(byPosition, kinds: kinds)
  }

  /// The position of the item before `position`, of the last one without.
  func position(before position: Int64?) throws -> Int64? {
    try self.position(positionBefore, position ?? .max)
  }

  /// The position of the item after `position`, of the first one without.
  func position(after position: Int64?) throws -> Int64? {
    try self.position(positionAfter, position ?? .min)
  }

  private func position(_ statement: DirectStatement, _ from: Int64) throws -> Int64? {
    statement.bind(1, strip)
    statement.bind(2, from)
    defer { statement.reset() }
    return try statement.next() ? statement.integer(0) : nil
  }

  /// Writes a row where none is.
  func insert(_ item: Item, kind: Int, at position: Int64) throws {
    try insertion.insert(item, at: position, kind: kind, strip: strip)
  }

  /// Writes over a row; the id stays what it is.
  func update(_ item: Item, kind: Int, at position: Int64) throws {
    update.bind(1, Int64(kind))
    update.bind(2, item.aspect.map { Int64($0.units) })
    update.bind(3, item.width?.units)
    update.bind(4, item.group)
    item.fields.json.withUnsafeBufferPointer { update.bind(5, utf8: $0) }
    update.bind(6, strip)
    update.bind(7, position)
    try update.run()
  }

  func delete(at position: Int64) throws {
    delete.bind(1, strip)
    delete.bind(2, position)
    try delete.run()
  }
}
