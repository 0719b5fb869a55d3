/// The items of a strip that an edit replaced, and those that replaced them: all items before and
/// after are equal, and in equal groups.
///
/// - Complexity: O(log *n*) for strips that share most nodes; O(runs) if groups changed.
struct ChangedRange: Sendable {
  let old: Range<Int>
  let new: Range<Int>

  init(from old: Strip, to new: Strip) {
    var prefix = min(old.count, new.count)
    var suffix = prefix
    if let a = old.root, let b = new.root {
      prefix = Node.commonPrefix(a, b)
      suffix = Node.commonSuffix(a, b)
    }
    if old.runs !== new.runs {
      let (before, after) = (old.boundaries, new.boundaries)
      let difference = new.count - old.count
      for (a, b) in zip(before, after) where a != b || b.start >= prefix {
        prefix = min(prefix, min(a.start, b.start))
        break
      }
      for (a, b) in zip(before.reversed(), after.reversed())
      where !a.isEqual(b, movedBy: difference) {
        suffix = min(suffix, old.count - a.end, new.count - b.end)
        break
      }
    }
    suffix = min(suffix, min(old.count, new.count) - prefix)
    self.old = prefix..<old.count - suffix
    self.new = prefix..<new.count - suffix
  }

  private init(old: Range<Int>, new: Range<Int>) { (self.old, self.new) = (old, new) }

  var isEmpty: Bool { old.isEmpty && new.isEmpty }

  /// How many items more there are.
  var difference: Int { new.count - old.count }

  /// This change and a later one as one change.
  func followed(by next: ChangedRange) -> ChangedRange {
    if isEmpty { return next }
    if next.isEmpty { return self }
    let start = min(old.lowerBound, next.old.lowerBound)
    let end = max(new.upperBound, next.old.upperBound)  // in the items between the changes
    return ChangedRange(old: start..<end - difference, new: start..<end + next.difference)
  }
}

/// A run of items with its title; the items between groups have none.
private struct Boundary: Equatable {
  let start: Int
  let end: Int
  let title: String?

  /// Whether both are the same run, moved by this many items.
  func isEqual(_ other: Boundary, movedBy difference: Int) -> Bool {
    start + difference == other.start && end + difference == other.end && title == other.title
  }
}

extension Strip {
  /// The runs of all items, also of those without a group.
  fileprivate var boundaries: [Boundary] {
    var found: [Boundary] = []
    var end = 0
    for run in groupRuns(from: 0) {
      if end < run.range.lowerBound {
        found.append(Boundary(start: end, end: run.range.lowerBound, title: nil))
      }
      found.append(
        Boundary(start: run.range.lowerBound, end: run.range.upperBound, title: run.title))
      end = run.range.upperBound
    }
    if end < count { found.append(Boundary(start: end, end: count, title: nil)) }
    return found
  }
}

extension Node {
  /// A number of items at the front that are equal in both trees. It can be smaller than possible
  /// where the trees differ in shape.
  fileprivate static func commonPrefix(_ a: Node, _ b: Node) -> Int {
    if a.isIdentical(to: b) { return a.totals.count }
    switch (a, b) {
    case (.leaf(let left), .leaf(let right)):
      if left == right { return left.count }
      return (0..<min(left.count, right.count)).first { left[$0] != right[$0] }
        ?? min(left.count, right.count)
    case (.branch(let left), .branch(let right)) where left.height == right.height:
      var sum = 0
      for child in 0..<min(left.count, right.count) {
        let (one, other) = (left[child], right[child])
        let equal = commonPrefix(one, other)
        sum += equal
        if equal < max(one.totals.count, other.totals.count) { break }
      }
      return sum
    case (.branch(let left), _) where left.height > b.height: return commonPrefix(left[0], b)
    case (_, .branch(let right)) where right.height > a.height: return commonPrefix(a, right[0])
    default: return 0
    }
  }

  /// The same at the end.
  fileprivate static func commonSuffix(_ a: Node, _ b: Node) -> Int {
    if a.isIdentical(to: b) { return a.totals.count }
    switch (a, b) {
    case (.leaf(let left), .leaf(let right)):
      if left == right { return left.count }
      return (0..<min(left.count, right.count)).first {
        left[left.count - 1 - $0] != right[right.count - 1 - $0]
      } ?? min(left.count, right.count)
    case (.branch(let left), .branch(let right)) where left.height == right.height:
      var sum = 0
      for back in 1...min(left.count, right.count) {
        let (one, other) = (left[left.count - back], right[right.count - back])
        let equal = commonSuffix(one, other)
        sum += equal
        if equal < max(one.totals.count, other.totals.count) { break }
      }
      return sum
    case (.branch(let left), _) where left.height > b.height:
      return commonSuffix(left[left.count - 1], b)
    case (_, .branch(let right)) where right.height > a.height:
      return commonSuffix(a, right[right.count - 1])
    default: return 0
    }
  }
}
