import Catalogue
package import Items
import Views

/// Replaces the items of a strip, and writes only the differences.
///
///     strip    a  b  c  d  e
///     import   a  b  C  e  x
///              ├──┘  │     └─ new: staged, then inserted at the end
///              │     └─ different content: written over
///              └─ read by sort key, and equal: nothing is written
///
/// Each imported item is compared with the stored item at the next sort key. If the ids differ, it is looked up by its id.
/// At the end, `ReorderPlan` moves as few items as possible. An item of a 65th kind is also inserted at the end, when
/// the removal of other items has freed a kind.
///
/// - Complexity: O(*n* log *n*) reads, O(differences) writes; 15 bytes of memory an item, and 16 more if items are
///   looked up many at a time.
package struct StripReplacement {
  private let session: any SQLSession
  private var row: StripRow
  private var buffer: ItemWriteBuffer
  private let newItems: TemporaryTable
  private let before: SortKeys
  /// The state of each item of the strip, by its index.
  private var matches: [Match]
  /// The index in the strip of each imported item, in order; -1 if it is new.
  private var indices: [Int32] = []
  /// Imported items that are not looked up yet.
  private var batch: [Item] = []
  /// The hashes of the ids so far.
  private var seen: Set<Int> = []
  /// The kinds of the imported items.
  private var kinds = KindTable()
  private var newCount = 0
  /// The strip's items from `before[upcomingIndex]` on, read ahead.
  private var upcoming: ArraySlice<(sortKey: Int64, item: Item)> = []
  private var upcomingIndex = 0
  /// The number of items to read ahead. It is small after a jump, so that a reversed strip does not read a thousand rows
  /// for each item.
  private var upcomingCount = largestUpcomingCount

  private enum Match: UInt8 {
    case unmatched, kept
    /// The item is removed, and the imported item with its id is inserted as a new one.
    case reinserted
  }

  /// The most changes of one revision. More would not fit into memory, here and in servers.
  private static let changeLimit = 500_000
  /// The most items of a strip that is compared. Indices have 32 bits, and the import can add items.
  static let itemLimit = Int(Int32.max) - 2 * changeLimit
  private static let largestUpcomingCount = 1000

  /// - Parameter previous: the row of the strip, which is locked.
  /// - Throws: `.corrupt` if the geometry or the change log is damaged.
  package init(
    _ session: any SQLSession, of previous: StripRow, settings: StripSettings,
    _ newItems: TemporaryTable
  ) throws {
    self.session = session
    self.newItems = newItems
    row = previous
    row.settings = settings
    let revision = Revision.next(clock: try session.clock(), after: previous.revision)
    buffer = ItemWriteBuffer(
      session, of: previous, RevisionWriter(session, after: previous, revision: revision))
    before = try GeometryLoader.load(previous, session).sortKeys
    // The last step of a replacement needs this row. Reading it first finds damage before anything is written.
    _ = try RevisionRow.last(of: previous, session)
    matches = [Match](repeating: .unmatched, count: before.count)
    indices.reserveCapacity(before.count)
    row.revision = revision
    try newItems.removeAll()
  }

  var isTooDifferent: Bool { buffer.count + newCount > Self.changeLimit }

  mutating func isEqual() throws -> Bool {
    try flushLookups()
    return buffer.count == 0 && indices.elementsEqual(0..<Int32(before.count))
  }

  /// - Throws: `.invalid` for an id that came before, or a 65th kind; `.corrupt` for a damaged row. Then the item is not
  ///   taken.
  package mutating func append(_ item: Item) throws {
    var kinds = kinds
    _ = try kinds.number(of: item.kind)
    let limit = session.dialect.lookupBatchSize
    if limit > 1, !seen.insert(item.id.hashValue).inserted {
      try flushLookups()
      guard try !isDuplicate(item.id) else { throw CatalogueError.idExists(item.id) }
    }
    batch.append(item)
    do {
      if batch.count >= limit { try flushLookups() }
    } catch {
      batch.removeLast()
      throw error
    }
    self.kinds = kinds
  }

  /// Passes the imported items so far to `body`, in order. It reads stored items only if an imported item was equal.
  func forEach(_ body: (Item) throws -> Void) throws {
    for numbers in Array(indices.indices).batches(of: 1000) {
      let stored = try rows(named: buffer.kindNames).items(
        at: numbers.compactMap { indices[$0] < 0 ? nil : before[Int(indices[$0])] })
      var new = try newItems.items(at: numbers.filter { indices[$0] < 0 })[...]
      for number in numbers {
        let item = indices[number] < 0 ? new.popFirst() : stored[before[Int(indices[number])]]
        guard let item else {
          throw CatalogueError.damaged("the item \(number)", of: row.name, "it has no row")
        }
        try body(item)
      }
    }
    try batch.forEach(body)
  }

  /// Removes the items that the import does not name, orders the others, and makes the strip's next revision.
  ///
  /// - Returns: nil if there are too many differences. Then it changes nothing.
  package mutating func finish() throws -> StripRow? {
    try flushLookups()
    let plan = ReorderPlan(of: before, to: indices)
    let removedCount = matches.count { $0 == .unmatched }
    guard buffer.count + removedCount + plan.moved.count <= Self.changeLimit else { return nil }
    for indices in matches.indices.filter({ matches[$0] != .kept }).batches(of: 1000) {
      _ = try remove(indices.map { before[$0] })
    }
    for numbers in plan.moved.filter({ indices[$0] >= 0 }).batches(of: 1000) {
      let items = try remove(numbers.map { before[Int(indices[$0])] })
      try newItems.append(zip(numbers, items).map { ($0, $1) })
    }
    for numbers in plan.moved.batches(of: 1000) {
      for (number, item) in zip(numbers, try newItems.items(at: numbers)) {
        try buffer.set(plan.sortKeys[number], from: nil, to: item)
      }
      try buffer.flush()
    }
    _ = try buffer.writeRevision(&row)
    return row
  }

  private mutating func remove(_ sortKeys: [Int64]) throws -> [Item] {
    let found = try rows(named: buffer.kindNames).items(at: sortKeys)
    var removed: [Item] = []
    for sortKey in sortKeys {
      guard let item = found[sortKey] else {
        throw CatalogueError.damaged(
          "the item at the sort key \(sortKey)", of: row.name, "it has no row")
      }
      try buffer.set(sortKey, from: item, to: nil)
      removed.append(item)
    }
    try buffer.flush()
    return removed
  }

  private func rows(named kinds: [String]) -> ItemRows {
    var row = row
    row.kinds = kinds
    return ItemRows(session, of: row)
  }

  /// If this fails, the items are still in `batch`.
  private mutating func flushLookups() throws {
    try replace(batch)
    batch = []
  }

  /// Looks up items, and writes the differences.
  ///
  /// - Throws: `.invalid` for an id that came before. If there is only one item, it is not taken. `.corrupt` for a damaged
  ///   row. Then no item is taken.
  private mutating func replace(_ items: [Item]) throws {
    guard !items.isEmpty else { return }
    let found = try find(items)
    var new: [(number: Int, item: Item)] = []
    var newIndices: [Int32] = []
    var next = upcomingIndex
    for item in items {
      let old = found[Array(item.id.utf8)]
      if let old, matches[old.index] != .unmatched { throw CatalogueError.idExists(item.id) }
      if let old, old.item == item || buffer.hasRoom(for: item.kind, inPlaceOf: old.item) {
        if old.item != item {
          try buffer.set(before[old.index], from: old.item, to: item)
        }
        matches[old.index] = .kept
        newIndices.append(Int32(old.index))
        next = old.index + 1
      } else {
        new.append((indices.count + newIndices.count, item))
        newIndices.append(-1)
        if let old { matches[old.index] = .reinserted }
      }
    }
    if next != upcomingIndex { jump(to: next) }
    try newItems.append(new)
    try buffer.flush()
    newCount += new.count
    indices += newIndices
  }

  /// The stored items of the same ids, by the bytes of the ids.
  private mutating func find(_ items: [Item]) throws -> [[UInt8]: (index: Int, item: Item)] {
    var found: [[UInt8]: (index: Int, item: Item)] = [:]
    var missing: [String] = []
    for item in items {
      if let next = try next(), next.item.id.utf8.elementsEqual(item.id.utf8) {
        found[Array(item.id.utf8)] = (upcomingIndex, next.item)
        upcoming.removeFirst()
        upcomingIndex += 1
      } else {
        missing.append(item.id)
      }
    }
    for (sortKey, item) in try rows(named: buffer.kindNames).find(missing) {
      guard let index = before.index(of: sortKey) else {
        throw CatalogueError.damaged(
          "the item \"\(item.id)\"", of: row.name,
          "the layout has no item at the sort key \(sortKey)")
      }
      found[Array(item.id.utf8)] = (index, item)
    }
    return found
  }

  /// The stored item that comes next if the import changes nothing here.
  private mutating func next() throws -> (sortKey: Int64, item: Item)? {
    if upcoming.isEmpty, upcomingIndex < before.count {
      let after = upcomingIndex > 0 ? before[upcomingIndex - 1] : .min
      upcoming = try rows(named: buffer.kindNames).items(
        after: after, limit: upcomingCount)[...]
      upcomingCount = min(2 * upcomingCount, Self.largestUpcomingCount)
    }
    return upcoming.first
  }

  private mutating func jump(to index: Int) {
    if index < upcomingIndex || index > upcomingIndex + upcoming.count {
      upcoming = []
      upcomingCount = 1
    } else {
      upcoming = upcoming.dropFirst(index - upcomingIndex)
    }
    upcomingIndex = index
  }

  /// Whether an item of this id came before. All of them must have been looked up.
  private func isDuplicate(_ id: String) throws -> Bool {
    if try newItems.contains(id) { return true }
    guard let (sortKey, _) = try rows(named: buffer.kindNames).find([id]).first else {
      return false
    }
    return before.index(of: sortKey).map { matches[$0] != .unmatched } ?? false
  }
}

extension Array {
  /// The elements in order, at most `count` in each batch.
  func batches(of count: Int) -> some Sequence<[Element]> {
    stride(from: 0, to: self.count, by: count).lazy.map {
      Array(self[$0..<Swift.min($0 + count, self.count)])
    }
  }
}
