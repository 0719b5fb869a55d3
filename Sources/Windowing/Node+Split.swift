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
