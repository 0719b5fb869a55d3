extension Layout {
  /// The items that intersect `span`: from the first to the last item whose size is not 0, that
  /// starts before the end of `span` and ends after its start.
  ///
  /// TanStack Virtual and react-window use the same rule. If there is no such item, the range is
  /// empty. It is then at the first item that ends after the start of `span`, or at `count`.
  ///
  /// - Throws: ``WindowingError/outOfRange`` if `span` or the extent is beyond 2^47 px.
  /// - Complexity: O(log *n*), for any number of items in the span.
  public func items(meeting span: Range<Length>) throws(WindowingError) -> Range<Int> {
    try check(span)
    let (x, y) = (span.lowerBound.position, span.upperBound.position)
    var none: Ranks?
    if let start = spanStart(at: x, ranks: &none), let items = items(from: start, y - x) {
      return items
    }
    return try itemsByTwoSearches(x, y)
  }

  /// The same with one search for each end. Needs more searches if items of size 0 are there.
  private func itemsByTwoSearches(_ x: Int, _ y: Int) throws(WindowingError) -> Range<Int> {
    let first = try firstItem(endingAfter: x)
    guard let shown = try firstItemWithSize(from: first), bounds(of: shown).start < y else {
      return first..<first
    }
    let last = lastItemWithSize(before: try firstItem(startingFrom: y)) ?? shown
    return shown..<last + 1
  }

  /// Throws if `span` or the extent is beyond 2^47 px.
  func check(_ span: Range<Length>) throws(WindowingError) {
    guard fits, span.lowerBound >= -Length.farthest, span.upperBound <= .farthest else {
      throw .outOfRange
    }
  }
}

struct SpanStart {
  let turn: Int
  /// The position relative to the start of the turn's first item.
  let position: Int
  /// The first item that ends after the position.
  let cursor: LeafCursor
}

extension Layout {
  /// Finds the start of a span from `x`. Nil in the gap at the end of a turn, past the end of the
  /// strip, and out of range.
  func spanStart(at x: Int, ranks: inout Ranks?) -> SpanStart? {
    let (turn, local) = turn(at: x)
    guard !wraps || turn.magnitude < turnLimit, let root = strip.root,
      let cursor = root.firstItem(
        endingAfter: local + gap.position, at: scale, ranks: &ranks)
    else { return nil }
    return SpanStart(turn: turn, position: local, cursor: cursor)
  }

  /// The items that intersect a span of `length`. This is the fast path: it needs at most one more
  /// search. Nil if the first sized item is not in the leaf of the start, or if the last item before
  /// the end has no size.
  private func items(from spanStart: SpanStart, _ length: Int) -> Range<Int>? {
    let base = spanStart.turn * (wraps ? count : 0)
    let end = spanStart.position + length
    let items = spanStart.cursor.leaf.span
    var totals = spanStart.cursor.before
    var start = scale.position(totals)
    var first: Int?
    var last = 0
    var offset = spanStart.cursor.offset
    while start < end, offset < items.count {
      let index = totals.count
      totals.add(items[offset])
      let next = scale.position(totals)
      if next - gap.position > start {
        if first == nil { first = index }
        last = index
      }
      start = next
      offset &+= 1
    }
    let none = base + spanStart.cursor.before.count
    if start >= end { return first.map { base + $0..<base + last + 1 } ?? none..<none }
    guard let first, let far = strip.root?.firstItem(endingAfter: end - 1, at: scale),
      far.hasSize(scale)
    else { return nil }
    return base + first..<base + far.before.count + 1
  }

  func firstItem(endingAfter x: Int) throws(WindowingError) -> Int {
    let (turn, local) = turn(at: x)
    if let found = strip.root?.firstItem(endingAfter: local + gap.position, at: scale) {
      return try index(found.before.count, inTurn: turn)
    }
    return wraps ? try index(0, inTurn: turn + 1) : count
  }

  /// The first item that starts at or after `y`; `count` if there is none.
  private func firstItem(startingFrom y: Int) throws(WindowingError) -> Int {
    let (turn, local) = turn(at: y)
    if local <= 0 { return try index(0, inTurn: turn) }
    guard let found = strip.root?.firstItem(endingAfter: local - 1, at: scale) else { return count }
    return try index(found.before.count + 1, inTurn: turn)
  }

  /// Converts an index within a turn. In short turns of many items, indices reach 2^62 before
  /// positions reach 2^47 px.
  private func index(_ index: Int, inTurn turn: Int) throws(WindowingError) -> Int {
    guard wraps else { return index }
    guard turn >= -turnLimit, turn < turnLimit else { throw .outOfRange }
    return turn * count + index
  }

  /// The first item from `index` on whose size is not 0. O(log *n*): it searches positions without
  /// gaps, which only grow at items that have a size.
  func firstItemWithSize(from index: Int) throws(WindowingError) -> Int? {
    guard let root = strip.root else { return nil }
    let sizes = scale.withoutGap
    let (turn, local) = turn(of: index)
    let before = sizes.position(root.totals(before: local))
    if let found = root.firstItem(endingAfter: before, at: sizes) {
      return turn * (wraps ? count : 0) + found.before.count
    }
    guard wraps, let found = root.firstItem(endingAfter: 0, at: sizes) else { return nil }
    return try self.index(found.before.count, inTurn: turn + 1)
  }

  /// The last item before `index` whose size is not 0. O(log *n*).
  func lastItemWithSize(before index: Int) -> Int? {
    guard let root = strip.root, wraps || index > 0 else { return nil }
    let sizes = scale.withoutGap
    let (turn, local) = turn(of: index - 1)
    let base = turn * (wraps ? count : 0)
    let before = sizes.position(root.totals(before: local + 1))
    if before > 0 {
      return root.firstItem(endingAfter: before - 1, at: sizes).map { base + $0.before.count }
    }
    let whole = sizes.position(root.totals)
    guard wraps, whole > 0 else { return nil }
    return root.firstItem(endingAfter: whole - 1, at: sizes).map { base - count + $0.before.count }
  }
}

extension LeafCursor {
  /// Whether the size of the item is not 0.
  fileprivate func hasSize(_ scale: Scale) -> Bool {
    var after = before
    after.add(leaf[offset])
    return scale.position(after) - scale.gap > scale.position(before)
  }
}
