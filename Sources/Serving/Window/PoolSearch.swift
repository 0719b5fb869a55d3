import Catalogue
import Windowing

/// Identifies the pools of a long strip that are not in the cache. Searches for the same pools run one
/// at a time, and only the first computes them.
///
/// A search takes up to a second for ten million items. So it runs on a separate queue with the
/// lowest priority.
struct PoolSearch: Hashable {
  private let pools: ObjectIdentifier
  private let stretch: Length
  private let height: Length
  private let wraps: Bool

  init(_ edition: Edition, _ layout: Layout, stretch: Length) {
    pools = ObjectIdentifier(edition.pools)
    self.stretch = Ladder.up(stretch)
    height = Ladder.down(layout.height)
    wraps = layout.wraps
  }
}
