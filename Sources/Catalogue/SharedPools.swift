import Synchronization
package import Windowing

/// The pools of one strip that were asked for, shared by all threads that draw it.
///
/// - Complexity: O(1) when asked again, O(*n*) for a stretch and height never asked before, which
///   one thread at a time finds while the others go on with what is known.
package final class SharedPools: Sendable {
  private let table = Mutex(PoolTable())
  /// Held while pools are searched for.
  private let searching = Mutex(())

  /// In so many items pools are found within a few hundred microseconds.
  private static let shortCount = 50_000

  package init() {}

  /// The pools of a stretch: those of `layout.pools(stretch:)`.
  package func pools(of layout: Layout, stretch: Length) -> Pools {
    remembered(of: layout, stretch: stretch) ?? find(layout, stretch: stretch)
  }

  /// The pools of a stretch, where they are known or found fast.
  package func cachedPools(of layout: Layout, stretch: Length) -> Pools? {
    if let known = remembered(of: layout, stretch: stretch) { return known }
    let isNear =
      layout.count <= Self.shortCount || table.withLock { $0.isNear(layout, stretch: stretch) }
    return isNear ? find(layout, stretch: stretch) : nil
  }

  private func remembered(of layout: Layout, stretch: Length) -> Pools? {
    table.withLock { $0.remembered(of: layout, stretch: stretch) }
  }

  /// Finds the pools of a stretch, which takes long in a long strip. Others are not kept waiting
  /// but those who search as well.
  @discardableResult
  package func find(_ layout: Layout, stretch: Length) -> Pools {
    searching.withLock { _ in
      var copy = table.withLock { $0 }
      let pools = copy.pools(of: layout, stretch: stretch)
      table.withLock { $0.adopt(copy, for: layout, stretch: stretch) }
      return pools
    }
  }
}
