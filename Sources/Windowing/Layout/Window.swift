public struct WindowItem: Hashable, Sendable {
  /// The index of the item; in its lap if the layout wraps.
  public let index: Int
  public let slot: Slot
  public let start: Length

  /// The size; never 0 in a window.
  public let size: Length

  public var kind: Kind { slot.kind }
  public var end: Length { start + size }
}

/// The items that intersect a span of a strip.
public struct Window: Hashable, Sendable {
  /// The indices of the window, including those of hidden items.
  public let range: Range<Int>

  /// The items whose size is not 0, in order.
  public let items: [WindowItem]

  /// Where the items stand across the direction of scrolling. A strip has no frames.
  public let frames: [Frame]

  init(range: Range<Int>, items: [WindowItem], frames: [Frame] = []) {
    (self.range, self.items, self.frames) = (range, items, frames)
  }

  func leaving(_ slots: [Slot]) -> [Slot] {
    var used = Set(items.map(\.slot))
    return slots.filter { used.insert($0).inserted }
  }
}

public enum WindowingError: Error, Hashable, Sendable {
  /// The layout does not wrap and has no item at this index.
  case noItem(at: Int)

  /// The extent or a position is beyond 2^47 px, or an index is beyond 2^62.
  case outOfRange

  /// The window has this number of items, which is above the limit of the caller.
  case tooManyItems(Int)
}

extension StripLayout {
  /// The window of `span`: the items that intersect it, with their slots in `pools`.
  ///
  ///     try layout.window(meeting: .px(1200)..<Length.px(2000), pools: pools)
  ///
  /// - Parameter pools: the pools of a length of at least `span`.
  /// - Throws: ``WindowingError/outOfRange`` if `span` or the extent is beyond 2^47 px,
  ///   ``WindowingError/tooManyItems(_:)`` if the window has more than `limit` items.
  /// - Complexity: O(log *n* + items in the window).
  public func window(
    meeting span: Range<Length>, pools: Pools, limit: Int = .max
  ) throws(WindowingError) -> Window {
    try check(span)
    if let window = windowOfFewItems(meeting: span, pools: pools, limit: limit) { return window }
    let range = try items(meeting: span)
    guard range.count <= limit else { throw .tooManyItems(range.count) }
    return window(of: range, pools: pools)
  }

  /// The window of a range of indices: the items whose size is not 0. The item of rank r of kind k has
  /// the slot r mod P(k).
  ///
  /// - Complexity: O(log *n* + items in the range).
  public func window(of range: Range<Int>, pools: Pools) -> Window {
    precondition(
      range.isEmpty || indices.contains(range.lowerBound) && range.upperBound <= indices.upperBound,
      "A range of a layout is within its indices.")
    var items: [WindowItem] = []
    items.reserveCapacity(range.count)
    for (lap, part) in parts(of: range) {
      guard let root = strip.root else { break }
      var ranks: Ranks? = Ranks(kinds: root.kindCount)
      let cursor = root.cursor(at: part.lowerBound, ranks: &ranks)
      var writer = WindowWriter(self, root, lap: lap, from: cursor, &ranks, pools: pools)
      _ = writer.write(part, from: cursor, of: root, to: &items)
    }
    return Window(range: range, items: items)
  }

  /// The slots of the items of `held` that no item of `window` uses, each once, in order. A page
  /// that holds these items can release the slots. Items of size 0 count, unless they are hidden.
  public func slots(leaving held: Range<Int>, for window: Window, pools: Pools) -> [Slot] {
    window.leaving(
      parts(of: held.clamped(to: indices)).flatMap { lap, part in
        strip.slots(of: part, lap: lap, pools)
      })
  }

  /// The parts of a range that are in one lap, as indices of the strip.
  private func parts(of range: Range<Int>) -> [(lap: Int, part: Range<Int>)] {
    if range.isEmpty { return [] }
    return (lap(of: range.lowerBound).lap...lap(of: range.upperBound - 1).lap).map { lap in
      let base = lap * count
      return (lap, max(0, range.lowerBound - base)..<min(count, range.upperBound - base))
    }
  }
}

extension StripLayout {
  /// The window of a span, by one search and a walk over its items. This is the fast path: nil if
  /// the span starts in a gap between laps, passes the end of a lap, or has more than 512 items.
  private func windowOfFewItems(
    meeting span: Range<Length>, pools: Pools, limit: Int
  ) -> Window? {
    var ranks: Ranks? = Ranks(kinds: strip.root?.kindCount ?? 0)
    guard let root = strip.root, let start = spanStart(at: span.lowerBound.position, ranks: &ranks)
    else { return nil }
    let cursor = start.cursor
    let first = cursor.before.count
    var writer = WindowWriter(self, root, lap: start.lap, from: cursor, &ranks, pools: pools)
    var items: [WindowItem] = []
    items.reserveCapacity(24)
    let limit = min(count, first + min(limit, 512))
    let reachedLimit = writer.write(
      first..<limit, from: cursor, of: root, until: span.upperBound.position, to: &items)
    // The last item of a strip has no successor; the last item of a lap has one.
    guard !reachedLimit || limit == count && !wraps else { return nil }
    guard let low = items.first?.index, let high = items.last?.index else {
      let none = writer.base + first
      return Window(range: none..<none, items: [])
    }
    return Window(range: low..<high + 1, items: items)
  }
}

private struct WindowWriter {
  /// The index of the first item of the lap.
  let base: Int
  private let scale: Scale
  private let origin: Int
  private let pools: Pools
  private var totals: Totals
  private var slots: ContiguousArray<Int>

  /// Starts at `cursor` in `lap`. `ranks` are the ranks at the cursor.
  init(
    _ layout: StripLayout, _ root: Node, lap: Int, from cursor: LeafCursor, _ ranks: inout Ranks?,
    pools: Pools
  ) {
    base = lap * layout.count
    scale = layout.scale
    origin = layout.start(ofLap: lap)
    self.pools = pools
    totals = cursor.before
    slots = SlotCounter(root, lap: lap, &ranks, pools).numbers
  }

  /// Writes the items of `range`, which starts at `cursor`, that start before `end`. Returns false
  /// if an item after them starts at or after `end`.
  mutating func write(
    _ range: Range<Int>, from cursor: LeafCursor, of root: Node, until end: Int = .max,
    to items: inout [WindowItem]
  ) -> Bool {
    let leafEnd = min(cursor.leaf.count, cursor.offset + range.count)
    guard write(cursor.leaf, cursor.offset..<leafEnd, until: end, to: &items) else { return false }
    return root.visit(range.lowerBound + leafEnd - cursor.offset..<range.upperBound) { leaf, run in
      write(leaf, run, until: end, to: &items)
    }
  }

  private mutating func write(
    _ leaf: Leaf, _ run: Range<Int>, until end: Int, to items: inout [WindowItem]
  ) -> Bool {
    let packed = leaf.span
    let (base, scale, origin, pools) = (base, scale, origin, pools)
    var totals = totals
    // The span checks uniqueness once, not for each item.
    var slots = slots.mutableSpan
    var start = origin + scale.position(totals)
    var offset = run.lowerBound
    while offset < run.upperBound, start < end {
      let item = packed[offset]
      let index = base + totals.count
      totals.add(item)
      let after = origin + scale.position(totals)
      if !item.isHidden {
        let number = slots[item.kind]
        slots[item.kind] = number + 1 < pools[number: item.kind] ? number + 1 : 0
        let size = after - scale.gap - start
        if size > 0 {
          items.append(
            WindowItem(
              index: index, slot: Slot(kind: Kind(number: item.kind), number: number),
              start: Length(start), size: Length(size)))
        }
      }
      start = after
      offset &+= 1
    }
    self.totals = totals
    return start < end
  }
}

extension StripLayout {
  /// The range from the first to the last item that intersects `span`. Such an item starts before the
  /// end of `span`, ends after its start, and its size is not 0.
  ///
  /// TanStack Virtual and react-window use the same rule. If there is no such item, the range is
  /// empty. It is then at the first item that ends after the start of `span`, or at `count`.
  ///
  /// - Throws: ``WindowingError/outOfRange`` if `span` or the extent is beyond 2^47 px.
  /// - Complexity: O(log *n*), for any number of items in the span: one search for each end, and more if items of
  ///   size 0 are there.
  public func items(meeting span: Range<Length>) throws(WindowingError) -> Range<Int> {
    try check(span)
    let (x, y) = (span.lowerBound.position, span.upperBound.position)
    let first = try firstItem(endingAfter: x)
    guard let shown = try firstItemWithSize(from: first), bounds(of: shown).start < y else {
      return first..<first
    }
    let last = lastItemWithSize(before: try firstItem(startingFrom: y)) ?? shown
    return shown..<last + 1
  }

  func check(_ span: Range<Length>) throws(WindowingError) {
    guard fits, span.lowerBound >= -Length.maximum, span.upperBound <= .maximum else {
      throw .outOfRange
    }
  }
}

extension StripLayout {
  /// The lap of a position, and the first item that ends after it. Nil in the gap at the end of a lap,
  /// past the end of the strip, and out of range.
  private func spanStart(at x: Int, ranks: inout Ranks?) -> (lap: Int, cursor: LeafCursor)? {
    let (lap, local) = lap(at: x)
    guard !wraps || lap.magnitude < lapLimit, let root = strip.root,
      let cursor = root.firstItem(
        endingAfter: local + gap.position, at: scale, ranks: &ranks)
    else { return nil }
    return (lap, cursor)
  }

  func firstItem(endingAfter x: Int) throws(WindowingError) -> Int {
    let (lap, local) = lap(at: x)
    if let found = strip.root?.firstItem(endingAfter: local + gap.position, at: scale) {
      return try index(found.before.count, inLap: lap)
    }
    return wraps ? try index(0, inLap: lap + 1) : count
  }

  /// The first item that starts at or after `y`; `count` if there is none.
  private func firstItem(startingFrom y: Int) throws(WindowingError) -> Int {
    let (lap, local) = lap(at: y)
    if local <= 0 { return try index(0, inLap: lap) }
    guard let found = strip.root?.firstItem(endingAfter: local - 1, at: scale) else { return count }
    return try index(found.before.count + 1, inLap: lap)
  }

  /// Converts an index within a lap. In short laps of many items, indices reach 2^62 before
  /// positions reach 2^47 px.
  private func index(_ index: Int, inLap lap: Int) throws(WindowingError) -> Int {
    guard wraps else { return index }
    guard lap >= -lapLimit, lap < lapLimit else { throw .outOfRange }
    return lap * count + index
  }

  /// The first item from `index` on whose size is not 0. O(log *n*): positions without gaps grow only at
  /// such items, so it searches these positions.
  func firstItemWithSize(from index: Int) throws(WindowingError) -> Int? {
    guard let root = strip.root else { return nil }
    let sizes = scale.withoutGap
    let (lap, local) = lap(of: index)
    let before = sizes.position(root.totals(before: local))
    if let found = root.firstItem(endingAfter: before, at: sizes) {
      return lap * count + found.before.count
    }
    guard wraps, let found = root.firstItem(endingAfter: 0, at: sizes) else { return nil }
    return try self.index(found.before.count, inLap: lap + 1)
  }

  func lastItemWithSize(before index: Int) -> Int? {
    guard let root = strip.root, wraps || index > 0 else { return nil }
    let sizes = scale.withoutGap
    let (lap, local) = lap(of: index - 1)
    let base = lap * count
    let before = sizes.position(root.totals(before: local + 1))
    if before > 0 {
      return root.firstItem(endingAfter: before - 1, at: sizes).map { base + $0.before.count }
    }
    let whole = sizes.position(root.totals)
    guard wraps, whole > 0 else { return nil }
    return root.firstItem(endingAfter: whole - 1, at: sizes).map { base - count + $0.before.count }
  }
}
