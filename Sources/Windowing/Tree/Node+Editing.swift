extension Node {
  /// Replaces a few items of one leaf. This is the fast path of edits: it makes new nodes only from
  /// the root to that leaf.
  ///
  /// - Returns: One or two nodes of this height, and the change of the sums. Nil if the range spans
  ///   several leaves or a repetition, or if the leaf would become too short or too long.
  /// - Complexity: O(log *n*).
  func replacing(_ range: Range<Int>, with items: [PackedItem]) -> ReplacedNode? {
    switch self {
    case .leaf(let old):
      let count = old.count - range.count + items.count
      let shrinks = items.count < range.count
      guard range.upperBound <= old.count, count <= Node.leafCapacity * 2,
        count >= (shrinks ? Node.leafCapacity / 2 : 1)
      else { return nil }
      let (first, second) = Node.leaves(
        old[..<range.lowerBound], items[...], old[range.upperBound...])
      return ReplacedNode(
        first: first, second: second, change: SumsDelta(from: old[range], to: items))
    case .repetition:
      return nil
    case .branch(let branch):
      // An insertion between two children goes into the first one.
      let child = branch.child(
        holding: range.isEmpty ? max(0, range.lowerBound - 1) : range.lowerBound)
      let before = branch.count(before: child)
      let local = range.lowerBound - before..<range.upperBound - before
      return branch[child].replacing(local, with: items).map {
        branch.replacing(child, with: $0)
      }
    }
  }

  /// The items before `index`, and the items from `index` on. Nil stands for no items.
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
      var before = BranchBuilder(height: branch.height)
      before.append(branch, 0..<child)
      var after = BranchBuilder(height: branch.height)
      after.append(branch, child + 1..<branch.count)
      return (Node.joining(before.node(), left), Node.joining(right, after.node()))
    }
  }
}

struct ReplacedNode {
  let first: Node
  let second: Node?
  let change: SumsDelta
}

/// The difference that an edit adds to the sums of all later nodes.
struct SumsDelta {
  let totals: Totals
  /// The difference in visible items, by kind. Kinds past the end do not change.
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
  fileprivate func replacing(_ child: Int, with new: ReplacedNode) -> ReplacedNode {
    if new.second == nil, new.change.kinds.count <= kinds {
      let branch = replacing(child, with: new.first, adding: new.change)
      return ReplacedNode(first: .branch(branch), second: nil, change: new.change)
    }
    var children = BranchBuilder(height: height)
    children.append(self, 0..<child)
    children.append(new.first)
    if let second = new.second { children.append(second) }
    children.append(self, child + 1..<count)
    let (first, second) = children.nodes()
    return ReplacedNode(first: first, second: second, change: new.change)
  }
}

extension Repetition {
  fileprivate func split(at index: Int) -> (Node?, Node?) {
    if index <= 0 { return (nil, .repetition(self)) }
    if index >= totals.count { return (.repetition(self), nil) }
    let (whole, rest) = index.quotientAndRemainder(dividingBy: patternTotals.count)
    guard rest > 0 else { return (pattern.repeated(whole), pattern.repeated(times - whole)) }
    let (left, right) = pattern.split(at: rest)
    return (
      Node.joining(pattern.repeated(whole), left),
      Node.joining(right, pattern.repeated(times - whole - 1))
    )
  }
}
