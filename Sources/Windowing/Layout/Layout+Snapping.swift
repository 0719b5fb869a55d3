/// A snap position: an item, and the offset of a viewport that aligns this item.
public struct SnapPosition: Hashable, Sendable {
  public let index: Int

  /// The offset, clamped to the strip.
  public let offset: Length

  public init(index: Int, offset: Length) {
    self.index = index
    self.offset = offset
  }
}

/// The distance of one scroll step.
public enum ScrollStep: Hashable, Sendable {
  case item
  case page
}

extension Layout {
  /// The snap position nearest to `offset`; nil if no item has a size.
  ///
  ///     try layout.snapPosition(nearest: .px(170), .center, in: .px(100))
  ///
  /// At the ends of the strip several items have the same clamped offset. The result is then the
  /// item with the nearest offset before clamping.
  ///
  /// - Throws: ``WindowingError/outOfRange``.
  /// - Complexity: O(log *n*).
  public func snapPosition(
    nearest offset: Length, _ alignment: Alignment, in width: Length
  ) throws(WindowingError) -> SnapPosition? {
    let offset = clampedOffset(offset, in: width)
    let line =
      switch alignment {
      case .start, .nearest: offset
      case .center: offset + Length(units: width.units / 2)
      case .end: offset + width
      }
    guard let here = try itemWithSize(near: line) else { return nil }
    var best: (SnapPosition, distance: Length, unclamped: Length)?
    for index in [lastItemWithSize(before: here), here, try itemWithSize(after: here)] {
      guard let index else { continue }
      let unclamped = try unclampedOffset(showing: index, alignment.snapAlignment, in: width)
      let clamped = clampedOffset(unclamped, in: width)
      let candidate = (
        SnapPosition(index: index, offset: clamped),
        distance: distance(clamped, offset), unclamped: distance(unclamped, offset)
      )
      if let best, (best.distance, best.unclamped) <= (candidate.distance, candidate.unclamped) {
        continue
      }
      best = candidate
    }
    return best?.0
  }

  /// The next snap position after `offset`; nil at the end of the strip.
  ///
  /// A page step goes to the first item that is not entirely in view.
  ///
  /// - Throws: ``WindowingError/outOfRange``.
  /// - Complexity: O(log *n*). For ``Alignment/center`` and ``Alignment/end`` also O(items in the
  ///   viewport) at an end of the strip.
  public func snapPosition(
    after offset: Length, by step: ScrollStep, _ alignment: Alignment, in width: Length
  ) throws(WindowingError) -> SnapPosition? {
    var index = try snapPosition(nearest: offset, alignment, in: width)?.index
    if step == .page, let last = try items(meeting: offset..<offset + width).last {
      index = end(of: last) > offset + width ? last : try itemWithSize(after: last)
    }
    while let candidate = index {
      let found = try self.offset(showing: candidate, alignment.snapAlignment, in: width)
      if found > offset { return SnapPosition(index: candidate, offset: found) }
      index = try itemWithSize(after: candidate)
    }
    return nil
  }

  /// The last snap position before `offset`; nil at the start of the strip.
  ///
  /// A page step goes back by the width of the viewport, to the nearest snap position.
  ///
  /// - Throws: ``WindowingError/outOfRange``.
  /// - Complexity: As for ``snapPosition(after:by:_:in:)``.
  public func snapPosition(
    before offset: Length, by step: ScrollStep, _ alignment: Alignment, in width: Length
  ) throws(WindowingError) -> SnapPosition? {
    let target = step == .page ? offset - width : offset
    var index = try snapPosition(nearest: target, alignment, in: width)?.index
    while let candidate = index {
      let found = try self.offset(showing: candidate, alignment.snapAlignment, in: width)
      if found < offset { return SnapPosition(index: candidate, offset: found) }
      index = lastItemWithSize(before: candidate)
    }
    return nil
  }

  private func distance(_ a: Length, _ b: Length) -> Length { max(a - b, b - a) }

  /// The first item with a size that ends after a position, or else the last item with a size.
  private func itemWithSize(near line: Length) throws(WindowingError) -> Int? {
    guard fits, line >= -Length.farthest, line <= .farthest else { throw .outOfRange }
    let first = try firstItem(endingAfter: line.position)
    return try firstItemWithSize(from: first) ?? lastItemWithSize(before: first)
  }

  private func itemWithSize(after index: Int) throws(WindowingError) -> Int? {
    wraps || index + 1 < count ? try firstItemWithSize(from: index + 1) : nil
  }
}

extension Alignment {
  /// The alignment of snap positions: ``Alignment/nearest`` means the start.
  fileprivate var snapAlignment: Alignment { self == .nearest ? .start : self }
}
