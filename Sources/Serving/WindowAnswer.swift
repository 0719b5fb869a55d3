import Catalogue
import HTTP
import Windowing

/// A window of a strip at one revision: what ``WindowQuery`` asked, found.
///
/// A pure function of the query and the edition, so that every server gives the same.
struct WindowAnswer {
  let strip: DrawnStrip
  /// Where the viewport stands, after `index`, `item`, `align` and `at`.
  let offset: Length
  let width: Length
  let overscan: Length
  /// The stretch of the ladder that slots were counted for.
  let stretch: Length
  /// The whole window, with overscan.
  let window: Window
  /// The run of the first item that meets the viewport.
  let group: PlacedGroup?
  /// The slots that the items which the caller holds, and the window lacks, leave free.
  let leave: [Slot]
  /// The items that the caller holds already.
  let have: Range<Int>?

  var edition: Edition { strip.edition }
  var layout: Layout { strip.layout }
  var pools: Pools { strip.pools }

  /// Finds the window that `query` asks for.
  ///
  /// - Throws: 404 for an index or item that is not there, 400 where a position would pass
  ///   2^47 px or a window has too many items.
  /// - Complexity: O(log *n* + items), and O(*n*) once for a stretch and height never asked before.
  init(_ query: WindowQuery, of edition: Edition) throws(Problem) {
    try self.init(query, of: DrawnStrip(edition, for: query))
  }

  /// The same, of a strip that has been drawn for it.
  init(_ query: WindowQuery, of strip: DrawnStrip) throws(Problem) {
    let (layout, pools) = (strip.layout, strip.pools)
    let offset = try Self.offset(of: query, in: layout, strip.edition)
    let viewport = offset..<offset + query.width
    let span = offset - query.overscan..<viewport.upperBound + query.overscan
    let window = try layout.asking(blame: query.target?.parameter ?? "offset") {
      (layout) throws(WindowingError) in
      try layout.window(meeting: span, pools: pools, most: Limits.items)
    }

    self.strip = strip
    self.offset = offset
    self.width = query.width
    self.overscan = query.overscan
    self.stretch = Ladder.up(query.stretch)
    self.window = window
    self.group =
      window.items.first { $0.end > viewport.lowerBound && $0.start < viewport.upperBound }
      .flatMap { layout.group(at: $0.index) }
    self.have = query.have
    self.leave = query.have.map { layout.slots(leaving: $0, for: window, pools: pools) } ?? []
  }
}
