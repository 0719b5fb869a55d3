/// A reusable cell: a kind, and a number among the cells of this kind.
public struct Slot: Hashable, Sendable {
  public let kind: Kind

  /// The number among the slots of the kind, from 0.
  public let number: Int

  public init(kind: Kind, number: Int) {
    self.kind = kind
    self.number = number
  }
}

/// An item of a window, with its position and its slot.
public struct WindowItem: Hashable, Sendable {
  /// The index of the item; in its turn if the layout wraps.
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
}

/// The errors of queries about a layout.
public enum WindowingError: Error, Hashable, Sendable {
  /// The layout does not wrap and has no item at this index.
  case noItem(at: Int)

  /// The extent or a position is beyond 2^47 px, or an index is beyond 2^62.
  case outOfRange

  /// The window has this number of items, which is above the limit of the caller.
  case tooManyItems(Int)
}

extension Layout {
  /// The window of `span`: the items that intersect it, with their slots in `pools`.
  ///
  ///     try layout.window(meeting: .px(1200)..<Length.px(2000), pools: pools)
  ///
  /// - Parameters:
  ///   - span: A stretch of the strip.
  ///   - pools: The number of slots of each kind, for a stretch at least as long as `span`.
  ///   - most: The largest number of items in the window.
  /// - Throws: ``WindowingError/outOfRange`` if `span` or the extent is beyond 2^47 px,
  ///   ``WindowingError/tooManyItems(_:)`` if the window has more than `most` items.
  /// - Complexity: O(log *n* + items in the window).
  public func window(
    meeting span: Range<Length>, pools: Pools, most: Int = .max
  ) throws(WindowingError) -> Window {
    try check(span)
    if let window = windowByOneSearch(meeting: span, pools: pools, most: most) { return window }
    let range = try items(meeting: span)
    guard range.count <= most else { throw .tooManyItems(range.count) }
    return window(of: range, pools: pools)
  }

  /// The window of a range of indices: the items whose size is not 0, with their slots in `pools`.
  ///
  /// An item with rank r of kind k has slot r mod P(k). The slot does not depend on earlier windows.
  ///
  /// - Precondition: `range` is within ``indices``.
  /// - Complexity: O(log *n* + items in the range).
  public func window(of range: Range<Int>, pools: Pools) -> Window {
    Window(range: range, items: items(of: range, pools: pools, sizedOnly: true))
  }

  /// The slots of the items of `held` that no item of `window` uses, each once, in order. A page
  /// that holds these items can release the slots. Items of size 0 count, unless they are hidden.
  ///
  /// - Complexity: O(log *n* + items in `held` + items in the window).
  public func slots(leaving held: Range<Int>, for window: Window, pools: Pools) -> [Slot] {
    var used = Set(window.items.map(\.slot))
    return items(of: held.clamped(to: indices), pools: pools, sizedOnly: false)
      .compactMap { used.insert($0.slot).inserted ? $0.slot : nil }
  }
}

extension Layout {
  /// The window of a span, by one search and a walk over its items. This is the fast path: nil if
  /// the span starts in a gap between turns, passes the end of a turn, or has more than 512 items.
  private func windowByOneSearch(
    meeting span: Range<Length>, pools: Pools, most: Int
  ) -> Window? {
    var ranks: Ranks? = Ranks(kinds: strip.root?.kindCount ?? 0)
    guard let root = strip.root, let start = spanStart(at: span.lowerBound.position, ranks: &ranks)
    else { return nil }
    let cursor = start.cursor
    let first = cursor.before.count
    var writer = WindowWriter(self, root, turn: start.turn, from: cursor, &ranks, pools: pools)
    var items: [WindowItem] = []
    items.reserveCapacity(24)
    let limit = min(count, first + min(most, 512))
    let reachedLimit = writer.write(
      first..<limit, from: cursor, of: root, until: span.upperBound.position, to: &items)
    // The last item of a strip has no successor; the last item of a turn has one.
    guard !reachedLimit || limit == count && !wraps else { return nil }
    guard let low = items.first?.index, let high = items.last?.index else {
      let none = writer.base + first
      return Window(range: none..<none, items: [])
    }
    return Window(range: low..<high + 1, items: items)
  }

  /// The items of a range that are not hidden; only those whose size is not 0 if `sizedOnly`.
  private func items(of range: Range<Int>, pools: Pools, sizedOnly: Bool) -> [WindowItem] {
    var items: [WindowItem] = []
    items.reserveCapacity(range.count)
    forEachTurn(of: range) { turn, part in
      guard let root = strip.root else { return }
      var ranks: Ranks? = Ranks(kinds: root.kindCount)
      let cursor = root.cursor(at: part.lowerBound, ranks: &ranks)
      var writer = WindowWriter(
        self, root, turn: turn, from: cursor, &ranks, pools: pools, sizedOnly: sizedOnly)
      _ = writer.write(part, from: cursor, of: root, to: &items)
    }
    return items
  }

  /// Calls `body` with each turn of a range, and with the part of the range in this turn.
  private func forEachTurn(of range: Range<Int>, _ body: (Int, Range<Int>) -> Void) {
    if range.isEmpty { return }
    precondition(
      range.lowerBound >= indices.lowerBound && range.upperBound <= indices.upperBound,
      "A range of a layout is within its indices.")
    guard wraps else { return body(0, range) }
    let (first, _) = turn(of: range.lowerBound)
    let (last, _) = turn(of: range.upperBound - 1)
    for turn in first...last {
      let base = turn * count
      body(turn, max(0, range.lowerBound - base)..<min(count, range.upperBound - base))
    }
  }
}

/// Writes the items of one turn in order.
private struct WindowWriter {
  /// The index of the first item of the turn.
  let base: Int
  private let scale: Scale
  private let origin: Int
  /// Whether to skip items of size 0 that are not hidden.
  private let sizedOnly: Bool
  private var totals: Totals
  private var numbers: SlotNumbers

  /// Starts at `cursor` in `turn`. `ranks` are the ranks at the cursor.
  init(
    _ layout: Layout, _ root: Node, turn: Int, from cursor: LeafCursor, _ ranks: inout Ranks?,
    pools: Pools, sizedOnly: Bool = true
  ) {
    base = layout.wraps ? turn * layout.count : 0
    scale = layout.scale
    origin = layout.start(ofTurn: turn)
    self.sizedOnly = sizedOnly
    totals = cursor.before
    numbers = SlotNumbers(&ranks, root, turn: turn, pools: pools)
  }

  /// Writes the items of `range` that start before `end`. The range starts at `cursor`.
  ///
  /// - Returns: False if an item after them starts at or after `end`.
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

  /// The same for the items of one leaf.
  private mutating func write(
    _ leaf: Leaf, _ run: Range<Int>, until end: Int, to items: inout [WindowItem]
  ) -> Bool {
    let packed = leaf.span
    let (base, scale, origin, sizedOnly) = (base, scale, origin, sizedOnly)
    let pools = numbers.pools
    var totals = totals
    // The span checks uniqueness once, not for each item.
    var next = numbers.next.mutableSpan
    var start = origin + scale.position(totals)
    var offset = run.lowerBound
    while offset < run.upperBound, start < end {
      let item = packed[offset]
      let index = base + totals.count
      totals.add(item)
      let after = origin + scale.position(totals)
      if !item.isHidden {
        let slot = next.nextSlot(item.kind, pools)
        let size = after - scale.gap - start
        if size > 0 || !sizedOnly {
          items.append(
            WindowItem(index: index, slot: slot, start: Length(start), size: Length(size)))
        }
      }
      start = after
      offset &+= 1
    }
    self.totals = totals
    return start < end
  }
}

/// The number of the next slot of each kind: its rank modulo its pool.
private struct SlotNumbers {
  var next: ContiguousArray<Int>
  let pools: Pools

  init(_ ranks: inout Ranks?, _ root: Node, turn: Int, pools: Pools) {
    self.pools = pools
    next = ranks?.moveCounts() ?? []
    for kind in next.indices {
      let rank = turn == 0 ? next[kind] : next[kind] + turn * root.count(ofKind: kind)
      let pool = max(1, pools[number: kind])
      let rest = rank % pool
      next[kind] = rest < 0 ? rest + pool : rest
    }
  }
}

extension MutableSpan<Int> {
  /// The slot of the next item of `kind`. The elements are the numbers of the next slots.
  @inline(__always)
  fileprivate mutating func nextSlot(_ kind: Int, _ pools: Pools) -> Slot {
    let number = self[kind]
    self[kind] = number + 1 < pools[number: kind] ? number + 1 : 0
    return Slot(kind: Kind(number: kind), number: number)
  }
}
