/// The arrangement of items: side by side in one strip, or down a page as a list, a grid or justified
/// rows. The height of a strip decides the sizes of its items. Down a page, the width of the content decides.
public enum LayoutRule: Hashable, Sendable {
  case strip(height: Length, wraps: Bool)
  /// One item a line. Items without an aspect have the height of their kind, else the item height. If
  /// `ignoresAspects` is true, this holds for all items.
  case list(
    width: Length, itemHeight: Length, itemHeights: [Kind: Length] = [:], caption: Length,
    ignoresAspects: Bool = false)
  /// Cells of equal size. `cell` is their aspect without the caption.
  case grid(width: Length, columns: Columns, cell: Aspect, caption: Length)
  /// Justified rows of the target height `row`. Items without an aspect have the aspect `cell`.
  case rows(width: Length, row: Length, cell: Aspect)

  public enum Columns: Hashable, Sendable {
    case count(Int)
    /// As many columns as fit if each has at least this width.
    case atLeast(Length)
  }
}

/// A strip, a list, a grid or justified rows: where each item of a ``Strip`` stands.
///
///     var cache = LayoutCache()
///     let rule = LayoutRule.list(width: .px(800), itemHeight: .px(64), caption: .zero)
///     let list = cache.layout(of: strip, rule, gap: .px(8))
///
/// Positions are along the direction of scrolling: across the page in a strip, else down the page.
public struct Layout: Sendable {
  private let form: Form

  private enum Form: Sendable {
    case strip(StripLayout)
    case rows(any VerticalLayout, RowKey)
  }

  /// The parameters that decide the rows and their distances.
  struct RowKey: Hashable, Sendable {
    let rule: LayoutRule
    let gap: Length
    let heading: Length
  }

  public let strip: Strip

  public init(_ layout: StripLayout) {
    strip = layout.strip
    form = .strip(layout)
  }

  init(_ rows: any VerticalLayout, _ key: RowKey) {
    strip = rows.strip
    form = .rows(rows, key)
  }

  var rows: (any VerticalLayout, RowKey)? {
    if case .rows(let rows, let key) = form { (rows, key) } else { nil }
  }

  /// Nil for a layout down the page.
  public var stripLayout: StripLayout? {
    if case .strip(let layout) = form { layout } else { nil }
  }

  /// The number of items in the strip, or in one lap if the layout wraps.
  public var count: Int { strip.count }

  public var wraps: Bool { stripLayout?.wraps ?? false }

  /// The length of everything, with the insets; of one lap if the layout wraps.
  public var extent: Length {
    switch form {
    case .strip(let layout): layout.extent
    case .rows(let rows, _): Length(rows.extent)
    }
  }

  /// Whether the extent is at most 2^47 px.
  public var fits: Bool { extent <= .maximum }

  /// The window of `span`, a range along the direction of scrolling.
  ///
  /// - Throws: ``WindowingError/outOfRange``, ``WindowingError/tooManyItems(_:)``.
  /// - Complexity: O(log *n* + items in the window).
  public func window(
    meeting span: Range<Length>, pools: Pools, limit: Int = .max
  ) throws(WindowingError) -> Window {
    switch form {
    case .strip(let layout): try layout.window(meeting: span, pools: pools, limit: limit)
    case .rows(let rows, _): try rows.window(meeting: span, pools: pools, limit: limit)
    }
  }

  /// The slots of the items of `held` that no item of `window` uses, each once, in order.
  public func slots(leaving held: Range<Int>, for window: Window, pools: Pools) -> [Slot] {
    switch form {
    case .strip(let layout): layout.slots(leaving: held, for: window, pools: pools)
    case .rows: window.leaving(strip.slots(of: held.clamped(to: 0..<count), pools))
    }
  }

  /// The pools of a length along the direction of scrolling.
  ///
  /// - Complexity: O(*n*); O(1) for a list of equal heights and for a grid, if there are no headings, and
  ///   all items are visible and of one kind. A ``LayoutCache`` is faster if you ask again.
  public func pools(poolLength: Length) -> Pools {
    switch form {
    case .strip(let layout): layout.pools(poolLength: poolLength)
    case .rows(let rows, _): rows.pools(poolLength: poolLength)
    }
  }

  /// The group of the item at `index`, with the start of its first row; nil if it has none.
  public func group(at index: Int) -> PlacedGroup? {
    switch form {
    case .strip(let layout): layout.group(at: index)
    case .rows(let rows, _): rows.group(at: index)
    }
  }

  /// The start and the size of the item at `index`; of its row in a grid and in rows.
  ///
  /// - Throws: ``WindowingError/noItem(at:)``, ``WindowingError/outOfRange``.
  public func bounds(of index: Int) throws(WindowingError) -> (start: Length, size: Length) {
    let (start, end) = try positions(of: index)
    return (Length(start), Length(end - start))
  }

  private func positions(of index: Int) throws(WindowingError) -> (start: Int, end: Int) {
    switch form {
    case .strip(let layout): try layout.checkedBounds(of: index)
    case .rows(let rows, _): try rows.bounds(of: index)
    }
  }

  /// The offset that shows an item: see ``StripLayout/offset(showing:_:in:from:)``.
  public func offset(
    showing index: Int, _ alignment: Alignment, in viewport: Length, from offset: Length = .zero
  ) throws(WindowingError) -> Length {
    let (start, end) = try positions(of: index)
    return clamped(
      try alignment.offset(showing: start, end, in: viewport, from: offset), in: viewport)
  }

  /// The nearest copy of an item: see ``StripLayout/copy(of:nearest:)``.
  public func copy(of item: Int, nearest offset: Length) throws(WindowingError) -> Int {
    if let stripLayout { return try stripLayout.copy(of: item, nearest: offset) }
    return item
  }

  /// The groups that start at or after `index`, in order. O(log *n*) for each.
  public func groups(from index: Int = 0) -> some Sequence<PlacedGroup> {
    strip.groupRuns(from: index).lazy.compactMap { group(at: $0.range.lowerBound) }
  }

  /// The offset that puts an item at an offset of the viewport: see ``StripLayout/offset(putting:at:in:)``.
  public func offset(
    putting index: Int, at px: Length, in viewport: Length
  ) throws(WindowingError) -> Length {
    clamped(try subtract(px, from: positions(of: index).start), in: viewport)
  }

  private func clamped(_ offset: Length, in viewport: Length) -> Length {
    wraps ? offset : min(max(offset, .zero), max(.zero, extent - viewport))
  }
}
