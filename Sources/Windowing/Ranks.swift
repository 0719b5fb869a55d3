/// How many visible items of each kind a walk down the tree has left behind on its left: the rank
/// of the next one of each.
struct Ranks {
  private(set) var counts: ContiguousArray<Int>

  /// Starts at rank 0 for each of `kinds` kinds.
  init(kinds: Int) {
    counts = []
    counts.reserveCapacity(kinds)
    for _ in 0..<kinds { counts.append(0) }
  }

  /// Gives the counts away, and has none left.
  mutating func give() -> ContiguousArray<Int> {
    defer { counts = [] }
    return counts
  }

  /// Passes the children of a branch before `child`.
  @inline(__always)
  mutating func pass(_ child: Int, of branch: Branch) {
    for kind in 0..<branch.kinds { counts[kind] &+= branch.count(ofKind: kind, before: child) }
  }

  /// Passes a whole tree, some times over.
  mutating func pass(_ pattern: Node, times: Int) {
    for kind in 0..<pattern.kindCount { counts[kind] &+= pattern.count(ofKind: kind) &* times }
  }

  /// Passes items of a leaf.
  ///
  /// With up to eight kinds, counts of one byte each are kept in one number.
  ///
  /// - Precondition: No more items than a leaf has: they never carry into the next byte.
  mutating func pass(_ leaf: Leaf, _ range: Range<Int>) {
    let items = leaf.span
    var counts = counts.mutableSpan
    let most = counts.count <= 8 ? range.upperBound : range.lowerBound
    var packed: UInt64 = 0
    for place in range.lowerBound..<most {
      packed &+= UInt64(items[place].visible) &<< UInt64(items[place].kind &* 8)
    }
    for kind in 0..<min(8, counts.count) {
      counts[kind] &+= Int(packed &>> UInt64(kind &* 8) & 255)
    }
    for place in most..<range.upperBound where !items[place].isHidden {
      counts[items[place].kind] &+= 1
    }
  }
}
