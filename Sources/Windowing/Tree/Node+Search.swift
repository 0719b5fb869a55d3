/// The result of a search: a leaf, an offset in it, and the totals before that item.
struct LeafCursor {
  let leaf: Leaf
  let offset: Int
  let before: Totals

  var item: PackedItem { leaf[offset] }

  /// The totals with the item.
  var after: Totals {
    var totals = before
    totals.add(item)
    return totals
  }
}

extension Node {
  /// The first item that ends after `target`, including its gap: the least i with a position after
  /// item i above `target`. Nil if the tree ends before. O(log *n*).
  func firstItem(endingAfter target: Int, at scale: Scale) -> LeafCursor? {
    var none: Ranks?
    return firstItem(endingAfter: target, at: scale, ranks: &none)
  }

  /// The first item that ends after `target`. Adds all earlier items to `ranks`.
  ///
  /// It guesses the child by interpolation, and corrects the guess in steps: it is seldom off by more
  /// than one.
  func firstItem(
    endingAfter target: Int, at scale: Scale, ranks: inout Ranks?
  ) -> LeafCursor? {
    var node = self
    var before = Totals.zero
    var (start, end) = (0, scale.position(totals))
    guard end > target else { return nil }
    while true {
      switch node {
      case .leaf(let items):
        return items.firstItem(
          of: 0..<items.count, endingAfter: target, at: scale, before: before, ranks: &ranks)
      case .branch(let branch):
        var child = guess(of: branch.count, target &- start, of: end &- start)
        start = scale.position(before + branch.totals(before: child))
        while child > 0, start > target {
          child &-= 1
          start = scale.position(before + branch.totals(before: child))
        }
        end = scale.position(before + branch.totals(before: child &+ 1))
        while child < branch.count &- 1, end <= target {
          child &+= 1
          start = end
          end = scale.position(before + branch.totals(before: child &+ 1))
        }
        before = before + branch.totals(before: child)
        ranks?.add(childrenBefore: child, of: branch)
        if let segment = branch.segment {
          return segment.firstItem(
            of: branch.itemRange(child), endingAfter: target, at: scale, before: before,
            ranks: &ranks)
        }
        node = branch[child]
      case .repetition(let repetition):
        let lap = (0..<repetition.times &- 1).partitioningIndex {
          scale.position(before + repetition.patternTotals * ($0 &+ 1)) > target
        }
        ranks?.add(repetition.pattern, times: lap)
        before = before + repetition.patternTotals * lap
        start = scale.position(before)
        end = scale.position(before + repetition.patternTotals)
        node = repetition.pattern
      }
    }
  }

  /// The child at the target if all `count` children have equal lengths; 0 if all are empty.
  @inline(__always)
  private func guess(of count: Int, _ target: Int, of length: Int) -> Int {
    guard length > 0 else { return 0 }
    let share = Double(target) / Double(length) * Double(count)
    return max(0, min(count &- 1, Int(share)))
  }
}

extension Leaf {
  /// The first item of `range` that ends after `target`.
  fileprivate func firstItem(
    of range: Range<Int>, endingAfter target: Int, at scale: Scale, before: Totals,
    ranks: inout Ranks?
  ) -> LeafCursor? {
    let items = span
    var before = before
    var offset = range.lowerBound
    // Skips eight items at a time while they end before the target, then one by one.
    while offset &+ 8 <= range.upperBound {
      var after = before
      after.add(eight: items, from: offset)
      if scale.position(after) > target { break }
      before = after
      offset &+= 8
    }
    while offset < range.upperBound {
      var after = before
      after.add(items[offset])
      if scale.position(after) > target {
        ranks?.add(self, range.lowerBound..<offset)
        return LeafCursor(leaf: self, offset: offset, before: before)
      }
      before = after
      offset &+= 1
    }
    return nil
  }
}

extension Node {
  /// O(log *n*). Unlike a cursor, it reads no other items.
  func item(at index: Int) -> PackedItem {
    var found = PackedItem(bits: 0)
    visit(index..<index + 1) { leaf, part in
      found = leaf[part.lowerBound]
      return true
    }
    return found
  }

  /// The totals of the items before `index`; of all items if `index` is the count. O(log *n*).
  func totals(before index: Int) -> Totals { cursor(at: index).before }

  func cursor(at index: Int) -> LeafCursor {
    var none: Ranks?
    return cursor(at: index, ranks: &none)
  }

  /// The number of visible items of each kind before `index`. O(log *n* x kinds).
  package func ranks(before index: Int, kinds: Int) -> ContiguousArray<Int> {
    var ranks: Ranks? = Ranks(kinds: kinds)
    _ = cursor(at: index, ranks: &ranks)
    return ranks?.counts ?? []
  }

  /// A cursor at an item; after the last one if `index` is the count. Adds all earlier items to `ranks`. O(log *n*).
  func cursor(at index: Int, ranks: inout Ranks?) -> LeafCursor {
    var node = self
    var index = index
    var before = Totals.zero
    while true {
      switch node {
      case .leaf(let items):
        return items.cursor(after: 0..<min(index, items.count), before: before, ranks: &ranks)
      case .repetition(let repetition):
        // The end of the last repetition is not the start of another one.
        let lap = min(index / repetition.patternTotals.count, repetition.times &- 1)
        ranks?.add(repetition.pattern, times: lap)
        before = before + repetition.patternTotals * lap
        index &-= lap &* repetition.patternTotals.count
        node = repetition.pattern
      case .branch(let branch):
        let child = branch.child(holding: index)
        let sums = branch.totals(before: child)
        ranks?.add(childrenBefore: child, of: branch)
        before = before + sums
        if let segment = branch.segment {
          return segment.cursor(
            after: sums.count..<min(index, segment.count), before: before, ranks: &ranks)
        }
        index &-= sums.count
        node = branch[child]
      }
    }
  }

  /// Calls `body` with the items of `range`, one run of one leaf at a time, until it returns false.
  /// Returns whether it returned true for all. O(log *n* + items visited).
  @discardableResult
  func visit(_ range: Range<Int>, _ body: (Leaf, Range<Int>) -> Bool) -> Bool {
    if range.isEmpty { return true }
    switch self {
    case .leaf(let items):
      return body(items, range)
    case .repetition(let repetition):
      let each = repetition.patternTotals.count
      var low = range.lowerBound
      while low < range.upperBound {
        let start = low / each &* each
        let high = min(range.upperBound, start &+ each)
        if !repetition.pattern.visit(low &- start..<high &- start, body) { return false }
        low = high
      }
      return true
    case .branch(let branch):
      if let segment = branch.segment { return body(segment, range) }
      var child = branch.child(holding: range.lowerBound)
      while child < branch.count {
        let start = branch.count(before: child)
        let end = branch.count(before: child &+ 1)
        if start >= range.upperBound { break }
        let local = max(range.lowerBound, start) &- start..<min(range.upperBound, end) &- start
        if !branch[child].visit(local, body) { return false }
        child &+= 1
      }
      return true
    }
  }

  /// Calls `body` with each array of items in memory. The array of a repeated pattern is passed once.
  func visitStored(_ body: (Leaf) -> Void) {
    switch self {
    case .leaf(let items): body(items)
    case .repetition(let repetition): repetition.pattern.visitStored(body)
    case .branch(let branch):
      if let segment = branch.segment { return body(segment) }
      for child in branch.children { child.visitStored(body) }
    }
  }

  /// Sets the marks of the kinds of hidden items. Skips subtrees without hidden items.
  func markHiddenKinds(_ marks: inout [Bool]) {
    guard visibleCount < totals.count else { return }
    switch self {
    case .leaf(let items): items.markHiddenKinds(&marks)
    case .repetition(let repetition): repetition.pattern.markHiddenKinds(&marks)
    case .branch(let branch):
      if let segment = branch.segment { return segment.markHiddenKinds(&marks) }
      for child in 0..<branch.count { branch[child].markHiddenKinds(&marks) }
    }
  }
}

extension Leaf {
  fileprivate func markHiddenKinds(_ marks: inout [Bool]) {
    for item in self where item.isHidden { marks[item.kind] = true }
  }

  /// A cursor after the items of `range`. Adds them to `before` and `ranks`.
  fileprivate func cursor(
    after range: Range<Int>, before: Totals, ranks: inout Ranks?
  ) -> LeafCursor {
    var before = before
    for item in self[range] { before.add(item) }
    ranks?.add(self, range)
    return LeafCursor(leaf: self, offset: range.upperBound, before: before)
  }
}

extension Branch {
  /// Interpolates the child from the index, and corrects it in steps. Past the end, the last child.
  @inline(__always)
  func child(holding index: Int) -> Int {
    let last = count &- 1
    var child = min(last, index &* count / count(before: count))
    while child > 0, count(before: child) > index { child &-= 1 }
    while child < last, count(before: child &+ 1) <= index { child &+= 1 }
    return child
  }
}

/// The number of visible items of each kind before a position: the rank of the next item.
struct Ranks {
  private(set) var counts: ContiguousArray<Int>

  init(kinds: Int) {
    counts = []
    counts.reserveCapacity(kinds)
    for _ in 0..<kinds { counts.append(0) }
  }

  /// Returns the counts and clears them, so that the caller can change them without a copy.
  mutating func moveCounts() -> ContiguousArray<Int> {
    defer { counts = [] }
    return counts
  }

  @inline(__always)
  mutating func add(childrenBefore child: Int, of branch: Branch) {
    for kind in 0..<branch.kinds { counts[kind] &+= branch.count(ofKind: kind, before: child) }
  }

  mutating func add(_ pattern: Node, times: Int) {
    for kind in 0..<pattern.kindCount { counts[kind] &+= pattern.count(ofKind: kind) &* times }
  }

  mutating func add(_ leaf: Leaf, _ range: Range<Int>) {
    let items = leaf.span.extracting(range)
    var counts = counts.mutableSpan
    for index in items.indices where !items[index].isHidden { counts[items[index].kind] &+= 1 }
  }
}

extension RandomAccessCollection {
  /// As in swift-algorithms: `[20, 30, 30, 40].partitioningIndex { $0 >= 30 }` is 1. O(log *n*).
  @inlinable
  @inline(__always)
  package func partitioningIndex(
    where belongsInSecondPartition: (Element) throws -> Bool
  ) rethrows -> Index {
    var (low, rest) = (startIndex, count)
    while rest > 0 {
      let half = rest / 2
      let middle = index(low, offsetBy: half)
      if try belongsInSecondPartition(self[middle]) {
        rest = half
      } else {
        low = index(after: middle)
        rest -= half + 1
      }
    }
    return low
  }
}

extension Range<Int> {
  /// As `partitioningIndex`, by exponential search: faster if the index is near the start.
  @inlinable
  @inline(__always)
  package func partitioningIndexNearStart(where belongsInSecondPartition: (Int) -> Bool) -> Int {
    var (low, step) = (lowerBound, 1)
    while low + step <= upperBound, !belongsInSecondPartition(low + step - 1) {
      low += step
      step *= 2
    }
    return (low..<Swift.min(low + step, upperBound))
      .partitioningIndex(where: belongsInSecondPartition)
  }
}
