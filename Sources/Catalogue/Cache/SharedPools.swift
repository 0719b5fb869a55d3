import Synchronization
package import Windowing

/// The pools of one strip that were needed before, shared by all threads that draw it.
///
/// - Complexity: O(1) for pools that are known, O(*n*) for others. One thread at a time searches a long
///   strip; others go on with the pools that are known.
package final class SharedPools: Sendable {
  private let table = Mutex(PoolCache())
  /// Held during a search. Only functions that may block wait for it.
  private let searching = Mutex(())

  /// Pools of so many items are found within a few hundred microseconds.
  private static let shortCount = 50_000

  package init() {}

  /// The pools of a stretch: those of `layout.pools(stretch:)`. May block.
  package func pools(of layout: Layout, stretch: Length) -> Pools {
    known(layout, stretch: stretch)
      ?? whileSearching { known(layout, stretch: stretch) ?? find(layout, stretch: stretch) }
  }

  /// The pools of a stretch, if they are known or found fast. Never waits for a search.
  package func cachedPools(of layout: Layout, stretch: Length) -> Pools? {
    if let known = known(layout, stretch: stretch) { return known }
    let isNear =
      layout.count <= Self.shortCount
      || table.withLock { $0.hasEntry(for: layout, stretch: stretch) }
    return isNear ? find(layout, stretch: stretch) : nil
  }

  private func known(_ layout: Layout, stretch: Length) -> Pools? {
    table.withLock { $0.cachedPools(of: layout, stretch: stretch) }
  }

  /// Finds pools in a copy of the table, so that the table is locked only briefly.
  private func find(_ layout: Layout, stretch: Length) -> Pools {
    var copy = table.withLock { $0 }
    let pools = copy.pools(of: layout, stretch: stretch)
    table.withLock { $0.merge(copy, for: layout, stretch: stretch) }
    return pools
  }

  /// Runs `body` as the one search that is under way.
  func whileSearching<Result>(_ body: () -> Result) -> Result { searching.withLock { _ in body() } }
}
