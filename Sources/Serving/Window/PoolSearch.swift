import Catalogue
import Windowing

/// Finds the pools of a long strip that are not in the cache.
///
/// A search takes up to a second for ten million items. So it runs on a separate queue with the
/// lowest priority.
final class PoolSearch: Sendable {
  /// Identifies the pools. Searches with equal keys run one at a time, and only the first computes
  /// them.
  struct Key: Hashable {
    let pools: ObjectIdentifier
    let stretch: Length
    let height: Length
    let wraps: Bool
  }

  private let edition: Edition
  private let layout: Layout
  private let stretch: Length

  init(_ edition: Edition, _ layout: Layout, stretch: Length) {
    self.edition = edition
    self.layout = layout
    self.stretch = stretch
  }

  var key: Key {
    Key(
      pools: ObjectIdentifier(edition.pools), stretch: Ladder.up(stretch),
      height: Ladder.down(layout.height), wraps: layout.wraps)
  }

  /// Finds the pools, unless they are in the cache now.
  ///
  /// - Complexity: O(*n*) in the number of items.
  func run() { _ = edition.pools.pools(of: layout, stretch: stretch) }
}
