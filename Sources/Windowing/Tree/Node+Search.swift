/// Where a search by position ended: a leaf, a place in it, and all that comes before.
struct Place {
  /// The leaf that holds the item found.
  let leaf: Leaf
  /// The item's place in the leaf.
  let offset: Int
  /// The totals before the item.
  let before: Totals
}

extension Node {
  /// The first item that ends, gap included, after `target`: the least i for which the position
  /// after item i is more than `target`.
  ///
  /// Positions never decrease along a strip, so this is one walk down the tree. In a branch the
  /// child is guessed from where the target lies between the branch's ends, which is seldom off
  /// by more than one, and then set right by steps.
  ///
  /// - Returns: nil when the whole tree ends at or before `target`.
  /// - Complexity: O(log *n*).
  func firstItem(endingAfter target: Int, at scale: Scale) -> Place? {
    var none: Ranks?
    return firstItem(endingAfter: target, at: scale, ranks: &none)
  }

  /// The same, counting all that is passed on the way in `ranks`.
  func firstItem(
    endingAfter target: Int, at scale: Scale, ranks: inout Ranks?
  ) -> Place? {
    let end = scale.position(totals)
    guard end > target else { return nil }
    return firstItem(
      endingAfter: target, at: scale, before: .zero, from: 0, to: end, ranks: &ranks)
  }

  /// The same in a part that starts after `before`, at `start`, and ends after `target`, at `end`.
  private func firstItem(
    endingAfter target: Int, at scale: Scale, before: Totals, from start: Int, to end: Int,
    ranks: inout Ranks?
  ) -> Place? {
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
      ranks?.pass(child, of: branch)
      if let piece = branch.piece {
        return piece.firstItem(
          of: branch.stretch(child), endingAfter: target, at: scale, before: lower, ranks: &ranks)
      }
      return branch[child].firstItem(
        endingAfter: target, at: scale, before: lower, from: low, to: high, ranks: &ranks)
    case .repetition(let repetition):
      var low = 0
      var high = repetition.times &- 1
      while low < high {
        let middle = (low &+ high) / 2
        if scale.position(before + repetition.turn * (middle &+ 1)) > target {
          high = middle
        } else {
          low = middle &+ 1
        }
      }
      let lower = before + repetition.turn * low
      ranks?.pass(repetition.pattern, times: low)
      return repetition.pattern.firstItem(
        endingAfter: target, at: scale, before: lower, from: scale.position(lower),
        to: scale.position(lower + repetition.turn), ranks: &ranks)
    }
  }

  /// Which of `count` children a target lies in, if they were equally long; the first of those
  /// that take no room, which only a target before them all asks for.
  @inline(__always)
  private func guess(of count: Int, _ target: Int, of length: Int) -> Int {
    guard length > 0 else { return 0 }
    let share = Double(target) / Double(length) * Double(count)
    return max(0, min(count &- 1, Int(share)))
  }
}

extension Leaf {
  /// The same among the items of `range`, no more than a leaf has.
  fileprivate func firstItem(
    of range: Range<Int>, endingAfter target: Int, at scale: Scale, before: Totals,
    ranks: inout Ranks?
  ) -> Place? {
    let items = span
    var before = before
    var offset = range.lowerBound
    // Eight at a time as long as all eight end before the target, then one by one.
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
        ranks?.pass(self, range.lowerBound..<offset)
        return Place(leaf: self, offset: offset, before: before)
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
        index %= repetition.turn.count
        node = repetition.pattern
      case .branch(let branch):
        if let piece = branch.piece { return piece[index] }
        let child = branch.child(holding: index)
        index &-= branch.count(before: child)
        node = branch[child]
      }
    }
  }

  /// The totals of the items before `index`, at most all. O(log *n*).
  func totals(before index: Int) -> Totals {
    var none: Ranks?
    return place(of: index, ranks: &none).before
  }

  /// How many visible items of each of `kinds` kinds come before `index`. O(log *n* x kinds).
  func ranks(before index: Int, kinds: Int) -> ContiguousArray<Int> {
    var ranks: Ranks? = Ranks(kinds: kinds)
    _ = place(of: index, ranks: &ranks)
    return ranks?.counts ?? []
  }

  /// The place of the item at `index`, at most the count, counting all before it in `ranks`.
  /// O(log *n*).
  func place(of index: Int, ranks: inout Ranks?) -> Place {
    var node = self
    var index = index
    var before = Totals.zero
    while true {
      switch node {
      case .leaf(let items):
        return items.place(0..<min(index, items.count), after: before, ranks: &ranks)
      case .repetition(let repetition):
        // The end of the last turn is not the start of another.
        let turn = min(index / repetition.turn.count, repetition.times &- 1)
        ranks?.pass(repetition.pattern, times: turn)
        before = before + repetition.turn * turn
        index &-= turn &* repetition.turn.count
        node = repetition.pattern
      case .branch(let branch):
        let child = branch.child(holding: index)
        let sums = branch.totals(before: child)
        ranks?.pass(child, of: branch)
        before = before + sums
        if let piece = branch.piece {
          return piece.place(
            sums.count..<min(index, piece.count), after: before, ranks: &ranks)
        }
        index &-= sums.count
        node = branch[child]
      }
    }
  }

  /// The index of the visible item of `kind` that `rank` others of it come before.
  ///
  /// - Precondition: There is one.
  /// - Complexity: O(log *n*).
  func index(ofRank rank: Int, kind: Int) -> Int {
    var node = self
    var rank = rank
    var index = 0
    while true {
      switch node {
      case .leaf(let items):
        return index &+ items.place(ofRank: rank, kind: kind, in: items.indices)
      case .repetition(let repetition):
        let each = repetition.pattern.count(ofKind: kind)
        index &+= rank / each &* repetition.turn.count
        rank %= each
        node = repetition.pattern
      case .branch(let branch):
        var child = 0
        while branch.count(ofKind: kind, before: child &+ 1) <= rank { child &+= 1 }
        rank &-= branch.count(ofKind: kind, before: child)
        if let piece = branch.piece {
          return index &+ piece.place(ofRank: rank, kind: kind, in: branch.stretch(child))
        }
        index &+= branch.count(before: child)
        node = branch[child]
      }
    }
  }

  /// Hands out the items of `range` in order, a run of one leaf at a time, until `body` returns
  /// false.
  ///
  /// - Returns: Whether the end of the range was reached.
  /// - Complexity: O(log *n* + items handed out).
  @discardableResult
  func visit(_ range: Range<Int>, _ body: (Leaf, Range<Int>) -> Bool) -> Bool {
    if range.isEmpty { return true }
    switch self {
    case .leaf(let items):
      return body(items, range)
    case .repetition(let repetition):
      let each = repetition.turn.count
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
}

extension Node {
  /// Marks the kinds of hidden items, by number; passes by where there are none.
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

  /// The place behind the items of `range`, with them counted.
  fileprivate func place(
    _ range: Range<Int>, after before: Totals, ranks: inout Ranks?
  ) -> Place {
    var before = before
    for item in self[range] { before.add(item) }
    ranks?.pass(self, range)
    return Place(leaf: self, offset: range.upperBound, before: before)
  }

  /// The place of the visible item of `kind` in `range` that `rank` others of it there come before.
  fileprivate func place(ofRank rank: Int, kind: Int, in range: Range<Int>) -> Int {
    var rank = rank
    for place in range where self[place].kind == kind && !self[place].isHidden {
      if rank == 0 { return place }
      rank &-= 1
    }
    return range.upperBound
  }
}
