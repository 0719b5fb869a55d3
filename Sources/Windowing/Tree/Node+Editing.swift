extension Node {
  /// The tree with a few items in place of a few that stand in one leaf: the common edit, which
  /// makes new nodes from the root to that leaf and no others.
  ///
  /// - Returns: One or two nodes of this height and what became of the sums; nil where the edit
  ///   reaches further: into another leaf, into a repetition, or so far that the leaf would become
  ///   too short or too long.
  /// - Complexity: O(log *n*).
  func replacing(_ range: Range<Int>, with items: [PackedItem]) -> Replaced? {
    switch self {
    case .leaf(let old):
      let count = old.count - range.count + items.count
      let shrinks = items.count < range.count
      guard range.upperBound <= old.count, count <= Node.leafCapacity * 2,
        count >= (shrinks ? Node.leafCapacity / 2 : 1)
      else { return nil }
      let (first, second) = Node.leaves(
        old[..<range.lowerBound], items[...], old[range.upperBound...])
      return Replaced(
        first: first, second: second, change: SumsChange(from: old[range], to: items))
    case .repetition:
      return nil
    case .branch(let branch):
      // An insertion between two children goes to the earlier one, which may have room.
      let child = branch.child(
        holding: range.isEmpty ? max(0, range.lowerBound - 1) : range.lowerBound)
      let before = branch.count(before: child)
      let local = range.lowerBound - before..<range.upperBound - before
      return branch[child].replacing(local, with: items).map {
        branch.replacing(child, with: $0)
      }
    }
  }
}

/// What stands in the place of a node after an edit below it.
struct Replaced {
  let first: Node
  let second: Node?
  let change: SumsChange
}

/// What an edit adds to the sums of all that comes after it.
struct SumsChange {
  let totals: Totals
  /// How many more visible items there are of each kind; kinds past the end are as they were.
  let kinds: ContiguousArray<Int>

  init(from old: Leaf.SubSequence, to new: [PackedItem]) {
    var (less, more) = (Totals.zero, Totals.zero)
    var kinds = ContiguousArray<Int>()
    func count(_ item: PackedItem, _ difference: Int) {
      if item.isHidden { return }
      while kinds.count <= item.kind { kinds.append(0) }
      kinds[item.kind] += difference
    }
    for item in old {
      less.add(item)
      count(item, -1)
    }
    for item in new {
      more.add(item)
      count(item, 1)
    }
    totals = more - less
    self.kinds = kinds
  }
}

extension Branch {
  /// The branch with another node, or two, in the place of a child.
  fileprivate func replacing(_ child: Int, with new: Replaced) -> Replaced {
    if new.second == nil, new.change.kinds.count <= kinds {
      let branch = replacing(child, with: new.first, adding: new.change)
      return Replaced(first: .branch(branch), second: nil, change: new.change)
    }
    var pieces = BranchPieces(height: height)
    pieces.append(self, 0..<child)
    pieces.append(new.first)
    if let second = new.second { pieces.append(second) }
    pieces.append(self, child + 1..<count)
    let (first, second) = pieces.nodes()
    return Replaced(first: first, second: second, change: new.change)
  }
}

extension Node {
  /// The items before `index`, and those from it on.
  ///
  /// - Complexity: O(log *n*).
  func split(at index: Int) -> (Node?, Node?) {
    switch self {
    case .leaf(let items):
      if index <= 0 { return (nil, self) }
      if index >= items.count { return (self, nil) }
      return (.leaf(Leaf(items[..<index])), .leaf(Leaf(items[index...])))
    case .repetition(let repetition):
      return repetition.split(at: index)
    case .branch(let branch):
      let child = branch.child(holding: index)
      let (left, right) = branch[child].split(
        at: index - branch.count(before: child))
      var before = BranchPieces(height: branch.height)
      before.append(branch, 0..<child)
      var after = BranchPieces(height: branch.height)
      after.append(branch, child + 1..<branch.count)
      return (Node.joining(before.node(), left), Node.joining(right, after.node()))
    }
  }
}

extension Repetition {
  fileprivate func split(at index: Int) -> (Node?, Node?) {
    if index <= 0 { return (nil, .repetition(self)) }
    if index >= totals.count { return (.repetition(self), nil) }
    let (whole, rest) = index.quotientAndRemainder(dividingBy: turn.count)
    guard rest > 0 else { return (pattern(times: whole), pattern(times: times - whole)) }
    let (left, right) = pattern.split(at: rest)
    return (
      Node.joining(pattern(times: whole), left),
      Node.joining(right, pattern(times: times - whole - 1))
    )
  }

  private func pattern(times: Int) -> Node? {
    switch times {
    case 0: nil
    case 1: pattern
    default: .repetition(Repetition(pattern, times: times))
    }
  }
}

extension Branch {
  /// The child that the item at `index` stands in; the last one for an index past the end.
  ///
  /// The child is guessed as if all were equally long, and then set right by steps.
  @inline(__always)
  func child(holding index: Int) -> Int {
    let last = count &- 1
    var child = min(last, index &* count / count(before: count))
    while child > 0, count(before: child) > index { child &-= 1 }
    while child < last, count(before: child &+ 1) <= index { child &+= 1 }
    return child
  }
}
