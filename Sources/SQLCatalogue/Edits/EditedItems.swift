import Catalogue
import Items
import Views
import Windowing

/// The items of a strip while a batch of edits changes them, in one transaction.
///
/// All items that the batch names are read at the start. An insertion writes no other row while there is room.
struct EditedItems: EditableItems {
  private let strip: String
  private let rows: ItemRows
  private var buffer: ItemWriteBuffer
  /// The sort keys of the items that the batch names, by the bytes of their ids; nil for no item.
  private var sortKeys: [[UInt8]: Int64?] = [:]
  /// The items at the sort keys that were read or changed; nil for a sort key without an item.
  private var items: [Int64: Item?] = [:]
  /// The sort keys of items that the table does not have, in order.
  private var added: [Int64] = []
  /// The errors of items whose rows are damaged, by the bytes of their ids. `items` has these items with the size of the geometry.
  private var damaged: [[UInt8]: CatalogueError] = [:]

  init(
    _ session: any SQLSession, of strip: StripRow, _ writer: RevisionWriter, ids: [String]
  ) throws {
    self.strip = strip.name
    rows = ItemRows(session, of: strip)
    buffer = ItemWriteBuffer(session, of: strip, writer)
    for id in ids { sortKeys[Array(id.utf8)] = .some(nil) }
    for (id, sortKey, found) in try rows.findWithDamaged(ids) {
      sortKeys[Array(id.utf8)] = sortKey
      switch found {
      case .success(let item): items[sortKey] = item
      case .failure(let error):
        damaged[Array(id.utf8)] = error
        items[sortKey] = try GeometryChunkStore(session, of: strip).item(id, at: sortKey)
      }
    }
  }

  func item(_ id: String) throws -> Item? {
    guard let sortKey = sortKeys[Array(id.utf8)] else {
      preconditionFailure("All items of a batch are read before it is applied.")
    }
    return sortKey.flatMap { items[$0] ?? nil }
  }

  func damage(of id: String) -> CatalogueError? { damaged[Array(id.utf8)] }

  mutating func insert(_ new: [Item], _ destination: Edit.Destination) throws {
    let low: Int64?
    let high: Int64?
    switch destination {
    case .before(let id):
      high = id.map { sortKey(of: $0) }
      low = try neighbours(before: high, limit: 1).first
    case .after(let id):
      low = id.map { sortKey(of: $0) }
      high = try neighbours(after: low, limit: 1).first
    }
    let free =
      try SortKeyAllocator.sortKeys(new.count, between: low, and: high).map { Array($0) }
      ?? makeRoom(for: new.count, between: low, and: high)
    for (item, sortKey) in zip(new, free) { try put(item, at: sortKey) }
  }

  mutating func replace(_ item: Item) throws {
    let sortKey = sortKey(of: item.id)
    guard let old = items[sortKey] ?? nil else { return }
    repair(item.id)
    try buffer.set(sortKey, from: old, to: item)
    items[sortKey] = item
  }

  mutating func remove(_ id: String) throws {
    let sortKey = sortKey(of: id)
    guard let old = items[sortKey] ?? nil else { return }
    repair(id)
    try remove(old, at: sortKey)
    sortKeys[Array(id.utf8)] = .some(nil)
  }

  mutating func ids(after ids: [String]) throws -> [String?] {
    let sortKeys = ids.map { sortKey(of: $0) }
    let next = try zip(sortKeys, rows.sortKeys(after: sortKeys)).map { sortKey, stored in
      if let stored, isChanged(stored) { return try neighbours(after: sortKey, limit: 1).first }
      let index = added.partitioningIndex { $0 > sortKey }
      return (added[index...].prefix(1) + [stored].compactMap(\.self)).min()
    }
    var following = try items(at: next.compactMap(\.self))[...]
    return next.map { $0 == nil ? nil : following.removeFirst().id }
  }

  /// Writes everything, and makes the next revision of the strip.
  ///
  /// - Returns: nil if the batch has changed nothing; then nothing is written.
  mutating func write(_ row: inout StripRow) throws -> GeometryChanges? {
    try changesNothing() ? nil : buffer.writeRevision(&row)
  }

  /// Whether the items and their order are as before: each changed item has come back, and has passed no other.
  private func changesNothing() throws -> Bool {
    guard let moves = buffer.moves else { return false }
    return try moves.allSatisfy { before, after in
      guard before != after else { return true }
      let (low, high) = (min(before, after), max(before, after))
      let next = try stored(from: low, limit: 1) { try rows.sortKeys(after: $0, limit: $1) }
      return next.first.map { $0 > high } ?? true
    }
  }

  /// The new contents of the changed items. Empty if there are many.
  func contents(changedBy changes: GeometryChanges) -> [(sortKey: Int64, content: ItemContent)] {
    guard changes.count <= ChangeSet.contentLimit else { return [] }
    return (0..<changes.count).compactMap { index in
      let sortKey = changes[index].sortKey
      guard let item = items[sortKey] ?? nil else { return nil }
      return (sortKey, ItemContent(id: item.id, fields: item.fields))
    }
  }

  private func sortKey(of id: String) -> Int64 {
    guard case let sortKey?? = sortKeys[Array(id.utf8)] else {
      preconditionFailure("An item is read before it is changed.")
    }
    return sortKey
  }

  /// Notes that a damaged item is removed or replaced. Earlier revisions have the item, so they can no longer be read.
  private mutating func repair(_ id: String) {
    if damaged.removeValue(forKey: Array(id.utf8)) != nil { buffer.dropHistory() }
  }

  private mutating func put(_ item: Item, at sortKey: Int64) throws {
    try buffer.set(sortKey, from: nil, to: item)
    items[sortKey] = .some(item)
    sortKeys[Array(item.id.utf8)] = sortKey
    added.insert(sortKey, at: added.partitioningIndex { $0 >= sortKey })
  }

  private mutating func remove(_ item: Item, at sortKey: Int64) throws {
    try buffer.set(sortKey, from: item, to: nil)
    items[sortKey] = .some(nil)
    let index = added.partitioningIndex { $0 >= sortKey }
    if index < added.count, added[index] == sortKey { added.remove(at: index) }
  }

  /// Moves as few neighbours apart as possible.
  ///
  /// - Returns: the free sort keys between them.
  private mutating func makeRoom(
    for count: Int, between low: Int64?, and high: Int64?
  ) throws -> [Int64] {
    let known = self
    var lows: ArraySlice<Int64> = []
    var highs: ArraySlice<Int64> = []
    let rebalanced = try SortKeyAllocator.rebalance(
      for: count, between: low, and: high,
      before: { sortKey in
        if lows.isEmpty { lows = try known.neighbours(before: sortKey, limit: 64)[...] }
        return lows.popFirst()
      },
      after: { sortKey in
        if highs.isEmpty { highs = try known.neighbours(after: sortKey, limit: 64)[...] }
        return highs.popFirst()
      })
    let before = rebalanced.before + rebalanced.after
    let moved = try items(at: before)
    for (item, sortKey) in zip(moved, before) { try remove(item, at: sortKey) }
    for (item, sortKey) in zip(moved, rebalanced.newBefore + rebalanced.newAfter) {
      try put(item, at: sortKey)
    }
    return rebalanced.free
  }

  /// Reads the items that were not read yet. Each sort key holds one.
  private mutating func items(at sortKeys: [Int64]) throws -> [Item] {
    let unread = sortKeys.filter { items[$0] == nil }
    for (sortKey, item) in try rows.items(at: unread) { items[sortKey] = item }
    return try sortKeys.map { sortKey in
      guard let item = items[sortKey] ?? nil else {
        throw CatalogueError.damaged(
          "the item at the sort key \(sortKey)", of: strip, "it has no row")
      }
      if let damage = damage(of: item.id) { throw damage }
      return item
    }
  }

  /// The sort keys before `sortKey`, the nearest first. Nil stands for the strip's end.
  private func neighbours(before sortKey: Int64?, limit: Int) throws -> [Int64] {
    let end = sortKey.map { end in added.partitioningIndex { $0 >= end } } ?? added.count
    let stored = try stored(from: sortKey, limit: limit) {
      try rows.sortKeys(before: $0, limit: $1)
    }
    return Array((added[..<end].suffix(limit) + stored).sorted(by: >).prefix(limit))
  }

  /// The sort keys after `sortKey`, the nearest first. Nil stands for the strip's front.
  private func neighbours(after sortKey: Int64?, limit: Int) throws -> [Int64] {
    let start = sortKey.map { last in added.partitioningIndex { $0 > last } } ?? 0
    let stored = try stored(from: sortKey, limit: limit) {
      try rows.sortKeys(after: $0, limit: $1)
    }
    return Array((added[start...].prefix(limit) + stored).sorted().prefix(limit))
  }

  /// Stored sort keys that still hold the item of the table. If some do not, the next read gets more rows.
  private func stored(
    from sortKey: Int64?, limit: Int, _ read: (Int64?, Int) throws -> [Int64]
  ) throws -> [Int64] {
    var found: [Int64] = []
    var (sortKey, count) = (sortKey, limit)
    while found.count < limit {
      let sortKeys = try read(sortKey, count)
      found += sortKeys.filter { !isChanged($0) }
      guard sortKeys.count == count else { break }
      sortKey = sortKeys.last
      count = min(8 * count, 1000)
    }
    return found
  }

  /// Whether the item of the table was removed, or replaced by one in `added`.
  private func isChanged(_ sortKey: Int64) -> Bool {
    guard let item = items[sortKey] else { return false }
    let index = added.partitioningIndex { $0 >= sortKey }
    return item == nil || (index < added.count && added[index] == sortKey)
  }
}
