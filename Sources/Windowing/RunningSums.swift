/// The sums of a ``Branch`` to be made: what comes before each child, and in them all.
struct RunningSums {
  /// How many kinds have a count in each record.
  let kinds: Int

  /// Records of count, aspects, widths, and visible items of each kind; the first is of zeros.
  private(set) var numbers: ContiguousArray<Int>

  private var stride: Int { kinds &+ 3 }

  /// Sums nodes up from nothing.
  init(over children: ContiguousArray<Node>) {
    self.init(kinds: children.reduce(0) { max($0, $1.kindCount) }, capacity: children.count)
    for child in children { append(child) }
  }

  /// Makes an empty list with room for `capacity` children.
  init(kinds: Int, capacity: Int) {
    self.kinds = kinds
    numbers = []
    numbers.reserveCapacity((kinds + 3) * (capacity + 1))
    for _ in 0..<kinds + 3 { numbers.append(0) }
  }

  /// Adds the sums of a node.
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

  /// Adds the sums of some items of a leaf.
  mutating func append(_ items: Leaf, _ range: Range<Int>) {
    let last = numbers.count &- stride
    for number in last..<last &+ stride { numbers.append(numbers[number]) }
    let next = last &+ stride
    let sum = LeafSum(items.span.extracting(range))
    numbers[next] &+= range.count
    numbers[next &+ 1] &+= sum.aspectUnits
    numbers[next &+ 2] &+= sum.widthUnits
    if let kind = sum.kind {
      // Hidden items may be of a kind that nothing visible here has.
      if sum.visible > 0 { numbers[next &+ 3 &+ kind] &+= sum.visible }
      return
    }
    var sums = numbers.mutableSpan
    let items = items.span
    for place in range {
      let item = items[place]
      if !item.isHidden { sums[next &+ 3 &+ item.kind] &+= 1 }
    }
  }

  /// Adds the sums of some children of a branch, taken as one.
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
