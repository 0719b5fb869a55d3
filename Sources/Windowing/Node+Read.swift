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
