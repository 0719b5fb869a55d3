/// A strip with a height, a gap between items, and an inset at both ends. It can wrap around.
///
///     let layout = StripLayout(strip, height: .px(180), gap: .px(10))
///     let span = Length.px(1200)..<Length.px(2000)
///     let window = try layout.window(meeting: span, pools: layout.pools(poolLength: .px(800)))
///
/// Item i starts at inset + floor(height x aspects / 65536) + widths + i x gap, with the sums of
/// the aspects and widths before it. It ends a gap before the next start. Each start is rounded
/// once, so rounding errors do not add up.
///
/// A layout that wraps repeats the strip without end, in laps. Index t x count + i is item i in
/// lap t, for every integer t, and starts t laps after item i. Its inset is 0.
///
/// An index outside of ``indices`` traps, unless the function throws ``WindowingError/noItem(at:)``.
///
/// - Complexity: O(1) to make; O(log *n*) for each query.
public struct StripLayout: Sendable {
  public let strip: Strip
  public let height: Length
  public let gap: Length

  /// The space before the first item and after the last; 0 if the layout wraps.
  public let inset: Length

  /// Whether positions and indices continue past both ends. False for a strip whose lap is 0 long.
  public let wraps: Bool

  /// The number of items in the strip.
  public let count: Int

  /// The length of the strip; of one lap if the layout wraps.
  public let extent: Length

  let scale: Scale

  /// - Precondition: `height` is 0 ... 16,384 px; `gap` and `inset` are 0 ... 65,536 px.
  public init(
    _ strip: Strip, height: Length, gap: Length = .zero, inset: Length = .zero, wraps: Bool = false
  ) {
    precondition(height >= .zero && height <= .px(16_384), "A height is 0 to 16384 px.")
    precondition(gap >= .zero && gap <= .px(65_536), "A gap is 0 to 65536 px.")
    precondition(inset >= .zero && inset <= .px(65_536), "An inset is 0 to 65536 px.")
    self.strip = strip
    self.height = height
    self.gap = gap
    scale = Scale(height: height, gap: gap)
    count = strip.count
    let measure = Self.measure(strip.totals, scale, inset: inset, wraps: wraps)
    self.wraps = measure.wraps
    self.inset = measure.wraps ? .zero : inset
    extent = measure.extent
  }

  /// Whether the extent is at most 2^47 px. If it is not, queries by position throw
  /// ``WindowingError/outOfRange``.
  public var fits: Bool { extent <= .maximum }

  /// The valid indices: 0 ..< count, or those of all laps in range if the layout wraps.
  ///
  /// The laps in range cover -2^47 ... 2^47 px, or indices up to 2^62 if laps are short.
  public var indices: Range<Int> {
    guard wraps else { return 0..<count }
    return -lapLimit * count..<lapLimit * count
  }

  /// The number of laps in range, in each direction.
  var lapLimit: Int {
    min(Length.maximum.position / extent.position + 2, (1 << 62) / count)
  }
}

extension StripLayout {
  public static func extent(
    of totals: Totals, height: Length, gap: Length = .zero, inset: Length = .zero,
    wraps: Bool = false
  ) -> Length {
    measure(totals, Scale(height: height, gap: gap), inset: inset, wraps: wraps).extent
  }

  private static func measure(
    _ totals: Totals, _ scale: Scale, inset: Length, wraps: Bool
  ) -> (extent: Length, wraps: Bool) {
    let lapLength = scale.position(totals)
    guard !wraps || lapLength <= 0 else { return (Length(lapLength), true) }
    return (inset + inset + Length(totals.count > 0 ? lapLength - scale.gap : 0), false)
  }

  func lap(of index: Int) -> (lap: Int, index: Int) {
    guard wraps else { return (0, index) }
    let lap = floorDivide(index, by: count)
    return (lap, index - lap * count)
  }

  /// The lap of a position, and the position relative to the start of its first item.
  func lap(at position: Int) -> (lap: Int, position: Int) {
    guard wraps else { return (0, position - inset.position) }
    let lap = floorDivide(position, by: extent.position)
    return (lap, position - lap * extent.position)
  }

  func start(ofLap lap: Int) -> Int { lap * extent.position + inset.position }
}

func floorDivide(_ a: Int, by b: Int) -> Int {
  let (quotient, rest) = a.quotientAndRemainder(dividingBy: b)
  return rest < 0 ? quotient - 1 : quotient
}

extension StripLayout {
  public func start(of index: Int) -> Length { Length(bounds(of: index).start) }

  /// The size of the item at `index`; 0 if the item is hidden, or if the size rounds to 0.
  public func size(of index: Int) -> Length {
    let (start, end) = bounds(of: index)
    return Length(end - start)
  }

  public func end(of index: Int) -> Length { Length(bounds(of: index).end) }

  func bounds(of index: Int) -> (start: Int, end: Int) {
    let (lap, local) = lap(of: index)
    guard let root = strip.root, local >= 0, local < count,
      !wraps || (lap >= -lapLimit && lap < lapLimit)
    else { preconditionFailure("An index into a layout is one of its indices.") }
    let cursor = root.cursor(at: local)
    let origin = start(ofLap: lap)
    return (
      origin + scale.position(cursor.before), origin + scale.position(cursor.after) - scale.gap
    )
  }

  /// - Throws: ``WindowingError/noItem(at:)``, or ``WindowingError/outOfRange`` if the item or the
  ///   extent is beyond 2^47 px.
  func checkedBounds(of index: Int) throws(WindowingError) -> (start: Int, end: Int) {
    guard indices.contains(index) else { throw wraps ? .outOfRange : .noItem(at: index) }
    let (start, end) = bounds(of: index)
    let maximum = Length.maximum.position
    guard fits, start >= -maximum, end <= maximum else { throw .outOfRange }
    return (start, end)
  }
}

/// A group and its position in a layout, for a sticky heading.
public struct PlacedGroup: Hashable, Sendable {
  public let title: String

  /// The index of its first item, in the lap of the query.
  public let first: Int

  /// The index of its last item, plus one.
  public let end: Int

  /// The start of its first item.
  public let start: Length

  public init(title: String, first: Int, end: Int, start: Length) {
    self.title = title
    self.first = first
    self.end = end
    self.start = start
  }
}

extension StripLayout {
  /// The group of the item at `index`, in the same lap; nil if it has none.
  public func group(at index: Int) -> PlacedGroup? {
    let (lap, local) = lap(of: index)
    guard let run = strip.groupRun(at: local) else { return nil }
    let first = lap * count + run.range.lowerBound
    return PlacedGroup(
      title: run.title, first: first, end: first + run.range.count, start: start(of: first))
  }
}

public enum Alignment: String, Hashable, Sendable, CaseIterable {
  case start
  case center
  case end
  /// The viewport scrolls as little as possible.
  case nearest
}

extension StripLayout {
  /// The offset of a viewport of this length that shows the item at `index`, clamped to the strip
  /// unless the layout wraps.
  ///
  /// ``Alignment/nearest`` keeps the current `offset` if the item is entirely in view. Otherwise it
  /// aligns the start or the end, whichever is nearer. It aligns the start if both are equally near,
  /// or if the item is not shorter than the viewport.
  ///
  /// - Throws: ``WindowingError/noItem(at:)`` or ``WindowingError/outOfRange``.
  public func offset(
    showing index: Int, _ alignment: Alignment, in viewport: Length, from offset: Length = .zero
  ) throws(WindowingError) -> Length {
    let (start, end) = try checkedBounds(of: index)
    return clampedOffset(
      try alignment.offset(showing: start, end, in: viewport, from: offset), in: viewport)
  }

  /// The offset that puts the item's start at `px` of a viewport of this length, clamped to the
  /// strip unless the layout wraps.
  ///
  /// - Throws: ``WindowingError/noItem(at:)`` or ``WindowingError/outOfRange``.
  public func offset(
    putting index: Int, at px: Length, in viewport: Length
  ) throws(WindowingError) -> Length {
    let start = try checkedBounds(of: index).start
    return clampedOffset(try subtract(px, from: start), in: viewport)
  }

  /// The nearest offset in 0 ... extent - viewport; `offset` itself if the layout wraps. O(1).
  public func clampedOffset(_ offset: Length, in viewport: Length) -> Length {
    wraps ? offset : min(max(offset, .zero), max(.zero, extent - viewport))
  }

  /// The index of the copy of an item whose start is nearest to `offset`; the earlier of two. If the
  /// layout does not wrap, this is `item`.
  ///
  /// - Throws: ``WindowingError/noItem(at:)`` or ``WindowingError/outOfRange``.
  public func copy(of item: Int, nearest offset: Length) throws(WindowingError) -> Int {
    guard item >= 0, item < count else { throw .noItem(at: item) }
    guard wraps else { return item }
    guard fits, offset >= -Length.maximum, offset <= .maximum else { throw .outOfRange }
    let lapLength = extent.position
    let (lap, past) = lap(at: offset.position - bounds(of: item).start)
    let nearest = past <= lapLength - past ? lap : lap + 1
    guard nearest >= -lapLimit, nearest < lapLimit else { throw .outOfRange }
    return nearest * count + item
  }
}

extension Alignment {
  /// Not clamped to the strip.
  package func offset(
    showing start: Int, _ end: Int, in viewport: Length, from offset: Length
  ) throws(WindowingError) -> Length {
    let slack = Length(end - start) - viewport
    switch self {
    case .start: return Length(start)
    case .end: return try subtract(-slack, from: start)
    // An arithmetic shift rounds toward minus infinity, as the floor of the center does.
    case .center: return try subtract(-Length(units: slack.units >> 1), from: start)
    case .nearest:
      let low = Length(start)
      if low >= offset, slack <= low - offset, Length(end) - viewport <= offset { return offset }
      if slack >= .zero { return low }
      let high = low + slack
      return (low - offset).units.magnitude <= (high - offset).units.magnitude ? low : high
    }
  }
}

func subtract(_ px: Length, from start: Int) throws(WindowingError) -> Length {
  let (offset, overflow) = Int64(start).subtractingReportingOverflow(px.units)
  guard !overflow, offset.magnitude <= Length.maximum.units.magnitude else { throw .outOfRange }
  return Length(units: offset)
}
