/// Counts what a walk down the tree leaves behind on its left.
protocol Tally {
  /// Passes the children of a branch before `child`.
  mutating func pass(_ child: Int, of branch: Branch)

  /// Passes a whole tree, some times over.
  mutating func pass(_ pattern: Node, times: Int)

  /// Passes one item.
  mutating func pass(_ item: PackedItem)
}

/// Counts nothing: where an item is, without its rank.
struct NoTally: Tally {
  @inline(__always)
  mutating func pass(_ child: Int, of branch: Branch) {}
  @inline(__always)
  mutating func pass(_ pattern: Node, times: Int) {}
  @inline(__always)
  mutating func pass(_ item: PackedItem) {}
}

/// How many visible items of each kind were passed: the rank of the next one of each.
struct Ranks: Tally {
  private(set) var counts: ContiguousArray<Int>

  /// Starts at rank 0 for each of `kinds` kinds.
  init(kinds: Int) { counts = ContiguousArray(repeating: 0, count: kinds) }

  @inline(__always)
  mutating func pass(_ child: Int, of branch: Branch) {
    for kind in 0..<branch.kinds { counts[kind] &+= branch.count(ofKind: kind, before: child) }
  }

  mutating func pass(_ pattern: Node, times: Int) {
    for kind in 0..<pattern.kindCount { counts[kind] &+= pattern.count(ofKind: kind) &* times }
  }

  @inline(__always)
  mutating func pass(_ item: PackedItem) {
    if !item.isHidden { counts[item.kind] &+= 1 }
  }
}
