extension Node {
  /// The tree with a few items in place of a few that stand in one leaf: the common edit, which
  /// makes new nodes from the root to that leaf and no others.
  ///
  /// - Returns: One or two nodes of this height, or nil where the edit reaches further: into
  ///   another leaf, into a repetition, or so far that the leaf would become too short or long.
  /// - Complexity: O(log *n*).
  func replacing(_ range: Range<Int>, with items: some Collection<PackedItem>) -> (Node, Node?)? {
    switch self {
    case .leaf(let old):
      let count = old.count - range.count + items.count
      let shrinks = items.count < range.count
      guard range.upperBound <= old.count, count <= Node.leafCapacity * 2,
        count >= (shrinks ? Node.leafCapacity / 2 : 1)
      else { return nil }
      return Node.leaves(old[..<range.lowerBound], items, old[range.upperBound...])
    case .repetition:
      return nil
    case .branch(let branch):
      // An insertion between two children goes to the earlier one, which may have room.
      let child = branch.child(holding: range.isEmpty ? range.lowerBound - 1 : range.lowerBound)
      let before = branch.sums.count(before: child)
      let local = range.lowerBound - before..<range.upperBound - before
      guard let (first, second) = branch.children[child].replacing(local, with: items)
      else { return nil }
      var pieces = BranchPieces(height: branch.height)
      pieces.append(branch, 0..<child)
      pieces.append(first)
      if let second { pieces.append(second) }
      pieces.append(branch, child + 1..<branch.children.count)
      return pieces.nodes()
    }
  }
}
