import Windowing

/// The items of a view: those of its strip, by keys.
///
/// A class, so that a view and its edition share one.
final class ViewItems: ItemSource {
  let base: any ItemSource
  let order: Permutation
  let ordering: ItemComparator
  /// The view's strip if its groups are not those of the items; else nil.
  let groups: Strip?
  let memory: Memory

  /// The memory that the view shares with earlier revisions of it, at its present size, and what it has of its own.
  struct Memory: Sendable {
    let shared: MemoryReservation
    let own: MemoryReservation
  }

  init(
    base: any ItemSource, order: Permutation, ordering: ItemComparator, groups: Strip?,
    memory: Memory
  ) {
    self.memory = memory
    self.base = base
    self.order = order
    self.ordering = ordering
    self.groups = groups
  }

  var keys: ItemKeys { .indices(count: order.count) }

  func read(_ range: Range<Int>, _ body: (ItemBytes) -> Void) throws(CatalogueError) {
    try base.read(at: order[range], body)
  }

  func cachedRead(
    _ range: Range<Int>, _ body: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool {
    try base.cachedRead(at: order[range], body)
  }

  func items(in range: Range<Int>) throws(CatalogueError) -> [Item] {
    let items = try base.items(at: order[range])
    guard let groups else { return items }
    return zip(range, items).map { index, item in
      item.inGroup(groups.groupRun(at: index)?.title)
    }
  }

  func indices(of ids: [String]) throws(CatalogueError) -> [Int?] {
    try base.indices(of: ids).map { $0.flatMap { index(ofBase: $0) } }
  }

  func cachedIndex(of id: String) throws(CatalogueError) -> CachedIndex {
    switch try base.cachedIndex(of: id) {
    case .found(let index): self.index(ofBase: index).map(CachedIndex.found) ?? .absent
    case .absent: .absent
    case .unknown: .unknown
    }
  }

  private func index(ofBase index: Int) -> Int? {
    order.index(of: ordering.keys[index], by: ordering)
  }

  // The key of an item is its index in the view.

  func read(at keys: [Int64], _ body: (ItemBytes) -> Void) throws(CatalogueError) {
    try base.read(at: keys.map { order[Int($0)] }, body)
  }

  func items(at keys: [Int64]) throws(CatalogueError) -> [Item] {
    try keys.map { key throws(CatalogueError) in try items(in: Int(key)..<Int(key) + 1)[0] }
  }

  func cachedRead(
    at keys: [Int64], _ body: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool {
    try base.cachedRead(at: keys.map { order[Int($0)] }, body)
  }
}
