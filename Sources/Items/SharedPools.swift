internal import Synchronization
package import Windowing

/// The pools of one strip that were asked for, shared by all threads that draw it.
///
/// - Complexity: O(1) when asked again, O(*n*) for a stretch and height never asked before, which
///   one thread at a time finds.
package final class SharedPools: Sendable {
  private let table = Mutex(PoolTable())

  package init() {}

  /// The pools of a stretch: those of `layout.pools(stretch:)`.
  package func pools(of layout: Layout, stretch: Length) -> Pools {
    table.withLock { $0.pools(of: layout, stretch: stretch) }
  }
}
