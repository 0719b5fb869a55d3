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
    let (x, y) = (span.lowerBound.position, span.upperBound.position)
    var ranks: Ranks? = Ranks(kinds: strip.root?.kindCount ?? 0)
    guard let near = near(x, ranks: &ranks), let range = items(from: near, y - x) else {
      let range = try itemsAround(x, y)
      guard range.count <= most else { throw .tooManyItems(range.count) }
      return window(of: range, pools: pools)
    }
    guard range.count <= most else { throw .tooManyItems(range.count) }
    // One walk has found the place and the ranks there; the items follow in the same leaf.
    var items: [WindowItem] = []
    items.reserveCapacity(range.count)
    let base = wraps ? near.turn * count : 0
    append(
      near.place.before.count..<range.upperBound - base, from: near.place, &ranks,
      inTurn: near.turn, pools: pools, sizedOnly: true, to: &items)
    while let first = items.first, first.index < range.lowerBound { items.removeFirst() }
    return Window(range: range, items: items)
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
  /// The items of a range that have a slot: all that are not hidden, or those of them that are
  /// drawn.
  private func items(of range: Range<Int>, pools: Pools, sizedOnly: Bool) -> [WindowItem] {
    var items: [WindowItem] = []
    items.reserveCapacity(range.count)
    forEachTurn(of: range) { turn, part in
      append(part, inTurn: turn, pools: pools, sizedOnly: sizedOnly, to: &items)
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

  private func append(
    _ range: Range<Int>, inTurn turn: Int, pools: Pools, sizedOnly: Bool,
    to items: inout [WindowItem]
  ) {
    guard let root = strip.root else { return }
    var ranks: Ranks? = Ranks(kinds: root.kindCount)
    let place = root.place(of: range.lowerBound, ranks: &ranks)
    append(
      range, from: place, &ranks, inTurn: turn, pools: pools, sizedOnly: sizedOnly, to: &items)
  }

  /// Appends the items of a range that begins at `place`, where `ranks` come before it.
  private func append(
    _ range: Range<Int>, from place: Place, _ ranks: inout Ranks?, inTurn turn: Int,
    pools: Pools, sizedOnly: Bool, to items: inout [WindowItem]
  ) {
    guard let root = strip.root else { return }
    var writer = WindowWriter(
      scale: scale, base: wraps ? turn * count : 0, origin: start(ofTurn: turn),
      sizedOnly: sizedOnly, totals: place.before,
      numbers: SlotNumbers(&ranks, root, turn: turn, pools: pools))
    let near = min(place.leaf.count, place.offset + range.count)
    writer.write(place.leaf, place.offset..<near, to: &items)
    root.visit(range.lowerBound + near - place.offset..<range.upperBound) { leaf, run in
      writer.write(leaf, run, to: &items)
      return true
    }
  }
}

/// Writes items of one turn in order.
private struct WindowWriter {
  let scale: Scale
  let base: Int
  let origin: Int
  /// Whether items of size 0, which have a slot, are left out.
  let sizedOnly: Bool
  var totals: Totals
  var numbers: SlotNumbers

  mutating func write(_ leaf: Leaf, _ run: Range<Int>, to items: inout [WindowItem]) {
    let packed = leaf.span
    var totals = totals
    var start = origin + scale.position(totals)
    for place in run {
      let item = packed[place]
      let index = base + totals.count
      totals.add(item)
      let next = origin + scale.position(totals)
      if !item.isHidden {
        let slot = numbers.take(item.kind)
        let size = next - scale.gap - start
        if size > 0 || !sizedOnly {
          items.append(
            WindowItem(index: index, slot: slot, start: Length(start), size: Length(size)))
        }
      }
      start = next
    }
    self.totals = totals
  }
}

/// The next slot of each kind: ranks modulo pools, counted along.
private struct SlotNumbers {
  private var next: ContiguousArray<Int>
  private let pools: Pools

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

  @inline(__always)
  mutating func take(_ kind: Int) -> Slot {
    let number = next[kind]
    next[kind] = number + 1 < pools[number: kind] ? number + 1 : 0
    return Slot(kind: Kind(number: kind), number: number)
  }
}
