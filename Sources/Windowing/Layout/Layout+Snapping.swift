/// A place where a viewport can come to rest: an item, and the offset that shows it.
public struct Rest: Hashable, Sendable {
  public let index: Int
  public let offset: Length

  public init(index: Int, offset: Length) {
    self.index = index
    self.offset = offset
  }
}

/// How far one step of a viewport goes.
public enum Step: Hashable, Sendable {
  case item
  case page
}

extension Layout {
  /// The rest nearest to `offset`; of items that rest there alike, the one nearest to it before
  /// it is kept within bounds. Nil for a strip that shows nothing.
  ///
  /// - Throws: ``WindowingError/outOfRange``.
  /// - Complexity: O(log *n*).
  public func rest(
    nearest offset: Length, _ alignment: Alignment, in width: Length
  ) throws(WindowingError) -> Rest? {
    let offset = bounded(offset, in: width)
    let line =
      switch alignment {
      case .start, .nearest: offset
      case .center: offset + Length(units: width.units / 2)
      case .end: offset + width
      }
    guard let here = try sized(near: line) else { return nil }
    var best: (Rest, off: Length, raw: Length)?
    for index in [sized(before: here), here, try sized(after: here)] {
      guard let index else { continue }
      let raw = try rest(of: index, alignment == .nearest ? .start : alignment, in: width)
      let kept = bounded(raw, in: width)
      let candidate = (
        Rest(index: index, offset: kept), off: distance(kept, offset), raw: distance(raw, offset)
      )
      if let best, (best.off, best.raw) <= (candidate.off, candidate.raw) { continue }
      best = candidate
    }
    return best?.0
  }

  /// The next rest after `offset`: of the next item, or a page on, which begins with the first
  /// item not wholly shown. Nil where the strip ends.
  ///
  /// - Throws: ``WindowingError/outOfRange``.
  /// - Complexity: O(log *n*), and for ``Alignment/center`` and ``Alignment/end`` up to the items
  ///   in a viewport, where many rest alike at an end.
  public func rest(
    after offset: Length, by step: Step, _ alignment: Alignment, in width: Length
  ) throws(WindowingError) -> Rest? {
    let target = step == .page ? offset + width : offset
    var index = try rest(nearest: step == .page ? offset : target, alignment, in: width)?.index
    if step == .page, let last = try items(meeting: offset..<target).last {
      index = end(of: last) > target ? last : try sized(after: last)
    }
    while let candidate = index {
      let kept = try self.offset(showing: candidate, alignment.edge, in: width)
      if kept > offset { return Rest(index: candidate, offset: kept) }
      index = try sized(after: candidate)
    }
    return nil
  }

  /// The rest before `offset`: of the item before, or a page back. Nil where the strip begins.
  ///
  /// - Throws: ``WindowingError/outOfRange``.
  /// - Complexity: As ``rest(after:by:_:in:)``.
  public func rest(
    before offset: Length, by step: Step, _ alignment: Alignment, in width: Length
  ) throws(WindowingError) -> Rest? {
    let target = step == .page ? offset - width : offset
    var index = try rest(nearest: target, alignment, in: width)?.index
    while let candidate = index {
      let kept = try self.offset(showing: candidate, alignment.edge, in: width)
      if kept < offset { return Rest(index: candidate, offset: kept) }
      index = sized(before: candidate)
    }
    return nil
  }
}

extension Alignment {
  /// Where a viewport rests: nowhere in particular counts as the start.
  fileprivate var edge: Alignment { self == .nearest ? .start : self }
}

extension Layout {
  private func distance(_ a: Length, _ b: Length) -> Length { max(a - b, b - a) }

  /// The first item with a size that ends after a position, or else the last one.
  private func sized(near line: Length) throws(WindowingError) -> Int? {
    guard fits, line >= -Length.farthest, line <= .farthest else { throw .outOfRange }
    let first = try firstItem(endingAfter: line.position)
    return try firstSized(from: first) ?? sized(before: first)
  }

  private func sized(after index: Int) throws(WindowingError) -> Int? {
    wraps || index + 1 < count ? try firstSized(from: index + 1) : nil
  }

  private func sized(before index: Int) -> Int? { lastSized(before: index) }
}
