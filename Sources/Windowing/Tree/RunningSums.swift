/// The sums that a new ``Branch`` stores: those before each child, and those of all children.
struct RunningSums {
  let kinds: Int

  /// Records of count, aspects, widths, and visible items of each kind. The first record is zero.
  private(set) var numbers: ContiguousArray<Int>

  private var stride: Int { kinds &+ 3 }

  init(over children: ContiguousArray<Node>) {
    self.init(kinds: children.reduce(0) { max($0, $1.kindCount) }, capacity: children.count)
    for child in children { append(child) }
  }

  /// Adds up the sums of a piece, whose children have `count` items each, except the last one.
  ///
  /// - Complexity: O(items): one pass if no kind is above 7.
  init(of piece: Leaf, each count: Int) {
    let items = piece.span
    let children = Swift.stride(from: 0, to: piece.count, by: count)
      .map { $0..<Swift.min(piece.count, $0 + count) }
    let sums = children.map { LeafSum(items.extracting($0)) }
    guard count <= 255, sums.allSatisfy(\.hasFewKinds) else {
      self.init(kinds: piece.kindCount, capacity: children.count)
      for child in children { append(piece, child) }
      return
    }
    let kindBytes = zip(children, sums).map { child, sum in
      // Most strips have long runs of one kind, or one kind only.
      sum.kind.map { UInt64(sum.visible) << UInt64($0 * 8) } ?? items.extracting(child).kindBytes
    }
    let kinds = (71 - kindBytes.reduce(0, |).leadingZeroBitCount) / 8
    self.init(kinds: kinds, capacity: children.count)
    for (index, child) in children.enumerated() {
      let last = numbers.count &- stride
      numbers.append(numbers[last] &+ child.count)
      numbers.append(numbers[last &+ 1] &+ sums[index].aspectUnits)
      numbers.append(numbers[last &+ 2] &+ sums[index].widthUnits)
      for kind in 0..<kinds {
        let count = Int(kindBytes[index] >> UInt64(kind * 8) & 255)
        numbers.append(numbers[last &+ 3 &+ kind] &+ count)
      }
    }
  }

  init(kinds: Int, capacity: Int) {
    self.kinds = kinds
    numbers = []
    numbers.reserveCapacity((kinds + 3) * (capacity + 1))
    for _ in 0..<kinds + 3 { numbers.append(0) }
  }

  mutating func append(_ node: Node) {
    let last = numbers.count &- stride
    switch node {
    case .leaf(let items):
      append(items, 0..<items.count)
    case .branch(let branch):
      append(0..<branch.count, of: branch)
    case .repetition(let repetition):
      let sum = repetition.totals
      numbers.append(numbers[last] &+ sum.count)
      numbers.append(numbers[last &+ 1] &+ sum.aspectUnits)
      numbers.append(numbers[last &+ 2] &+ sum.widthUnits)
      for kind in 0..<kinds {
        numbers.append(numbers[last &+ 3 &+ kind] &+ node.count(ofKind: kind))
      }
    }
  }

  /// Appends a range of items as one child.
  mutating func append(_ items: Leaf, _ range: Range<Int>) {
    let last = numbers.count &- stride
    for number in last..<last &+ stride { numbers.append(numbers[number]) }
    let next = last &+ stride
    let sum = LeafSum(items.span.extracting(range))
    numbers[next] &+= range.count
    numbers[next &+ 1] &+= sum.aspectUnits
    numbers[next &+ 2] &+= sum.widthUnits
    if let kind = sum.kind {
      // The record may have no entry for a kind of hidden items only.
      if sum.visible > 0 { numbers[next &+ 3 &+ kind] &+= sum.visible }
      return
    }
    var sums = numbers.mutableSpan
    let items = items.span
    for index in range {
      let item = items[index]
      if !item.isHidden { sums[next &+ 3 &+ item.kind] &+= 1 }
    }
  }

  /// Appends a range of the children of a branch as one child.
  mutating func append(_ children: Range<Int>, of branch: Branch) {
    let last = numbers.count &- stride
    let more =
      branch.totals(before: children.upperBound) - branch.totals(before: children.lowerBound)
    numbers.append(numbers[last] &+ more.count)
    numbers.append(numbers[last &+ 1] &+ more.aspectUnits)
    numbers.append(numbers[last &+ 2] &+ more.widthUnits)
    for kind in 0..<kinds {
      numbers.append(
        numbers[last &+ 3 &+ kind] &+ branch.count(ofKind: kind, before: children.upperBound)
          &- branch.count(ofKind: kind, before: children.lowerBound))
    }
  }
}

/// The number of visible items of each kind before a position: the rank of the next item.
struct Ranks {
  private(set) var counts: ContiguousArray<Int>

  init(kinds: Int) {
    counts = []
    counts.reserveCapacity(kinds)
    for _ in 0..<kinds { counts.append(0) }
  }

  /// Returns the counts and clears them, so that the caller can change them without a copy.
  mutating func moveCounts() -> ContiguousArray<Int> {
    defer { counts = [] }
    return counts
  }

  @inline(__always)
  mutating func add(childrenBefore child: Int, of branch: Branch) {
    for kind in 0..<branch.kinds { counts[kind] &+= branch.count(ofKind: kind, before: child) }
  }

  mutating func add(_ pattern: Node, times: Int) {
    for kind in 0..<pattern.kindCount { counts[kind] &+= pattern.count(ofKind: kind) &* times }
  }

  /// Adds items of a leaf.
  ///
  /// For at most eight kinds, one number holds a count of one byte for each kind.
  ///
  /// - Precondition: `range` has at most 255 items, so that no byte overflows.
  mutating func add(_ leaf: Leaf, _ range: Range<Int>) {
    let items = leaf.span
    var counts = counts.mutableSpan
    let most = counts.count <= 8 ? range.upperBound : range.lowerBound
    var packed: UInt64 = 0
    for index in range.lowerBound..<most {
      packed &+= UInt64(items[index].visible) &<< UInt64(items[index].kind &* 8)
    }
    for kind in 0..<min(8, counts.count) {
      counts[kind] &+= Int(packed &>> UInt64(kind &* 8) & 255)
    }
    for index in most..<range.upperBound where !items[index].isHidden {
      counts[items[index].kind] &+= 1
    }
  }
}
