import Items
import Windowing

/// The items of a view: those of its strip, by sort keys.
struct ViewItemSource: ItemSource {
  let base: any ItemSource
  let order: ViewOrder
  let ordering: ItemComparator
  /// The view's strip if its groups are not those of the items; else nil.
  let groups: Strip?
  let memory: Memory

  /// The memory that the view shares with its earlier revisions, at its present size, and the memory of the view alone.
  struct Memory: Sendable {
    let shared: MemoryReservation
    let own: MemoryReservation
  }

  var sortKeys: SortKeys { base.sortKeys }

  func sortKeys(in range: Range<Int>) -> [Int64] { order[range] }

  func read(
    at sortKeys: [Int64], _ mode: ReadMode, _ body: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool {
    try base.read(at: sortKeys, mode, body)
  }

  func items(at sortKeys: [Int64]) throws(CatalogueError) -> [Item] {
    let items = try base.items(at: sortKeys)
    guard let groups else { return items }
    return zip(sortKeys, items).map { sortKey, item in
      item.inGroup(
        order.index(of: sortKey, by: ordering).flatMap { groups.groupRun(at: $0)?.title })
    }
  }

  func indices(of ids: [String]) throws(CatalogueError) -> [Int?] {
    try base.indices(of: ids).map { index in
      index.flatMap { order.index(of: ordering.sortKeys[$0], by: ordering) }
    }
  }

  var hasIndicesInMemory: Bool { base.hasIndicesInMemory }
}
