import Catalogue
import GRDB

/// The items that a strip has, in order, for as long as those that come are the same.
///
/// - Complexity: O(1) an item; one item is held.
struct StoredItemCursor: FormerItems {
  private let rows: DirectStatement
  private let kinds: [String]
  private var next: Item?
  /// How many have come.
  private(set) var count = 0
  /// Their kinds.
  private(set) var seenKinds = KindTable()

  /// - Precondition: No other walk of this connection goes on.
  init(_ db: Database, of strip: StripRow) throws {
    kinds = try strip.kinds(db)
    rows = try DirectStatement(
      db, "SELECT \(StoredItem.columns) FROM item WHERE strip = ? ORDER BY position")
    rows.reset()
    rows.bind(1, strip.number)
    next = try read()
  }

  var isAtEnd: Bool { next == nil }

  mutating func passes(_ item: Item) throws -> Bool {
    guard item == next else { return false }
    count += 1
    _ = try seenKinds.number(of: item.kind)
    next = try read()
    return true
  }

  /// Lets go of the items that have not come, so that they can be written over.
  func end() { rows.reset() }

  private func read() throws -> Item? {
    try rows.next() ? StoredItem.item(rows, kinds: kinds) : nil
  }
}
