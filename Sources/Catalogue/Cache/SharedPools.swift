import Synchronization
package import Windowing

/// A cache of one strip's pools by stretch and height, shared by all threads.
///
/// - Complexity: O(1) for cached pools, O(*n*) for a new stretch or height. One thread at a time
///   searches for new pools; cached pools stay available to the others.
package final class SharedPools: Sendable {
  private let table = Mutex(PoolCache())
  /// Locked by the thread that searches for pools.
  private let searching = Mutex(())

  /// The number of items in which pools are found within a few hundred microseconds.
  private static let shortCount = 50_000

  package init() {}

  /// The result of `layout.pools(stretch:)`, from the cache or from a search, which can block.
  package func pools(of layout: Layout, stretch: Length) -> Pools {
    remembered(of: layout, stretch: stretch) ?? find(layout, stretch: stretch)
  }

  /// The pools of a stretch if they are cached or a search is fast; otherwise nil.
  package func cachedPools(of layout: Layout, stretch: Length) -> Pools? {
    if let known = remembered(of: layout, stretch: stretch) { return known }
    let isNear =
      layout.count <= Self.shortCount
      || table.withLock { $0.hasEntry(for: layout, stretch: stretch) }
    return isNear ? find(layout, stretch: stretch) : nil
  }

  private func remembered(of layout: Layout, stretch: Length) -> Pools? {
    table.withLock { $0.cachedPools(of: layout, stretch: stretch) }
  }

  /// Searches for the pools of a stretch and caches them. Only other searches wait for this.
  @discardableResult
  package func find(_ layout: Layout, stretch: Length) -> Pools {
    searching.withLock { _ in
      var copy = table.withLock { $0 }
      let pools = copy.pools(of: layout, stretch: stretch)
      table.withLock { $0.merge(copy, for: layout, stretch: stretch) }
      return pools
    }
  }
}
