/// Adjacent items of one group.
public struct GroupRun: Hashable, Sendable {
  public let title: String

  public let range: Range<Int>

  public init(title: String, range: Range<Int>) {
    self.title = title
    self.range = range
  }

  /// Compares titles as bytes of UTF-8.
  public static func == (a: GroupRun, b: GroupRun) -> Bool {
    a.range == b.range && a.title.utf8.elementsEqual(b.title.utf8)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(range) }
}

extension Strip {
  /// Sets the group of items; nil for none. Adjacent items with equal titles form one group.
  public mutating func setGroup(_ title: String?, for range: Range<Int>) {
    checkRange(range)
    if let (run, start) = runs?.find(range.lowerBound), run.hasTitle(title),
      start + run.length >= range.upperBound
    {
      return
    }
    replaceRuns(range, by: range.count, title: title)
  }

  /// Replaces the groups of all items.
  ///
  ///     strip.setGroups([("1971", 5), (nil, 1), ("1972", 4)])
  ///
  /// - Precondition: The counts of the runs add up to the count of the strip.
  public mutating func setGroups(_ groups: [(title: String?, count: Int)]) {
    var joined: [Run] = []
    var sum = 0
    for group in groups where group.count > 0 {
      sum += group.count
      if let last = joined.last, last.hasTitle(group.title) {
        joined[joined.count - 1] = Run(title: last.title, length: last.length + group.count)
      } else {
        joined.append(Run(title: group.title, length: group.count))
      }
    }
    precondition(sum == count, "The groups of a strip add up to its items.")
    runs = .building(joined[...])
    dropUntitledRuns()
  }

  /// The number of runs, with those without a group; 0 if no item has a group.
  package var runCount: Int { runs?.count ?? 0 }

  /// The group of the item at `index`; nil if it has none.
  public func groupRun(at index: Int) -> GroupRun? {
    precondition(index >= 0 && index < count, "An index into a strip is within it.")
    guard let (run, start) = runs?.find(index), let title = run.title else { return nil }
    return GroupRun(title: title, range: start..<start + run.length)
  }

  /// The runs from the group on that contains or follows `index`. O(log runs), then O(1) for each on average.
  public func groupRuns(from index: Int) -> GroupRuns {
    GroupRuns(runs: RunIterator(runs, from: max(0, index)))
  }

  public struct GroupRuns: Sequence, IteratorProtocol, Sendable {
    fileprivate var runs: RunIterator

    public mutating func next() -> GroupRun? {
      while let (run, start) = runs.next() {
        if let title = run.title {
          return GroupRun(title: title, range: start..<start + run.length)
        }
      }
      return nil
    }
  }
}

extension Strip {
  /// The runs of `count` items: one run without a title if no item has a group.
  func runsCovering(_ count: Int) -> RunTree? { runs ?? .one(nil, length: count) }

  /// All runs in order, also those without a group.
  var allRuns: RunIterator { RunIterator(runsCovering(count)) }

  /// Replaces the runs of `range`, a range before the edit. The tree of items already contains the edit.
  mutating func replaceRuns(_ range: Range<Int>, by length: Int, title: String?) {
    guard runs != nil || title != nil else { return }
    let old = count - length + range.count
    let (head, rest) = RunTree.split(runsCovering(old), at: range.lowerBound)
    let tail = RunTree.split(rest, at: range.count).1
    runs = .concatenating(.concatenating(head, .one(title, length: length)), tail)
    dropUntitledRuns()
  }

  /// Sets ``runs`` to nil if no item has a group, so that equal strips have equal runs.
  mutating func dropUntitledRuns() {
    if let runs, runs.run.length == runs.length, runs.run.title == nil { self.runs = nil }
  }
}

/// Adjacent items with equal titles, or without a title.
struct Run: Sendable {
  let title: String?
  let length: Int

  func hasTitle(_ other: String?) -> Bool {
    switch (title, other) {
    case (nil, nil): true
    case (let a?, let b?): a.utf8.elementsEqual(b.utf8)
    default: false
    }
  }
}

typealias PlacedRun = (run: Run, start: Int)

struct RunIterator: Sequence, IteratorProtocol, Sendable {
  /// The nodes whose run and right subtree are still to visit. The last one has the next run.
  private var path: [RunTree] = []
  /// The first index of the next run.
  private var start = 0

  init(_ runs: RunTree?, from index: Int = 0) {
    var rest = runs
    while let tree = rest {
      let here = start + (tree.left?.length ?? 0)
      let end = here + tree.run.length
      if index < end { path.append(tree) }
      if index < here {
        rest = tree.left
      } else {
        start = index < end ? here : end
        rest = index < end ? nil : tree.right
      }
    }
  }

  mutating func next() -> PlacedRun? {
    guard let tree = path.popLast() else { return nil }
    defer { start += tree.run.length }
    var rest = tree.right
    while let tree = rest {
      path.append(tree)
      rest = tree.left
    }
    return (tree.run, start)
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

  func find(_ index: Int) -> PlacedRun {
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

  /// Merges the two runs in the middle if their titles are equal. O(log runs).
  static func concatenating(_ a: RunTree?, _ b: RunTree?) -> RunTree? {
    guard let a else { return b }
    guard let b else { return a }
    let (last, start) = a.find(a.length - 1)
    let rest = split(a, at: start).0
    let first = b.find(0).run
    guard last.hasTitle(first.title) else { return join(rest, last, b) }
    let both = Run(title: last.title, length: last.length + first.length)
    return join(rest, both, split(b, at: first.length).1)
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
}
