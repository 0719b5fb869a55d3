/// Adjacent items with equal titles, or without a title.
struct Run: Sendable {
  let title: String?
  let length: Int

  /// Compares titles as bytes of UTF-8, not by canonical equivalence.
  func hasTitle(_ other: String?) -> Bool {
    switch (title, other) {
    case (nil, nil): true
    case (let a?, let b?): a.utf8.elementsEqual(b.utf8)
    default: false
    }
  }
}

/// The runs of a strip in order: a persistent balanced tree with one run in each node.
///
///               "1971" x 5                 each node has the number of items
///              ┌────┴─────┐                and of runs of its subtree
///          nil x 4     "1973" x 9
///
/// A weight-balanced tree based on `join`: Blelloch, Ferizovic and Sun, "Just Join for Parallel
/// Ordered Sets" (2016), with their bound of 0.29.
final class RunTree: Sendable {
  let run: Run
  let left: RunTree?
  let right: RunTree?
  let length: Int
  /// The number of runs, plus one.
  private let weight: Int

  var count: Int { weight - 1 }

  private init(_ left: RunTree?, _ run: Run, _ right: RunTree?) {
    self.left = left
    self.run = run
    self.right = right
    length = (left?.length ?? 0) + run.length + (right?.length ?? 0)
    weight = RunTree.weight(left) + RunTree.weight(right)
  }

  /// A tree of one run; nil if `length` is 0.
  static func one(_ title: String?, length: Int) -> RunTree? {
    length > 0 ? RunTree(nil, Run(title: title, length: length), nil) : nil
  }

  /// A tree of runs in order; nil for none. Adjacent runs have different titles. O(runs).
  static func building(_ runs: ArraySlice<Run>) -> RunTree? {
    guard !runs.isEmpty else { return nil }
    let middle = (runs.startIndex + runs.endIndex) / 2
    return RunTree(building(runs[..<middle]), runs[middle], building(runs[(middle + 1)...]))
  }

  /// The run that contains the item at `index`, and its first index. O(log runs).
  func find(_ index: Int) -> (run: Run, start: Int) {
    var node = self
    var start = 0
    while true {
      let here = start + (node.left?.length ?? 0)
      if index < here, let left = node.left {
        node = left
      } else if index >= here + node.run.length, let right = node.right {
        start = here + node.run.length
        node = right
      } else {
        return (node.run, here)
      }
    }
  }

  /// The runs of `a`, then those of `b`. Merges the two runs in the middle if their titles are
  /// equal. O(log runs).
  static func concatenating(_ a: RunTree?, _ b: RunTree?) -> RunTree? {
    guard let a else { return b }
    guard let b else { return a }
    let (rest, last) = removingLast(a)
    let (first, others) = removingFirst(b)
    if last.hasTitle(first.title) {
      return join(rest, Run(title: last.title, length: last.length + first.length), others)
    }
    return join(rest, last, join(nil, first, others))
  }

  /// The runs of the items before `index`, and of the items from `index` on. O(log runs).
  static func split(_ tree: RunTree?, at index: Int) -> (RunTree?, RunTree?) {
    guard let tree else { return (nil, nil) }
    let start = tree.left?.length ?? 0
    let end = start + tree.run.length
    if index <= start {
      let (before, after) = split(tree.left, at: index)
      return (before, join(after, tree.run, tree.right))
    }
    if index >= end {
      let (before, after) = split(tree.right, at: index - end)
      return (join(tree.left, tree.run, before), after)
    }
    let head = Run(title: tree.run.title, length: index - start)
    let tail = Run(title: tree.run.title, length: end - index)
    return (join(tree.left, head, nil), join(nil, tail, tree.right))
  }
}

extension RunTree {
  private static func weight(_ tree: RunTree?) -> Int { tree?.weight ?? 1 }

  private static func balanced(_ a: Int, _ b: Int) -> Bool {
    a * 100 >= (a + b) * 29 && b * 100 >= (a + b) * 29
  }

  private static func join(_ left: RunTree?, _ run: Run, _ right: RunTree?) -> RunTree {
    let (l, r) = (weight(left), weight(right))
    if balanced(l, r) { return RunTree(left, run, right) }
    if l > r, let left {
      return rebalanced(left.left, left.run, join(left.right, run, right))
    }
    guard let right else { return RunTree(left, run, right) }
    return rebalanced(join(left, run, right.left), right.run, right.right)
  }

  /// Restores the balance after a join, by a single or a double rotation.
  private static func rebalanced(_ left: RunTree?, _ run: Run, _ right: RunTree?) -> RunTree {
    let (l, r) = (weight(left), weight(right))
    if balanced(l, r) { return RunTree(left, run, right) }
    if r > l, let right {
      let inner = weight(right.left)
      if balanced(l, inner), balanced(l + inner, weight(right.right)) {
        return RunTree(RunTree(left, run, right.left), right.run, right.right)
      }
      if let middle = right.left {
        return RunTree(
          RunTree(left, run, middle.left), middle.run,
          RunTree(middle.right, right.run, right.right))
      }
    } else if let left {
      let inner = weight(left.right)
      if balanced(r, inner), balanced(r + inner, weight(left.left)) {
        return RunTree(left.left, left.run, RunTree(left.right, run, right))
      }
      if let middle = left.right {
        return RunTree(
          RunTree(left.left, left.run, middle.left), middle.run, RunTree(middle.right, run, right))
      }
    }
    return RunTree(left, run, right)
  }

  private static func removingLast(_ tree: RunTree) -> (RunTree?, Run) {
    guard let right = tree.right else { return (tree.left, tree.run) }
    let (rest, last) = removingLast(right)
    return (join(tree.left, tree.run, rest), last)
  }

  private static func removingFirst(_ tree: RunTree) -> (Run, RunTree?) {
    guard let left = tree.left else { return (tree.run, tree.right) }
    let (first, rest) = removingFirst(left)
    return (first, join(rest, tree.run, tree.right))
  }
}
