/// Which edge of the viewport an item is shown at.
public enum Alignment: String, Hashable, Sendable, CaseIterable {
  /// Its start at the viewport's start.
  case start
  /// Its middle at the viewport's.
  case center
  /// Its end at the viewport's end.
  case end
  /// Wherever takes the least scrolling.
  case nearest
}

extension Layout {
  /// The offset at which a viewport of `width` shows the item at `index`, kept within bounds
  /// unless the layout wraps.
  ///
  /// For ``Alignment/nearest``, `offset` is where the viewport stands now: it stays there when the
  /// item is wholly in view, else goes to the start of an item that is as long as the viewport or
  /// longer, else to the nearer of start and end (start if equally near).
  ///
  /// - Throws: ``WindowingError/noItem(at:)`` or ``WindowingError/outOfRange``.
  /// - Complexity: O(log *n*).
  public func offset(
    showing index: Int, _ alignment: Alignment, in width: Length, from offset: Length = .zero
  ) throws(WindowingError) -> Length {
    bounded(try rest(of: index, alignment, in: width, from: offset), in: width)
  }

  /// The offset at which the item at `index` starts at `px` of the viewport, kept within bounds
  /// unless the layout wraps: the place of an anchor, whatever was edited around it.
  ///
  /// - Throws: ``WindowingError/noItem(at:)`` or ``WindowingError/outOfRange``.
  /// - Complexity: O(log *n*).
  public func offset(
    putting index: Int, at px: Length, in width: Length
  ) throws(WindowingError) -> Length {
    let start = try place(asked: index).start
    return bounded(try inRange(start, minus: px), in: width)
  }

  /// The offset at which the item at `index` rests, before it is kept within bounds.
  ///
  /// - Throws: ``WindowingError/noItem(at:)`` or ``WindowingError/outOfRange``.
  /// - Complexity: O(log *n*).
  public func rest(
    of index: Int, _ alignment: Alignment, in width: Length, from offset: Length = .zero
  ) throws(WindowingError) -> Length {
    let (start, end) = try place(asked: index)
    let slack = Length(end - start) - width
    switch alignment {
    case .start: return Length(start)
    case .end: return try inRange(start, minus: -slack)
    // An arithmetic shift halves toward minus infinity, as the contract's floor does.
    case .center: return try inRange(start, minus: -Length(units: slack.units >> 1))
    case .nearest:
      let low = Length(start)
      if low >= offset, slack <= low - offset, Length(end) - width <= offset { return offset }
      if slack >= .zero { return low }
      let high = low + slack
      return (low - offset).units.magnitude <= (high - offset).units.magnitude ? low : high
    }
  }

  /// The offset within 0 ... extent - width that is nearest to `offset`; any offset when the
  /// layout wraps.
  ///
  /// Where a viewport stands after its strip was replaced (MinScrollMenu's rule for a reload).
  public func bounded(_ offset: Length, in width: Length) -> Length {
    wraps ? offset : min(max(offset, .zero), max(.zero, extent - width))
  }

  /// The copy of an item whose start is nearest to `offset`, the earlier of two: the index of the
  /// strip's item `item` in that turn. Where the layout does not wrap it is `item` itself.
  ///
  /// - Throws: ``WindowingError/noItem(at:)`` or ``WindowingError/outOfRange``.
  /// - Complexity: O(log *n*).
  public func copy(of item: Int, nearest offset: Length) throws(WindowingError) -> Int {
    guard item >= 0, item < count else { throw .noItem(at: item) }
    guard wraps else { return item }
    guard fits, offset >= -Length.farthest, offset <= .farthest else { throw .outOfRange }
    let period = extent.position
    let (turn, past) = turn(at: offset.position - placed(item).start)
    let nearest = past <= period - past ? turn : turn + 1
    guard nearest >= -reach, nearest < reach else { throw .outOfRange }
    return nearest * count + item
  }

  private func inRange(_ start: Int, minus px: Length) throws(WindowingError) -> Length {
    let (offset, overflow) = Int64(start).subtractingReportingOverflow(px.units)
    guard !overflow, offset.magnitude <= Length.farthest.units.magnitude else { throw .outOfRange }
    return Length(units: offset)
  }
}
