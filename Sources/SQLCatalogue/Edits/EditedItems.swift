import Catalogue
import Windowing

/// The items of a strip while a batch of edits changes them, in one transaction.
///
/// All items that the batch names are read at the start. An insertion takes positions between its
/// neighbours, and touches no other row while there is room.
struct EditedItems: EditableItems {
  private let rows: ItemRows
  private var changes: ItemChanges
  /// The position of each item that the batch names, by the bytes of its id; nil for no item.
  private var positions: [[UInt8]: Int64?] = [:]
  /// The items at positions that were read or changed; nil for no item.
  private var items: [Int64: Item?] = [:]
  /// The positions of items that the table does not have, in order.
  private var added: [Int64] = []

  /// - Parameter ids: all items that the batch names.
  init(
    _ session: any SQLSession, of strip: StripRow, _ writer: RevisionWriter, ids: [String]
  ) throws {
    rows = ItemRows(session, strip: strip.number, kinds: strip.kinds)
    changes = ItemChanges(session, of: strip, writer)
    for id in ids { positions[Array(id.utf8)] = .some(nil) }
    for (position, item) in try rows.find(ids) {
      positions[Array(item.id.utf8)] = position
      items[position] = item
    }
  }

  func item(_ id: String) throws -> Item? {
    guard let position = positions[Array(id.utf8)] else {
      preconditionFailure("All items of a batch are read before it is applied.")
    }
    return position.flatMap { items[$0] ?? nil }
  }

  mutating func insert(_ new: [Item], _ place: Edit.Place) throws {
    let low: Int64?
    let high: Int64?
    switch place {
    case .before(let id):
      high = id.map { position(of: $0) }
      low = try neighbours(before: high, limit: 1).first
    case .after(let id):
      low = id.map { position(of: $0) }
      high = try neighbours(after: low, limit: 1).first
    }
    let free =
      try PositionAllocator.positions(new.count, between: low, and: high).map { Array($0) }
      ?? makeRoom(for: new.count, between: low, and: high)
    for (item, position) in zip(new, free) { try put(item, at: position) }
  }

  mutating func replace(_ item: Item) throws {
    let position = position(of: item.id)
    guard let old = items[position] ?? nil else { return }
    try changes.replace(old, with: item, at: position)
    items[position] = item
  }

  mutating func remove(_ id: String) throws {
    let position = position(of: id)
    guard let old = items[position] ?? nil else { return }
    try remove(old, at: position)
    positions[Array(id.utf8)] = .some(nil)
  }

  /// Writes everything, and makes the next revision of the strip.
  mutating func finish(_ row: inout StripRow) throws -> LayoutChanges { try changes.finish(&row) }

  /// What the changed items say, if they are few.
  func contents(changedBy changes: LayoutChanges) -> [(position: Int64, content: ItemContent)] {
    guard changes.count <= CommittedRevision.contentLimit else { return [] }
    return (0..<changes.count).compactMap { index in
      let position = changes[index].position
      guard let item = items[position] ?? nil else { return nil }
      return (position, ItemContent(id: item.id, fields: item.fields))
    }
  }

  // MARK: - Positions

  private func position(of id: String) -> Int64 {
    guard case let position?? = positions[Array(id.utf8)] else {
      preconditionFailure("An item is read before it is changed.")
    }
    return position
  }

  private mutating func put(_ item: Item, at position: Int64) throws {
    try changes.insert(item, at: position)
    items[position] = .some(item)
    positions[Array(item.id.utf8)] = position
    added.insert(position, at: added.partitioningIndex { $0 >= position })
  }

  private mutating func remove(_ item: Item, at position: Int64) throws {
    try changes.remove(item, at: position)
    items[position] = .some(nil)
    let index = added.partitioningIndex { $0 >= position }
    if index < added.count, added[index] == position { added.remove(at: index) }
  }

  /// Moves neighbours apart, as few as it takes.
  ///
  /// - Returns: the positions that are free between them then.
  private mutating func makeRoom(
    for count: Int, between low: Int64?, and high: Int64?
  ) throws -> [Int64] {
    let known = self
    var lows: ArraySlice<Int64> = []
    var highs: ArraySlice<Int64> = []
    let rebalanced = try PositionAllocator.rebalance(
      for: count, between: low, and: high,
      before: { position in
        if lows.isEmpty { lows = try known.neighbours(before: position, limit: 64)[...] }
        return lows.popFirst()
      },
      after: { position in
        if highs.isEmpty { highs = try known.neighbours(after: position, limit: 64)[...] }
        return highs.popFirst()
      })
    let before = rebalanced.before + rebalanced.after
    let unread = before.filter { items[$0] == nil }
    for (position, item) in try rows.items(at: unread) { items[position] = item }
    var moved: [Item] = []
    for position in before {
      guard let item = items[position] ?? nil else {
        throw CatalogueError.corrupt("there is no item at the position \(position)")
      }
      try remove(item, at: position)
      moved.append(item)
    }
    for (item, position) in zip(moved, rebalanced.newBefore + rebalanced.newAfter) {
      try put(item, at: position)
    }
    return rebalanced.free
  }

  /// The positions of the items before one, the nearest first, at most `limit`; nil for the strip's end.
  private func neighbours(before position: Int64?, limit: Int) throws -> [Int64] {
    let end = position.map { end in added.partitioningIndex { $0 >= end } } ?? added.count
    let stored = try stored(from: position, limit: limit) {
      try rows.positions(before: $0, limit: $1)
    }
    return Array((added[..<end].suffix(limit) + stored).sorted(by: >).prefix(limit))
  }

  /// The positions of the items after one, the nearest first, at most `limit`; nil for the front.
  private func neighbours(after position: Int64?, limit: Int) throws -> [Int64] {
    let start = position.map { last in added.partitioningIndex { $0 > last } } ?? 0
    let stored = try stored(from: position, limit: limit) {
      try rows.positions(after: $0, limit: $1)
    }
    return Array((added[start...].prefix(limit) + stored).sorted().prefix(limit))
  }

  /// Stored positions that still hold the item of the table. If removed ones fill what was read, more
  /// is read at once the next time.
  private func stored(
    from position: Int64?, limit: Int, _ read: (Int64?, Int) throws -> [Int64]
  ) throws -> [Int64] {
    var found: [Int64] = []
    var (position, count) = (position, limit)
    while found.count < limit {
      let positions = try read(position, count)
      found += positions.filter { !isChanged($0) }
      guard positions.count == count else { break }
      position = positions.last
      count = min(8 * count, 1000)
    }
    return found
  }

  /// Whether the table's item at a position has been removed, or is another one now: then `added` has it.
  private func isChanged(_ position: Int64) -> Bool {
    guard let item = items[position] else { return false }
    let index = added.partitioningIndex { $0 >= position }
    return item == nil || (index < added.count && added[index] == position)
  }
}
