import Items
import Windowing

/// The items of a view: those of its strip, by keys.
struct ViewItems: ItemSource {
  let base: any ItemSource
  let order: RowSelection
  let ordering: ItemComparator
  /// The view's strip if its groups are not those of the items; else nil.
  let groups: Strip?
  let memory: Memory

  /// The memory that the view shares with earlier revisions of it, at its present size, and what it has of its own.
  struct Memory: Sendable {
    let shared: MemoryReservation
    let own: MemoryReservation
  }

  var keys: SortKeys { base.keys }

  func keys(in range: Range<Int>) -> [Int64] { order[range] }

  func read(
    at keys: [Int64], _ mode: ReadMode, _ body: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool {
    try base.read(at: keys, mode, body)
  }

  func items(at keys: [Int64]) throws(CatalogueError) -> [Item] {
    let items = try base.items(at: keys)
    guard let groups else { return items }
    return zip(keys, items).map { key, item in
      item.inGroup(
        order.index(of: key, by: ordering).flatMap { groups.groupRun(at: $0)?.title })
    }
  }

  func indices(of ids: [String]) throws(CatalogueError) -> [Int?] {
    try base.indices(of: ids).map { index in
      index.flatMap { order.index(of: ordering.keys[$0], by: ordering) }
    }
  }

  var hasIndicesInMemory: Bool { base.hasIndicesInMemory }
}
