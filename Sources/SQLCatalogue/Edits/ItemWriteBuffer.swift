import Catalogue
import Items
import Views
import Windowing

/// The changes of a strip's items in one transaction, until `flush` writes them together.
///
/// Several changes of one item become one. Deletions are written first, so that their ids are free again.
struct ItemWriteBuffer {
  private let session: any SQLSession
  private var writer: RevisionWriter
  private var kinds: KindTable
  /// The number of items of each kind, with all changes.
  private var counts: [Int]
  private var pending: [Int64: Pending] = [:]
  private var geometry = GeometryChanges.Builder()
  private(set) var lastSortKey: Int64

  private struct Pending {
    /// Nil for no row.
    let stored: (item: Item, kind: Int)?
    var item: (item: Item, kind: Int)?
  }

  init(_ session: any SQLSession, of strip: StripRow, _ writer: RevisionWriter) {
    self.session = session
    self.writer = writer
    kinds = KindTable(names: strip.kinds)
    counts = strip.totals.kinds
    lastSortKey = strip.lastSortKey
  }

  var kindNames: [String] { kinds.names }

  var count: Int { geometry.count + pending.count }

  /// Whether an item of this kind can replace another one now.
  func hasRoom(for kind: String, inPlaceOf old: Item) -> Bool {
    kinds.hasRoom(for: kind) { counts[$0] == (kinds.names[$0] == old.kind ? 1 : 0) }
  }

  /// Changes the item at a sort key: inserts it if `old` is nil, removes it if `new` is nil, else replaces it.
  ///
  /// - Throws: `.invalid` for a 65th kind.
  mutating func set(_ sortKey: Int64, from old: Item?, to new: Item?) throws {
    let oldEntry = try old.map { ($0, try kinds.number(of: $0.kind)) }
    if let oldEntry { counts[oldEntry.1] -= 1 }
    let counts = counts
    let newEntry = try new.map { item in
      (item, try kinds.number(of: item.kind) { counts[$0] == 0 })
    }
    if let newEntry { self.counts[newEntry.1] += 1 }
    if pending[sortKey] == nil { pending[sortKey] = Pending(stored: oldEntry) }
    pending[sortKey]?.item = newEntry
    if new != nil { lastSortKey = max(lastSortKey, sortKey) }
  }

  /// The sort keys of all changed items, before and after; nil if one of them, or their order, is not as before.
  var moves: [(Int64, Int64)]? {
    guard !writer.dropsHistory else { return nil }
    let changed = pending.sorted { $0.key < $1.key }
    let before = changed.filter { $0.value.stored != nil }
    let after = changed.filter { $0.value.item != nil }
    guard before.elementsEqual(after, by: { $0.value.stored?.item == $1.value.item?.item })
    else { return nil }
    return zip(before, after).map { ($0.key, $1.key) }
  }

  /// No earlier revision can be read after this one.
  mutating func dropHistory() { writer.dropsHistory = true }

  mutating func flush() throws {
    let changes = pending
    pending = [:]
    let strip = writer.previous.number
    var superseded: [(sortKey: Int64, item: Item)] = []
    var deleted: [[SQLValue]] = []
    var updated: [[SQLValue]] = []
    var inserted: [[SQLValue]] = []
    for sortKey in changes.keys.sorted() {
      guard let (stored, new) = changes[sortKey].map({ ($0.stored, $0.item) }) else { continue }
      if let stored { superseded.append((sortKey, stored.item)) }
      let values = new.map {
        ItemRow(
          $0.item, kind: $0.kind, strip: strip, sortKey: sortKey, firstRevision: writer.revision
        ).values
      }
      if let stored, let new, let values, stored.item.id.utf8.elementsEqual(new.item.id.utf8) {
        updated.append(values.dropLast(2) + values.suffix(1))
      } else {
        if stored != nil { deleted.append([.integer(strip), .integer(sortKey)]) }
        if let values { inserted.append(values) }
      }
      geometry.append(
        sortKey, from: stored.map { GeometryChange.State($0.item, kind: $0.kind) },
        to: new.map { GeometryChange.State($0.item, kind: $0.kind) })
    }
    try writer.archive(superseded)
    // Deletions first: they make ids free again.
    try session.run("DELETE FROM item WHERE strip = $1 AND sort_key = $2", forEach: deleted)
    try session.run(ItemRows.update, forEach: updated)
    try session.run(ItemRows.insert, forEach: inserted)
  }

  /// Writes everything, and makes the next revision of the strip.
  mutating func writeRevision(_ row: inout StripRow) throws -> GeometryChanges {
    try flush()
    row.kinds = kinds.names
    row.totals += geometry.totals
    row.lastSortKey = lastSortKey
    let changes = geometry.changes
    try writer.storeRevision(&row, changes)
    return changes
  }
}
