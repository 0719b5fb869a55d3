extension Layout {
  /// The items that meet `span`: from the first whose size is not 0, that starts before its end
  /// and ends after its start, to the last.
  ///
  /// When there is none, the range is empty and stands at the first item that ends after the
  /// start of `span` (at `count` if there is none). TanStack Virtual and react-window draw the
  /// line the same way.
  ///
  /// - Throws: ``WindowingError/outOfRange`` where `span` or the whole strip lies beyond 2^47 px.
  /// - Complexity: O(log *n*), however many items are met.
  public func items(meeting span: Range<Length>) throws(WindowingError) -> Range<Int> {
    try check(span)
    let (x, y) = (span.lowerBound.position, span.upperBound.position)
    var none: Ranks?
    if let near = near(x, ranks: &none), let items = items(from: near, y - x) { return items }
    return try itemsAround(x, y)
  }

  /// The same by one walk for each end, and more where items without size stand there.
  func itemsAround(_ x: Int, _ y: Int) throws(WindowingError) -> Range<Int> {
    let first = try firstItem(endingAfter: x)
    guard let shown = try firstSized(from: first), placed(shown).start < y else {
      return first..<first
    }
    let last = lastSized(before: try firstItem(startingFrom: y)) ?? shown
    return shown..<last + 1
  }

  /// The item that covers `point`, if any does.
  ///
  /// - Throws: As ``items(meeting:)``.
  /// - Complexity: O(log *n*).
  public func item(at point: Length) throws(WindowingError) -> Int? {
    guard point >= -Length.farthest, point < .farthest else { throw .outOfRange }
    return try items(meeting: point..<point + .unit).first
  }
}

extension Layout {
  /// Refuses spans and strips that lie beyond 2^47 px.
  func check(_ span: Range<Length>) throws(WindowingError) {
    guard fits, span.lowerBound >= -Length.farthest, span.upperBound <= .farthest else {
      throw .outOfRange
    }
  }
}

/// The place that a span begins at.
struct Near {
  let turn: Int
  /// The position in the turn, counted from where its first item starts.
  let position: Int
  /// The first item that ends after it.
  let place: Place
}

extension Layout {
  /// Where in the tree a span from `x` begins; nil in the gap at the end of a turn, past the end of
  /// the strip, and out of reach.
  func near(_ x: Int, ranks: inout Ranks?) -> Near? {
    let (turn, local) = turn(at: x)
    guard !wraps || turn.magnitude < reach, let root = strip.root,
      let place = root.firstItem(
        endingAfter: local + gap.position, at: scale, ranks: &ranks)
    else { return nil }
    return Near(turn: turn, position: local, place: place)
  }

  /// The items that meet a span of `length`, where the first of them lies in the leaf that it
  /// begins in and the last before its end has a size: the common case, by one walk down the tree.
  func items(from near: Near, _ length: Int) -> Range<Int>? {
    let base = near.turn * (wraps ? count : 0)
    let end = near.position + length
    let items = near.place.leaf.span
    var totals = near.place.before
    var start = scale.position(totals)
    var first: Int?
    var last = 0
    var offset = near.place.offset
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
    let none = base + near.place.before.count
    if start >= end { return first.map { base + $0..<base + last + 1 } ?? none..<none }
    guard let first, let far = strip.root?.firstItem(endingAfter: end - 1, at: scale),
      far.isDrawn(scale)
    else { return nil }
    return base + first..<base + far.before.count + 1
  }

  /// The first item that ends after `x`.
  func firstItem(endingAfter x: Int) throws(WindowingError) -> Int {
    let (turn, local) = turn(at: x)
    if let found = strip.root?.firstItem(endingAfter: local + gap.position, at: scale) {
      return try index(found.before.count, inTurn: turn)
    }
    return wraps ? try index(0, inTurn: turn + 1) : count
  }

  /// The first item that starts at `y` or after it, `count` if none does.
  private func firstItem(startingFrom y: Int) throws(WindowingError) -> Int {
    let (turn, local) = turn(at: y)
    if local <= 0 { return try index(0, inTurn: turn) }
    guard let found = strip.root?.firstItem(endingAfter: local - 1, at: scale) else { return count }
    return try index(found.before.count + 1, inTurn: turn)
  }

  /// An index of a turn. Very short turns of very many items have indices past 2^62 long before
  /// positions pass 2^47 px.
  private func index(_ index: Int, inTurn turn: Int) throws(WindowingError) -> Int {
    guard wraps else { return index }
    guard turn >= -reach, turn < reach else { throw .outOfRange }
    return turn * count + index
  }

  /// The first item from `index` on whose size is not 0, however many come before it: the first
  /// after which positions without gaps have grown.
  func firstSized(from index: Int) throws(WindowingError) -> Int? {
    guard let root = strip.root else { return nil }
    let drawn = scale.withoutGap
    let (turn, local) = turn(of: index)
    let before = drawn.position(root.totals(before: local))
    if let found = root.firstItem(endingAfter: before, at: drawn) {
      return turn * (wraps ? count : 0) + found.before.count
    }
    guard wraps, let found = root.firstItem(endingAfter: 0, at: drawn) else { return nil }
    return try self.index(found.before.count, inTurn: turn + 1)
  }

  /// The last item before `index` whose size is not 0.
  func lastSized(before index: Int) -> Int? {
    guard let root = strip.root, wraps || index > 0 else { return nil }
    let drawn = scale.withoutGap
    let (turn, local) = turn(of: index - 1)
    let base = turn * (wraps ? count : 0)
    let before = drawn.position(root.totals(before: local + 1))
    if before > 0 {
      return root.firstItem(endingAfter: before - 1, at: drawn).map { base + $0.before.count }
    }
    let whole = drawn.position(root.totals)
    guard wraps, whole > 0 else { return nil }
    return root.firstItem(endingAfter: whole - 1, at: drawn).map { base - count + $0.before.count }
  }
}

extension Place {
  /// Whether the item has a size.
  fileprivate func isDrawn(_ scale: Scale) -> Bool {
    var after = before
    after.add(leaf[offset])
    return scale.position(after) - scale.gap > scale.position(before)
  }
}
