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

/// The slots of items in order: rank modulo pool, for each kind.
struct SlotCounter {
  /// The number of the next slot of each kind.
  private(set) var numbers: ContiguousArray<Int>
  private let pools: Pools

  /// Starts at an item of these ranks, in a turn.
  init(_ root: Node, turn: Int = 0, _ ranks: inout Ranks?, _ pools: Pools) {
    self.pools = pools
    numbers = ranks?.moveCounts() ?? []
    for kind in numbers.indices {
      let rank = turn == 0 ? numbers[kind] : numbers[kind] + turn * root.count(ofKind: kind)
      let pool = max(1, pools[number: kind])
      let rest = rank % pool
      numbers[kind] = rest < 0 ? rest + pool : rest
    }
  }

  mutating func next(of kind: Int) -> Slot {
    let number = numbers[kind]
    numbers[kind] = number + 1 < pools[number: kind] ? number + 1 : 0
    return Slot(kind: Kind(number: kind), number: number)
  }
}

extension Strip {
  /// The slots of the items of a range that are not hidden, in a turn.
  func slots(of range: Range<Int>, turn: Int = 0, _ pools: Pools) -> [Slot] {
    guard let root, !range.isEmpty else { return [] }
    var ranks: Ranks? = Ranks(kinds: root.kindCount)
    _ = root.cursor(at: range.lowerBound, ranks: &ranks)
    var counter = SlotCounter(root, turn: turn, &ranks, pools)
    var slots: [Slot] = []
    root.visit(range) { leaf, part in
      for item in leaf[part] where !item.isHidden { slots.append(counter.next(of: item.kind)) }
      return true
    }
    return slots
  }
}
