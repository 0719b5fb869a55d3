/// A place in the page that is used again for item after item.
public struct Slot: Hashable, Sendable {
  public let kind: Kind

  /// The number among the slots of its kind, from 0.
  public let number: Int

  public init(kind: Kind, number: Int) {
    self.kind = kind
    self.number = number
  }
}

/// An item of a window: which it is, where it is drawn, and in what.
public struct WindowItem: Hashable, Sendable {
  /// Its index; wrapping, that of its turn.
  public let index: Int
  public let slot: Slot
  public let start: Length

  /// Its size: 0 for an item too small to be drawn that lies between others.
  public let size: Length

  public var kind: Kind { slot.kind }
  public var end: Length { start + size }
}

/// The items that meet a stretch of a strip.
public struct Window: Hashable, Sendable {
  /// The whole window, half open, hidden items counted.
  public let range: Range<Int>

  /// Its items in order; hidden ones are not among them.
  public let items: [WindowItem]
}

/// Why a question about a strip has no answer.
public enum WindowingError: Error, Hashable, Sendable {
  /// The strip does not wrap and has no item at this index.
  case noItem(at: Int)

  /// The extent, a position or an index would lie beyond 2^47 px.
  case outOfRange

  /// The window would have this many items, which is more than were asked for at most.
  case tooManyItems(Int)
}

extension Layout {
  /// The window of `span`: the items that meet it, with their slots in `pools`.
  ///
  /// - Throws: As ``items(meeting:)``, and ``WindowingError/tooManyItems(_:)`` where it would have
  ///   more than `most`.
  /// - Complexity: O(log *n* + items in it).
  public func window(
    meeting span: Range<Length>, pools: Pools, most: Int = .max
  ) throws(WindowingError) -> Window {
    try check(span)
    if let window = windowAtHand(meeting: span, pools: pools, most: most) { return window }
    let range = try items(meeting: span)
    guard range.count <= most else { throw .tooManyItems(range.count) }
    return window(of: range, pools: pools)
  }

  /// The window of a range of indices: its items whose size is not 0, with their slots in `pools`.
  ///
  /// An item with rank r of kind k has slot r mod P(k): a law, so that nothing is remembered.
  ///
  /// - Precondition: `range` is within ``indices``.
  /// - Complexity: O(log *n* + items in it).
  public func window(of range: Range<Int>, pools: Pools) -> Window {
    Window(range: range, items: items(of: range, pools: pools, sizedOnly: true))
  }

  /// The slots of the items of `held` that no item of `window` uses, each once, in order: what a
  /// page that holds them can let go of. An item of size 0 has a slot, though no window shows it.
  ///
  /// - Complexity: O(log *n* + items held + items in the window).
  public func slots(leaving held: Range<Int>, for window: Window, pools: Pools) -> [Slot] {
    var used = Set(window.items.map(\.slot))
    return items(of: held.clamped(to: indices), pools: pools, sizedOnly: false)
      .compactMap { used.insert($0.slot).inserted ? $0.slot : nil }
  }
}

extension Layout {
  /// The window of a span that begins within a turn and ends within a few hundred items: the common
  /// case, by one walk to its first item and on to the first that starts behind it.
  private func windowAtHand(
    meeting span: Range<Length>, pools: Pools, most: Int
  ) -> Window? {
    var ranks: Ranks? = Ranks(kinds: strip.root?.kindCount ?? 0)
    guard let root = strip.root, let near = near(span.lowerBound.position, ranks: &ranks)
    else { return nil }
    let place = near.place
    let first = place.before.count
    var writer = WindowWriter(self, root, turn: near.turn, from: place, &ranks, pools: pools)
    var items: [WindowItem] = []
    items.reserveCapacity(24)
    let limit = min(count, first + min(most, 512))
    let isShort = writer.write(
      first..<limit, from: place, of: root, until: span.upperBound.position, to: &items)
    // Behind the last item nothing follows, unless a turn does.
    guard !isShort || limit == count && !wraps else { return nil }
    guard let low = items.first?.index, let high = items.last?.index else {
      let none = writer.base + first
      return Window(range: none..<none, items: [])
    }
    return Window(range: low..<high + 1, items: items)
  }

  /// The items of a range that have a slot: all that are not hidden, or those of them that are
  /// drawn.
  private func items(of range: Range<Int>, pools: Pools, sizedOnly: Bool) -> [WindowItem] {
    var items: [WindowItem] = []
    items.reserveCapacity(range.count)
    forEachTurn(of: range) { turn, part in
      guard let root = strip.root else { return }
      var ranks: Ranks? = Ranks(kinds: root.kindCount)
      let place = root.place(of: part.lowerBound, ranks: &ranks)
      var writer = WindowWriter(
        self, root, turn: turn, from: place, &ranks, pools: pools, sizedOnly: sizedOnly)
      _ = writer.write(part, from: place, of: root, to: &items)
    }
    return items
  }

  /// Calls `body` with each turn that a range touches, and the part of the range in it.
  private func forEachTurn(of range: Range<Int>, _ body: (Int, Range<Int>) -> Void) {
    if range.isEmpty { return }
    precondition(
      range.lowerBound >= indices.lowerBound && range.upperBound <= indices.upperBound,
      "A layout is asked for items that it has.")
    guard wraps else { return body(0, range) }
    let (first, _) = turn(of: range.lowerBound)
    let (last, _) = turn(of: range.upperBound - 1)
    for turn in first...last {
      let base = turn * count
      body(turn, max(0, range.lowerBound - base)..<min(count, range.upperBound - base))
    }
  }
}

/// Writes items of one turn in order.
private struct WindowWriter {
  /// The index of the turn's first item.
  let base: Int
  private let scale: Scale
  private let origin: Int
  /// Whether items of size 0, which have a slot, are left out.
  private let sizedOnly: Bool
  private var totals: Totals
  private var numbers: SlotNumbers

  /// Begins at `place` of `turn`, before which `ranks` come.
  init(
    _ layout: Layout, _ root: Node, turn: Int, from place: Place, _ ranks: inout Ranks?,
    pools: Pools, sizedOnly: Bool = true
  ) {
    base = layout.wraps ? turn * layout.count : 0
    scale = layout.scale
    origin = layout.start(ofTurn: turn)
    self.sizedOnly = sizedOnly
    totals = place.before
    numbers = SlotNumbers(&ranks, root, turn: turn, pools: pools)
  }

  /// Writes the items of `range`, which begins at `place`, that start before `end`; false where one
  /// behind them does not.
  mutating func write(
    _ range: Range<Int>, from place: Place, of root: Node, until end: Int = .max,
    to items: inout [WindowItem]
  ) -> Bool {
    let near = min(place.leaf.count, place.offset + range.count)
    guard write(place.leaf, place.offset..<near, until: end, to: &items) else { return false }
    return root.visit(range.lowerBound + near - place.offset..<range.upperBound) { leaf, run in
      write(leaf, run, until: end, to: &items)
    }
  }

  /// The same of the items of a leaf.
  private mutating func write(
    _ leaf: Leaf, _ run: Range<Int>, until end: Int, to items: inout [WindowItem]
  ) -> Bool {
    let packed = leaf.span
    let (base, scale, origin, sizedOnly) = (base, scale, origin, sizedOnly)
    let pools = numbers.pools
    var totals = totals
    // Checked once whether anyone else holds them, and not for each item.
    var next = numbers.next.mutableSpan
    var start = origin + scale.position(totals)
    var place = run.lowerBound
    while place < run.upperBound, start < end {
      let item = packed[place]
      let index = base + totals.count
      totals.add(item)
      let after = origin + scale.position(totals)
      if !item.isHidden {
        let slot = next.take(item.kind, pools)
        let size = after - scale.gap - start
        if size > 0 || !sizedOnly {
          items.append(
            WindowItem(index: index, slot: slot, start: Length(start), size: Length(size)))
        }
      }
      start = after
      place &+= 1
    }
    self.totals = totals
    return start < end
  }
}

/// The next slot of each kind: ranks modulo pools, counted along.
private struct SlotNumbers {
  var next: ContiguousArray<Int>
  let pools: Pools

  init(_ ranks: inout Ranks?, _ root: Node, turn: Int, pools: Pools) {
    self.pools = pools
    next = ranks?.give() ?? []
    for kind in next.indices {
      let rank = turn == 0 ? next[kind] : next[kind] + turn * root.count(ofKind: kind)
      let pool = max(1, pools[number: kind])
      let rest = rank % pool
      next[kind] = rest < 0 ? rest + pool : rest
    }
  }
}

extension MutableSpan<Int> {
  /// The slot of the next item of `kind`, where these are the numbers of the next slots.
  @inline(__always)
  fileprivate mutating func take(_ kind: Int, _ pools: Pools) -> Slot {
    let number = self[kind]
    self[kind] = number + 1 < pools[number: kind] ? number + 1 : 0
    return Slot(kind: Kind(number: kind), number: number)
  }
}
