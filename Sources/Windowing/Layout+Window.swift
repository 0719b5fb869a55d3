extension Layout {
  /// The window of `span`: the items that meet it, with their slots in `pools`.
  ///
  /// - Throws: As ``items(meeting:)``.
  /// - Complexity: O(log *n* + items in it).
  public func window(meeting span: Range<Length>, pools: Pools) throws(WindowingError) -> Window {
    window(of: try items(meeting: span), pools: pools)
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

/// A part of a range of indices that lies in one turn.
private struct TurnPart {
  let turn: Int
  let range: Range<Int>
}

extension Layout {
  /// The items of a range that have a slot: all that are not hidden, or those of them that are
  /// drawn.
  private func items(of range: Range<Int>, pools: Pools, sizedOnly: Bool) -> [WindowItem] {
    var items: [WindowItem] = []
    items.reserveCapacity(range.count)
    for part in turns(of: range) {
      append(part, pools: pools, sizedOnly: sizedOnly, to: &items)
    }
    return items
  }

  private func turns(of range: Range<Int>) -> [TurnPart] {
    guard !range.isEmpty else { return [] }
    precondition(
      range.lowerBound >= indices.lowerBound && range.upperBound <= indices.upperBound,
      "A layout is asked for items that it has.")
    guard wraps else { return [TurnPart(turn: 0, range: range)] }
    let (turn, _) = turn(of: range.lowerBound)
    let (last, _) = self.turn(of: range.upperBound - 1)
    return (turn...last).map { turn in
      let base = turn * count
      return TurnPart(
        turn: turn,
        range: max(0, range.lowerBound - base)..<min(count, range.upperBound - base))
    }
  }

  private func append(
    _ part: TurnPart, pools: Pools, sizedOnly: Bool, to items: inout [WindowItem]
  ) {
    guard let root = strip.root else { return }
    let gap = gap.position
    let origin = start(ofTurn: part.turn)
    let base = part.turn * count
    var numbers = SlotNumbers(root, before: part.range.lowerBound, turn: part.turn, pools: pools)
    var totals = root.totals(before: part.range.lowerBound)
    var start = origin + scale.position(totals)
    root.visit(part.range) { leaf, run in
      for place in run {
        let item = leaf[place]
        let index = base + totals.count
        totals.add(item)
        let next = origin + scale.position(totals)
        if !item.isHidden {
          let slot = numbers.take(item.kind)
          let size = next - gap - start
          if size > 0 || !sizedOnly {
            items.append(
              WindowItem(index: index, slot: slot, start: Length(start), size: Length(size)))
          }
        }
        start = next
      }
      return true
    }
  }
}

/// The next slot of each kind: ranks modulo pools, counted along.
private struct SlotNumbers {
  private var next: ContiguousArray<Int>
  private let pools: Pools

  init(_ root: Node, before index: Int, turn: Int, pools: Pools) {
    self.pools = pools
    let kinds = root.kindCount
    next = root.ranks(before: index, kinds: kinds)
    for kind in 0..<kinds {
      let pool = max(1, pools[number: kind])
      let rest = (turn * root.count(ofKind: kind) + next[kind]) % pool
      next[kind] = rest < 0 ? rest + pool : rest
    }
  }

  mutating func take(_ kind: Int) -> Slot {
    let number = next[kind]
    next[kind] = number + 1 < pools[number: kind] ? number + 1 : 0
    return Slot(kind: Kind(number: kind), number: number)
  }
}
