import Catalogue
import GRDB
import Windowing

/// Changes to the rows of one strip within a transaction: each goes to the table at once, what it
/// writes over goes to the past, and what becomes of the layout is noted.
struct RowChanges {
  let rows: ItemRows
  private var kinds: StoredKinds
  /// How many items of each kind there were before.
  private let formerCounts: [Int]
  private var succession: RevisionWriter
  /// What became of the positions that were touched.
  private var layout = LayoutDifference()
  /// What `makeRoom` has moved, each time it did: from where to where.
  private var moves: [[Int64: Int64]] = []

  /// Where an item is, and what it is until it is written over.
  struct Place {
    let position: Int64
    let item: Item
    /// The number of its kind.
    let kind: Int

    fileprivate var state: LayoutChange.State { LayoutChange.State(item, kind: kind) }
  }

  init(_ db: Database, of strip: StripRow, succession: RevisionWriter) throws {
    kinds = try StoredKinds(db, of: strip)
    formerCounts = strip.totals.kinds
    rows = try ItemRows(db, strip: strip.number)
    self.succession = succession
  }

  /// The names of the strip's kinds by now, by number.
  var kindNames: [String] { kinds.names }

  /// How many positions were touched.
  var count: Int { layout.changes.count }

  /// By how much the sums over the strip's items have changed.
  var difference: StripTotals { layout.totals }

  /// Keeps what became of the layout, and gives the step that is to be the next revision.
  mutating func finish() throws -> RevisionWriter {
    try succession.keep(layout.step)
    return succession
  }

  mutating func place(of item: Item, at position: Int64) throws -> Place {
    Place(position: position, item: item, kind: try number(of: item.kind))
  }

  /// The item at a position, and what is to be known of it.
  mutating func item(at position: Int64) throws -> (Item, Place) {
    guard let item = try rows.item(at: position, kinds: kindNames) else {
      throw CatalogueError.corrupt("there is no item at \(position)")
    }
    return (item, try place(of: item, at: position))
  }

  /// Whether an item of this kind can be written over the one that is at a place.
  func hasRoom(for kind: String, at place: Place) -> Bool {
    kinds.hasRoom(for: kind) {
      formerCounts[$0] + layout.totals.kinds[$0] == (place.kind == $0 ? 1 : 0)
    }
  }

  /// Writes an item over the one of the same id.
  mutating func update(_ item: Item, at place: Place) throws {
    let kind = try number(of: item.kind, inPlaceOf: place)
    try supersede(place)
    try rows.update(item, kind: kind, at: place.position)
    layout.note(place.position, from: place.state, to: LayoutChange.State(item, kind: kind))
  }

  mutating func remove(_ place: Place) throws {
    try supersede(place)
    try rows.delete(at: place.position)
    layout.note(place.position, from: place.state, to: nil)
  }

  /// Puts an item where none is.
  mutating func put(_ item: Item, at position: Int64) throws {
    let kind = try number(of: item.kind)
    try rows.insert(item, kind: kind, at: position)
    layout.note(position, from: nil, to: LayoutChange.State(item, kind: kind))
  }

  /// Positions for `count` items between two neighbours, which move apart where there is no room.
  ///
  /// - Parameter moved: is told of each neighbour that has moved.
  mutating func positions(
    for count: Int, between low: Int64?, and high: Int64?,
    moved: (Item, Int64) throws -> Void = { _, _ in }
  ) throws -> [Int64] {
    if let free = PositionAllocator.positions(count, between: low, and: high) { return Array(free) }
    let rows = rows
    let room = try PositionAllocator.room(
      for: count, between: low, and: high,
      before: { try rows.position(before: $0) }, after: { try rows.position(after: $0) })
    let former = room.before + room.after
    let new = room.newBefore + room.newAfter
    var items: [Item] = []
    for position in former {
      let (item, place) = try item(at: position)
      try remove(place)
      items.append(item)
    }
    for (item, position) in zip(items, new) {
      try put(item, at: position)
      try moved(item, position)
    }
    moves.append(Dictionary(uniqueKeysWithValues: zip(former, new)))
    return room.free
  }

  /// Where the item is by now that was at a position before all changes.
  func position(formerly position: Int64) -> Int64 {
    moves.reduce(position) { $1[$0] ?? $0 }
  }

  /// The number of a kind, for an item that may give way to one of that kind.
  private mutating func number(of kind: String, inPlaceOf place: Place? = nil) throws -> Int {
    let (former, change) = (formerCounts, layout.totals.kinds)
    return try kinds.number(of: kind) { number in
      former[number] + change[number] == (place?.kind == number ? 1 : 0)
    }
  }

  /// Keeps the item as it was before this revision, once.
  private mutating func supersede(_ place: Place) throws {
    guard layout.changes[place.position] == nil else { return }
    try succession.supersede(place.item, kind: place.kind, at: place.position)
  }
}
