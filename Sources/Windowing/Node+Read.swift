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
        let child = branch.child(holding: index)
        index &-= branch.sums.count(before: child)
        node = branch.children[child]
      }
    }
  }

  /// The totals of the items before `index`, at most all. O(log *n*).
  func totals(before index: Int) -> Totals {
    var node = self
    var index = index
    var sum = Totals.zero
    while true {
      switch node {
      case .leaf(let items):
        for item in items[..<min(index, items.count)] { sum.add(item) }
        return sum
      case .repetition(let repetition):
        let whole = min(index / repetition.turn.count, repetition.times)
        sum = sum + repetition.turn * whole
        if whole == repetition.times { return sum }
        index &-= whole &* repetition.turn.count
        node = repetition.pattern
      case .branch(let branch):
        let child = branch.child(holding: index)
        let before = branch.sums.totals(before: child)
        sum = sum + before
        index &-= before.count
        node = branch.children[child]
      }
    }
  }

  /// How many visible items of each of `kinds` kinds come before `index`. O(log *n* x kinds).
  func ranks(before index: Int, kinds: Int) -> ContiguousArray<Int> {
    var ranks = ContiguousArray(repeating: 0, count: kinds)
    var node = self
    var index = index
    while true {
      switch node {
      case .leaf(let items):
        for item in items[..<min(index, items.count)] where !item.isHidden {
          ranks[item.kind] &+= 1
        }
        return ranks
      case .repetition(let repetition):
        let whole = min(index / repetition.turn.count, repetition.times)
        for kind in 0..<repetition.pattern.kindCount {
          ranks[kind] &+= repetition.pattern.count(ofKind: kind) &* whole
        }
        if whole == repetition.times { return ranks }
        index &-= whole &* repetition.turn.count
        node = repetition.pattern
      case .branch(let branch):
        let child = branch.child(holding: index)
        for kind in 0..<branch.sums.kinds {
          ranks[kind] &+= branch.sums.count(ofKind: kind, before: child)
        }
        index &-= branch.sums.count(before: child)
        node = branch.children[child]
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
        for item in items {
          if item.kind == kind, !item.isHidden {
            if rank == 0 { return index }
            rank &-= 1
          }
          index &+= 1
        }
        return index
      case .repetition(let repetition):
        let each = repetition.pattern.count(ofKind: kind)
        index &+= rank / each &* repetition.turn.count
        rank %= each
        node = repetition.pattern
      case .branch(let branch):
        var child = 0
        while branch.sums.count(ofKind: kind, before: child &+ 1) <= rank { child &+= 1 }
        rank &-= branch.sums.count(ofKind: kind, before: child)
        index &+= branch.sums.count(before: child)
        node = branch.children[child]
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
      var child = branch.child(holding: range.lowerBound)
      while child < branch.children.count {
        let start = branch.sums.count(before: child)
        let end = branch.sums.count(before: child &+ 1)
        if start >= range.upperBound { break }
        let local = max(range.lowerBound, start) &- start..<min(range.upperBound, end) &- start
        if !branch.children[child].visit(local, body) { return false }
        child &+= 1
      }
      return true
    }
  }
}
