import Catalogue
import HTTP
import Windowing

/// A strip at one revision, drawn as a query asks, with the slots that its viewport needs.
///
/// A class, as an edition is: one reference goes along.
final class DrawnStrip: Sendable {
  let edition: Edition
  let layout: Layout
  let pools: Pools

  /// - Throws: 400 where the strip would be longer than 2^47 px.
  /// - Complexity: O(1), and O(*n*) once for a stretch and height never asked before.
  convenience init(_ edition: Edition, for query: WindowQuery) throws(Problem) {
    let layout = try edition.layout(fitting: query.height, wraps: query.wrap)
    let pools = edition.pools.pools(of: layout, stretch: Ladder.up(query.stretch))
    self.init(edition, layout, pools)
  }

  init(_ edition: Edition, _ layout: Layout, _ pools: Pools) {
    self.edition = edition
    self.layout = layout
    self.pools = pools
  }
}
