import Catalogue
import GRDB
import Windowing

/// A strip while a batch changes it, in one transaction.
///
/// An insert or a move takes positions between its neighbours and touches no other row.
struct EditedStrip: EditableItems {
  private var changes: RowChanges
  /// The items that were looked up, by the bytes of their ids.
  private var found: [[UInt8]: RowChanges.Place] = [:]

  init(_ changes: RowChanges) { self.changes = changes }

  mutating func item(_ id: String) throws -> Item? {
    guard let (item, position) = try changes.rows.item(id, kinds: changes.kindNames) else {
      return nil
    }
    found[Array(id.utf8)] = try changes.place(of: item, at: position)
    return item
  }

  mutating func insert(_ items: [Item], _ place: Edit.Place) throws {
    var low: Int64?
    var high: Int64?
    switch place {
    case .before(let id):
      high = try id.map { try self.place(of: $0).position }
      low = try changes.rows.position(before: high)
    case .after(let id):
      low = try id.map { try self.place(of: $0).position }
      high = try changes.rows.position(after: low)
    }
    let positions = try changes.positions(for: items.count, between: low, and: high) { item, _ in
      found[Array(item.id.utf8)] = nil
    }
    for (item, position) in zip(items, positions) { try changes.put(item, at: position) }
  }

  mutating func replace(_ item: Item) throws {
    try changes.update(item, at: place(of: item.id))
    found[Array(item.id.utf8)] = nil
  }

  mutating func remove(_ id: String) throws {
    try changes.remove(place(of: id))
    found[Array(id.utf8)] = nil
  }

  /// By how much the sums over the strip's items have changed.
  var difference: StripTotals { changes.difference }

  /// Keeps what became of the layout, and gives the step that is to be the next revision.
  mutating func finish() throws -> RevisionWriter { try changes.finish() }

  private mutating func place(of id: String) throws -> RowChanges.Place {
    if found[Array(id.utf8)] == nil { _ = try item(id) }
    guard let place = found[Array(id.utf8)] else {
      preconditionFailure("An item is looked up before it is changed.")
    }
    return place
  }
}
