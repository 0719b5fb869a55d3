import Synchronization
package import Windowing

/// A cache of the pools of one strip, shared by all threads.
///
/// - Complexity: O(1) for cached pools, O(*n*) for others. One thread at a time searches a long strip. Other
///   threads can read cached pools during the search.
package final class SharedPools: Sendable {
  private let table = Mutex(PoolCache())
  private let memory: MemoryReservation
  /// Held during a search. Only functions that may block wait for it.
  private let searching = Mutex(())

  /// A search of this number of items takes at most a few hundred microseconds.
  private static let shortCount = 50_000

  package init(memory: MemoryBudget = MemoryBudget()) {
    self.memory = MemoryReservation(0, of: memory)
  }

  /// The result of `layout.pools(stretch:)`. May block.
  package func pools(of layout: Layout, stretch: Length) -> Pools {
    known(layout, stretch: stretch)
      ?? withSearchLock { known(layout, stretch: stretch) ?? find(layout, stretch: stretch) }
  }

  /// The pools of a stretch if they are cached or a search is fast; else nil. Never waits for another search.
  package func cachedPools(of layout: Layout, stretch: Length) -> Pools? {
    if let known = known(layout, stretch: stretch) { return known }
    let isCheap =
      layout.count <= Self.shortCount
      || table.withLock { $0.hasEntry(for: layout, stretch: stretch) }
    return isCheap ? find(layout, stretch: stretch) : nil
  }

  private func known(_ layout: Layout, stretch: Length) -> Pools? {
    table.withLock { $0.cachedPools(of: layout, stretch: stretch) }
  }

  /// Finds pools in a copy of the table, to hold the table's lock only briefly.
  private func find(_ layout: Layout, stretch: Length) -> Pools {
    var copy = table.withLock { $0 }
    let pools = copy.pools(of: layout, stretch: stretch)
    table.withLock {
      $0.merge(copy, for: layout, stretch: stretch)
      memory.resize(to: $0.cost)
    }
    return pools
  }

  /// Runs `body` while it holds the search lock.
  package func withSearchLock<Result>(_ body: () -> Result) -> Result {
    searching.withLock { _ in body() }
  }
}
