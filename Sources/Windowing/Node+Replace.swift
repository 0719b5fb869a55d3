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
