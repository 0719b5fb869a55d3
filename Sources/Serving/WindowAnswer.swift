import HTTP
import Items
import Windowing

/// A window of a strip at one revision: what ``WindowQuery`` asked, found.
///
/// A pure function of the query and the edition, so that every server gives the same.
struct WindowAnswer {
  let edition: Edition
  let layout: Layout
  /// Where the viewport stands, after `index`, `item`, `align` and `at`.
  let offset: Length
  let width: Length
  let overscan: Length
  /// The stretch of the ladder that slots were counted for.
  let stretch: Length
  let pools: Pools
  /// The whole window, with overscan.
  let window: Window
  /// The run of the first item that meets the viewport.
  let group: PlacedGroup?
  /// The slots that the items which the caller holds, and the window lacks, leave free.
  let leave: [Slot]
  /// The items that the caller holds already.
  let have: Range<Int>?

  /// Finds the window that `query` asks for.
  ///
  /// - Throws: 404 for an index or item that is not there, 400 where a position would pass
  ///   2^47 px or a window has too many items.
  /// - Complexity: O(log *n* + items), and O(*n*) once for a stretch and height never asked before.
  init(_ query: WindowQuery, of edition: Edition) throws(Problem) {
    let layout = try edition.layout(fitting: query.height, wraps: query.wrap)
    let offset = try Self.offset(of: query, in: layout, edition)
    let viewport = offset..<offset + query.width
    let span = offset - query.overscan..<viewport.upperBound + query.overscan
    let range = try layout.asking(blame: query.target?.parameter ?? "offset") {
      (layout) throws(WindowingError) in try layout.items(meeting: span)
    }
    guard range.count <= Limits.items else {
      throw .parameter(
        "width", "makes a window of \(range.count) items; the most is \(Limits.items)")
    }
    let stretch = Ladder.up(query.stretch)
    let pools = edition.pools.pools(of: layout, stretch: stretch)
    let window = layout.window(of: range, pools: pools)

    self.edition = edition
    self.layout = layout
    self.offset = offset
    self.width = query.width
    self.overscan = query.overscan
    self.stretch = stretch
    self.pools = pools
    self.window = window
    self.group =
      window.items.first { $0.end > viewport.lowerBound && $0.start < viewport.upperBound }
      .flatMap { layout.group(at: $0.index) }
    self.have = query.have
    self.leave = query.have.map { layout.slots(leaving: $0, for: window, pools: pools) } ?? []
  }
}
