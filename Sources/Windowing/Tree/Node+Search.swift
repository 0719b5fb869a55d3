/// The result of a search: a leaf, an offset in it, and the totals before that item.
struct LeafCursor {
  let leaf: Leaf
  let offset: Int
  let before: Totals
}

extension Node {
  /// Finds the first item that ends after `target`, including its gap: the least i with a position
  /// after item i above `target`.
  ///
  /// Positions never decrease along a strip. Each branch interpolates the child from the target,
  /// which is seldom wrong by more than one, and corrects it in steps.
  ///
  /// - Returns: nil if the tree ends at or before `target`.
  /// - Complexity: O(log *n*).
  func firstItem(endingAfter target: Int, at scale: Scale) -> LeafCursor? {
    var none: Ranks?
    return firstItem(endingAfter: target, at: scale, ranks: &none)
  }

  /// The same. Also adds all earlier items to `ranks`.
  func firstItem(
    endingAfter target: Int, at scale: Scale, ranks: inout Ranks?
  ) -> LeafCursor? {
    let end = scale.position(totals)
    guard end > target else { return nil }
    return firstItem(
      endingAfter: target, at: scale, before: .zero, from: 0, to: end, ranks: &ranks)
  }

  /// The same in a subtree from `start` to `end`, where `before` are the totals of all earlier
  /// items.
  ///
  /// - Precondition: `end` is above `target`.
  private func firstItem(
    endingAfter target: Int, at scale: Scale, before: Totals, from start: Int, to end: Int,
    ranks: inout Ranks?
  ) -> LeafCursor? {
    switch self {
    case .leaf(let items):
      return items.firstItem(
        of: 0..<items.count, endingAfter: target, at: scale, before: before, ranks: &ranks)
    case .branch(let branch):
      let last = branch.count &- 1
      var child = guess(of: last &+ 1, target &- start, of: end &- start)
      var low = start
      var high = end
      var lower = before
      if child > 0 {
        lower = before + branch.totals(before: child)
        low = scale.position(lower)
        while child > 0, low > target {
          child &-= 1
          high = low
          lower = before + branch.totals(before: child)
          low = scale.position(lower)
        }
      }
      if high == end {
        while child < last {
          let upper = before + branch.totals(before: child &+ 1)
          high = scale.position(upper)
          if high > target { break }
          child &+= 1
          lower = upper
          low = high
          high = end
        }
      }
      ranks?.add(childrenBefore: child, of: branch)
      if let piece = branch.piece {
        return piece.firstItem(
          of: branch.itemRange(child), endingAfter: target, at: scale, before: lower, ranks: &ranks)
      }
      return branch[child].firstItem(
        endingAfter: target, at: scale, before: lower, from: low, to: high, ranks: &ranks)
    case .repetition(let repetition):
      let low = (0..<repetition.times &- 1).partitioningIndex {
        scale.position(before + repetition.patternTotals * ($0 &+ 1)) > target
      }
      let lower = before + repetition.patternTotals * low
      ranks?.add(repetition.pattern, times: low)
      return repetition.pattern.firstItem(
        endingAfter: target, at: scale, before: lower, from: scale.position(lower),
        to: scale.position(lower + repetition.patternTotals), ranks: &ranks)
    }
  }

  /// The child that contains the target if all `count` children have equal lengths; 0 if all are
  /// empty.
  @inline(__always)
  private func guess(of count: Int, _ target: Int, of length: Int) -> Int {
    guard length > 0 else { return 0 }
    let share = Double(target) / Double(length) * Double(count)
    return max(0, min(count &- 1, Int(share)))
  }
}

extension Leaf {
  /// The same among the items of `range`.
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
  /// The item at `index`. O(log *n*).
  func item(at index: Int) -> PackedItem {
    var node = self
    var index = index
    while true {
      switch node {
      case .leaf(let items):
        return items[index]
      case .repetition(let repetition):
        index %= repetition.patternTotals.count
        node = repetition.pattern
      case .branch(let branch):
        if let piece = branch.piece { return piece[index] }
        let child = branch.child(holding: index)
        index &-= branch.count(before: child)
        node = branch[child]
      }
    }
  }

  /// The totals of the items before `index`; of all items if `index` is the count. O(log *n*).
  func totals(before index: Int) -> Totals {
    var none: Ranks?
    return cursor(at: index, ranks: &none).before
  }

  /// The number of visible items of each kind before `index`. O(log *n* x kinds).
  package func ranks(before index: Int, kinds: Int) -> ContiguousArray<Int> {
    var ranks: Ranks? = Ranks(kinds: kinds)
    _ = cursor(at: index, ranks: &ranks)
    return ranks?.counts ?? []
  }

  /// A cursor at `index`, at most the count. Adds all earlier items to `ranks`. O(log *n*).
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
        let turn = min(index / repetition.patternTotals.count, repetition.times &- 1)
        ranks?.add(repetition.pattern, times: turn)
        before = before + repetition.patternTotals * turn
        index &-= turn &* repetition.patternTotals.count
        node = repetition.pattern
      case .branch(let branch):
        let child = branch.child(holding: index)
        let sums = branch.totals(before: child)
        ranks?.add(childrenBefore: child, of: branch)
        before = before + sums
        if let piece = branch.piece {
          return piece.cursor(
            after: sums.count..<min(index, piece.count), before: before, ranks: &ranks)
        }
        index &-= sums.count
        node = branch[child]
      }
    }
  }

  /// Calls `body` with the items of `range` in order, one run of one leaf at a time, until it
  /// returns false.
  ///
  /// - Returns: Whether `body` returned true for all runs.
  /// - Complexity: O(log *n* + items visited).
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
      if let piece = branch.piece { return body(piece, range) }
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

  /// Sets the marks of the kinds of hidden items. Skips subtrees without hidden items.
  func markHiddenKinds(_ marks: inout [Bool]) {
    let visible = (0..<kindCount).reduce(0) { $0 + count(ofKind: $1) }
    guard visible < totals.count else { return }
    switch self {
    case .leaf(let items): items.markHiddenKinds(&marks)
    case .repetition(let repetition): repetition.pattern.markHiddenKinds(&marks)
    case .branch(let branch):
      if let piece = branch.piece { return piece.markHiddenKinds(&marks) }
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
  /// The child that contains the item at `index`; the last child if `index` is past the end.
  ///
  /// Interpolates the child from the index, and corrects it in steps.
  @inline(__always)
  func child(holding index: Int) -> Int {
    let last = count &- 1
    var child = min(last, index &* count / count(before: count))
    while child > 0, count(before: child) > index { child &-= 1 }
    while child < last, count(before: child &+ 1) <= index { child &+= 1 }
    return child
  }
}
