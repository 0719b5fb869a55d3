import Catalogue
import Windowing

/// Changes of a strip's items within one transaction. They are gathered by position, and written together.
///
///     changes.replace(old, with: new, at: 4096)
///     changes.remove(other, at: 8192)
///     try changes.flush()         // a few statements, however many items there are
struct ItemChanges {
  private let session: any SQLSession
  private var writer: RevisionWriter
  private var kinds: KindTable
  /// How many items of each kind there are with all changes.
  private var counts: [Int]
  private var pending: [Int64: Pending] = [:]
  private var layout = LayoutChanges.Builder()
  private(set) var lastPosition: Int64

  /// The item at a position, and the item that will be there.
  private struct Pending {
    /// The row, and its kind's number; nil for no row.
    let stored: (item: Item, kind: Int)?
    var item: (item: Item, kind: Int)?
  }

  /// - Parameter writer: of the revision that the changes make.
  init(_ session: any SQLSession, of strip: StripRow, _ writer: RevisionWriter) {
    self.session = session
    self.writer = writer
    kinds = KindTable(names: strip.kinds)
    counts = strip.totals.kinds
    lastPosition = strip.lastPosition
  }

  /// The names of the strip's kinds, by number.
  var kindNames: [String] { kinds.names }

  /// How many positions were changed.
  var count: Int { layout.count + pending.count }

  /// Whether an item of this kind can take the place of another one now.
  func hasRoom(for kind: String, inPlaceOf old: Item) -> Bool {
    kinds.hasRoom(for: kind) { counts[$0] == (kinds.names[$0] == old.kind ? 1 : 0) }
  }

  /// Puts an item at a position that holds none.
  ///
  /// - Throws: `.invalid` for a 65th kind.
  mutating func insert(_ item: Item, at position: Int64) throws {
    try set(position, from: nil, to: item)
    lastPosition = max(lastPosition, position)
  }

  /// Puts an item in the place of another one.
  ///
  /// - Throws: `.invalid` for a 65th kind.
  mutating func replace(_ old: Item, with item: Item, at position: Int64) throws {
    try set(position, from: old, to: item)
  }

  mutating func remove(_ item: Item, at position: Int64) throws {
    try set(position, from: item, to: nil)
  }

  private mutating func set(_ position: Int64, from old: Item?, to new: Item?) throws {
    let oldEntry = try old.map { ($0, try kinds.number(of: $0.kind)) }
    if let oldEntry { counts[oldEntry.1] -= 1 }
    let counts = counts
    let newEntry = try new.map { item in
      (item, try kinds.number(of: item.kind) { counts[$0] == 0 })
    }
    if let newEntry { self.counts[newEntry.1] += 1 }
    if pending[position] == nil { pending[position] = Pending(stored: oldEntry) }
    pending[position]?.item = newEntry
  }

  /// Writes the gathered changes to the tables.
  mutating func flush() throws {
    let changes = pending
    pending = [:]
    let strip = writer.previous.number
    var superseded: [(position: Int64, item: Item)] = []
    var deleted: [[SQLValue]] = []
    var updated: [[SQLValue]] = []
    var inserted: [[SQLValue]] = []
    for position in changes.keys.sorted() {
      guard let (stored, new) = changes[position].map({ ($0.stored, $0.item) }) else { continue }
      if let stored { superseded.append((position, stored.item)) }
      let values = new.map {
        $0.item.values(
          strip: strip, position: position, firstRevision: writer.revision, kind: $0.kind)
      }
      if let stored, let new, let values, stored.item.id.utf8.elementsEqual(new.item.id.utf8) {
        updated.append(values)
      } else {
        if stored != nil { deleted.append([.integer(strip), .integer(position)]) }
        if let new, let values { inserted.append(values + [.text(new.item.id)]) }
      }
      layout.append(
        position, from: stored.map { LayoutChange.State($0.item, kind: $0.kind) },
        to: new.map { LayoutChange.State($0.item, kind: $0.kind) })
    }
    try writer.supersede(superseded)
    // First what makes ids free again.
    try session.run("DELETE FROM item WHERE strip = $1 AND position = $2", forEach: deleted)
    try session.run(ItemRows.update, forEach: updated)
    try session.run(ItemRows.insert, forEach: inserted)
  }

  /// Writes everything, and makes the next revision of the strip.
  ///
  /// - Returns: how the layout changed.
  mutating func finish(_ row: inout StripRow) throws -> LayoutChanges {
    try flush()
    row.kinds = kinds.names
    row.totals += layout.totals
    row.lastPosition = lastPosition
    let changes = layout.changes
    try writer.finish(&row, changes)
    return changes
  }
}
