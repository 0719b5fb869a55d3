/// The alignment of an item in the viewport.
public enum Alignment: String, Hashable, Sendable, CaseIterable {
  case start
  case center
  case end
  /// The viewport scrolls as little as possible.
  case nearest
}

extension Layout {
  /// The offset of a viewport of `width` that shows the item at `index`, clamped to the strip
  /// unless the layout wraps.
  ///
  /// ``Alignment/nearest`` depends on the current `offset`. It keeps this offset if the item is
  /// entirely in view. Otherwise it uses the nearer of start and end; the start if they are equally
  /// near, or if the item is as long as the viewport or longer.
  ///
  /// - Throws: ``WindowingError/noItem(at:)`` or ``WindowingError/outOfRange``.
  /// - Complexity: O(log *n*).
  public func offset(
    showing index: Int, _ alignment: Alignment, in width: Length, from offset: Length = .zero
  ) throws(WindowingError) -> Length {
    clampedOffset(
      try unclampedOffset(showing: index, alignment, in: width, from: offset), in: width)
  }

  /// The offset that puts the item's start at `px` of a viewport of `width`. It is clamped to the strip
  /// unless the layout wraps.
  ///
  /// - Throws: ``WindowingError/noItem(at:)`` or ``WindowingError/outOfRange``.
  /// - Complexity: O(log *n*).
  public func offset(
    putting index: Int, at px: Length, in width: Length
  ) throws(WindowingError) -> Length {
    let start = try checkedBounds(of: index).start
    return clampedOffset(try subtract(px, from: start), in: width)
  }

  /// As ``offset(showing:_:in:from:)``, but not clamped to the strip.
  ///
  /// - Throws: ``WindowingError/noItem(at:)`` or ``WindowingError/outOfRange``.
  /// - Complexity: O(log *n*).
  public func unclampedOffset(
    showing index: Int, _ alignment: Alignment, in width: Length, from offset: Length = .zero
  ) throws(WindowingError) -> Length {
    let (start, end) = try checkedBounds(of: index)
    let slack = Length(end - start) - width
    switch alignment {
    case .start: return Length(start)
    case .end: return try subtract(-slack, from: start)
    // An arithmetic shift rounds toward minus infinity, as the floor of the center does.
    case .center: return try subtract(-Length(units: slack.units >> 1), from: start)
    case .nearest:
      let low = Length(start)
      if low >= offset, slack <= low - offset, Length(end) - width <= offset { return offset }
      if slack >= .zero { return low }
      let high = low + slack
      return (low - offset).units.magnitude <= (high - offset).units.magnitude ? low : high
    }
  }

  /// The nearest offset in 0 ... extent - width; `offset` itself if the layout wraps. O(1).
  ///
  /// Use it after a reload, when the strip may have become shorter (as MinScrollMenu does).
  public func clampedOffset(_ offset: Length, in width: Length) -> Length {
    wraps ? offset : min(max(offset, .zero), max(.zero, extent - width))
  }

  /// The index of the copy of a strip's item whose start is nearest to `offset`; the earlier of
  /// two. If the layout does not wrap, this is `item`.
  ///
  /// - Throws: ``WindowingError/noItem(at:)`` or ``WindowingError/outOfRange``.
  /// - Complexity: O(log *n*).
  public func copy(of item: Int, nearest offset: Length) throws(WindowingError) -> Int {
    guard item >= 0, item < count else { throw .noItem(at: item) }
    guard wraps else { return item }
    guard fits, offset >= -Length.farthest, offset <= .farthest else { throw .outOfRange }
    let period = extent.position
    let (turn, past) = turn(at: offset.position - bounds(of: item).start)
    let nearest = past <= period - past ? turn : turn + 1
    guard nearest >= -turnLimit, nearest < turnLimit else { throw .outOfRange }
    return nearest * count + item
  }

  private func subtract(_ px: Length, from start: Int) throws(WindowingError) -> Length {
    let (offset, overflow) = Int64(start).subtractingReportingOverflow(px.units)
    guard !overflow, offset.magnitude <= Length.farthest.units.magnitude else { throw .outOfRange }
    return Length(units: offset)
  }
}
