import Catalogue
import Windowing

/// A search for pools that no request has needed before, in a long strip.
///
/// It takes up to a second for ten million items. So it runs on a queue of its own, with the lowest
/// priority.
final class PoolSearch: Sendable {
  /// Equal for requests that need the same pools: the first one searches, the others wait for it.
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

  /// Finds the pools, unless another search has found them.
  ///
  /// - Complexity: O(*n*) in the number of items.
  func run() { _ = edition.pools.pools(of: layout, stretch: stretch) }
}
