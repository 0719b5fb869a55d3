/// The range of items that an edit replaced, before and after the edit. All items outside of it are
/// equal, and in equal groups.
///
/// - Complexity: O(log *n*) for strips that share most nodes; O(runs) if groups changed.
struct ChangedRange: Sendable {
  let old: Range<Int>
  let new: Range<Int>

  init(from old: Strip, to new: Strip, includesGroups: Bool = true) {
    var prefix = min(old.count, new.count)
    var suffix = prefix
    if let a = old.root, let b = new.root {
      prefix = Node.equalItems(a, b)
      suffix = Node.equalItems(a, b, atEnd: true)
    }
    if includesGroups, old.runs !== new.runs {
      let (before, after) = (Array(old.allRuns), Array(new.allRuns))
      let difference = new.count - old.count
      for (a, b) in zip(before, after) where b.start >= prefix || !Self.isSame(a, b) {
        prefix = min(prefix, a.start, b.start)
        break
      }
      for (a, b) in zip(before.reversed(), after.reversed())
      where !Self.isSame(a, b, movedBy: difference) {
        suffix = min(
          suffix, old.count - a.start - a.run.length, new.count - b.start - b.run.length)
        break
      }
    }
    suffix = min(suffix, min(old.count, new.count) - prefix)
    self.old = prefix..<old.count - suffix
    self.new = prefix..<new.count - suffix
  }

  private init(old: Range<Int>, new: Range<Int>) { (self.old, self.new) = (old, new) }

  var isEmpty: Bool { old.isEmpty && new.isEmpty }

  var difference: Int { new.count - old.count }

  func merged(with next: ChangedRange) -> ChangedRange {
    if isEmpty { return next }
    if next.isEmpty { return self }
    let start = min(old.lowerBound, next.old.lowerBound)
    let end = max(new.upperBound, next.old.upperBound)  // in the items between the changes
    return ChangedRange(old: start..<end - difference, new: start..<end + next.difference)
  }
}

extension ChangedRange {
  private static func isSame(_ a: PlacedRun, _ b: PlacedRun, movedBy difference: Int = 0) -> Bool {
    a.start + difference == b.start && a.run.length == b.run.length && a.run.hasTitle(b.run.title)
  }
}

extension ChangedRange {
  /// The changes from one strip to the other as a few short ranges, in order. An item that moves far
  /// changes two such ranges. Nil if there are more ranges, or longer ones.
  ///
  /// - Complexity: O(log *n*).
  static func parts(from old: Strip, to new: Strip) -> [ChangedRange]? {
    var parts: [ChangedRange] = []
    guard let a = old.root, let b = new.root,
      Node.forEachChange(
        from: a, at: 0, to: b, at: 0,
        { old, new in
          parts.append(ChangedRange(old: old, new: new))
          return parts.count <= 8 && new.count <= 4096
        })
    else { return nil }
    return parts
  }
}

extension Node {
  /// Calls `body` with the ranges of items that differ in two trees, in order, until it returns false.
  /// Returns false if `body` did.
  fileprivate static func forEachChange(
    from a: Node, at start: Int, to b: Node, at newStart: Int,
    _ body: (Range<Int>, Range<Int>) -> Bool
  ) -> Bool {
    if a.isIdentical(to: b) { return true }
    guard case .branch(let left) = a, case .branch(let right) = b, left.height == right.height,
      left.height > 1
    else {
      let (count, newCount) = (a.totals.count, b.totals.count)
      let prefix = equalItems(a, b)
      let suffix = min(equalItems(a, b, atEnd: true), min(count, newCount) - prefix)
      return body(
        start + prefix..<start + count - suffix, newStart + prefix..<newStart + newCount - suffix)
    }
    let limit = min(left.count, right.count)
    let isEven = left.count == right.count
    let prefix =
      isEven ? limit : (0..<limit).first { !left[$0].isIdentical(to: right[$0]) } ?? limit
    for child in 0..<prefix {
      guard
        forEachChange(
          from: left[child], at: start + left.count(before: child), to: right[child],
          at: newStart + right.count(before: child), body)
      else { return false }
    }
    if isEven { return true }
    let suffix =
      (0..<limit - prefix).first {
        !left[left.count - 1 - $0].isIdentical(to: right[right.count - 1 - $0])
      } ?? limit - prefix
    return body(
      start + left.count(before: prefix)..<start + left.count(before: left.count - suffix),
      newStart + right.count(before: prefix)..<newStart + right.count(before: right.count - suffix))
  }

  /// The number of equal items at the start or at the end of two trees. It can be too low if the trees
  /// differ in shape.
  fileprivate static func equalItems(_ a: Node, _ b: Node, atEnd: Bool = false) -> Int {
    if a.isIdentical(to: b) { return a.totals.count }
    func index(_ number: Int, of count: Int) -> Int { atEnd ? count - 1 - number : number }
    switch (a, b) {
    case (.leaf(let left), .leaf(let right)):
      if left == right { return left.count }
      let limit = min(left.count, right.count)
      return (0..<limit).first {
        left[index($0, of: left.count)] != right[index($0, of: right.count)]
      } ?? limit
    case (.branch(let left), .branch(let right)) where left.height == right.height:
      var sum = 0
      for number in 0..<min(left.count, right.count) {
        let one = left[index(number, of: left.count)]
        let other = right[index(number, of: right.count)]
        let equal = equalItems(one, other, atEnd: atEnd)
        sum += equal
        if equal < max(one.totals.count, other.totals.count) { break }
      }
      return sum
    case (.branch(let left), _) where left.height > b.height:
      return equalItems(left[index(0, of: left.count)], b, atEnd: atEnd)
    case (_, .branch(let right)) where right.height > a.height:
      return equalItems(a, right[index(0, of: right.count)], atEnd: atEnd)
    default: return 0
    }
  }
}
