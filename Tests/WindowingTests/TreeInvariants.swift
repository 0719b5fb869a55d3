import Windowing

extension Node {
  /// Describes the first broken invariant of the tree; nil if there is none.
  ///
  /// - Complexity: O(nodes).
  func brokenInvariant(isRoot: Bool = true) -> String? {
    switch self {
    case .leaf(let items):
      if items.isEmpty || items.count > Node.leafCapacity { return "leaf of \(items.count) items" }
    case .repetition(let repetition):
      if repetition.times < 2 { return "repetition of \(repetition.times)" }
      if repetition.patternTotals != repetition.pattern.totals {
        return "wrong totals of a pattern"
      }
      return repetition.pattern.brokenInvariant()
    case .branch(let branch):
      let count = branch.count
      if count > Node.branchCapacity || count < (isRoot ? 2 : Node.branchCapacity / 2) {
        return "branch of \(count) at height \(branch.height)"
      }
      if !branch.agrees(with: .joining(branch.children)) {
        return "wrong sums at height \(branch.height)"
      }
      for child in branch.children {
        if child.height != branch.height - 1 { return "child at height \(child.height)" }
        if let broken = child.brokenInvariant(isRoot: false) { return broken }
      }
    }
    return nil
  }
}

extension Branch {
  /// Whether both have equal sums. One can have fields for kinds without items.
  fileprivate func agrees(with other: Branch) -> Bool {
    (0...count).allSatisfy { child in
      totals(before: child) == other.totals(before: child)
        && (0..<max(kinds, other.kinds)).allSatisfy {
          count(ofKind: $0, before: child) == other.count(ofKind: $0, before: child)
        }
    }
  }
}
