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
