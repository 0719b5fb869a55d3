/// Allocates sort keys for inserted items. Sort keys are sparse, so most insertions move no other item.
///
///     SortKeyAllocator.sortKeys(2, between: 0, and: 1 << 20)  // 262144, 524288
///
/// An item gets at most a quarter of the gap, to leave room for later insertions after it.
package enum SortKeyAllocator {
  /// The distance between items after an import.
  package static let step: Int64 = 1 << 20

  /// Sort keys for `count` items, in order; nil if there is no room for them.
  ///
  /// - Parameters: `low` and `high` are the sort keys of the neighbours, nil at an end of the strip.
  package static func sortKeys(
    _ count: Int, between low: Int64?, and high: Int64?
  ) -> StrideTo<Int64>? {
    let needed = Int64(count)
    switch (low, high) {
    case (nil, nil): return stride(step, step, count)
    case (let low?, nil):
      let (last, isOver) = low.addingReportingOverflow(needed * step)
      return isOver || last > maximum ? nil : stride(low + step, step, count)
    case (nil, let high?):
      let (first, isOver) = high.subtractingReportingOverflow(needed * step)
      return isOver || first < -maximum ? nil : stride(first, step, count)
    case (let low?, let high?):
      let gap = high - low
      guard gap > needed else { return nil }
      let step = max(1, min(gap / (needed + 1), gap / 4))
      return stride(low + step, step, count)
    }
  }

  /// The greatest distance from 0, so that differences of sort keys fit into 64 bits.
  static let maximum: Int64 = 1 << 61

  private static func stride(_ first: Int64, _ step: Int64, _ count: Int) -> StrideTo<Int64> {
    Swift.stride(from: first, to: first + Int64(count) * step, by: Int(step))
  }
}

extension SortKeyAllocator {
  /// The old and new sort keys of the items before and after a gap, and sort keys for the new items between them.
  package struct RebalancedGap {
    package let before, newBefore, after, newAfter, free: [Int64]
  }

  /// Moves the neighbours of a gap apart, to make room for new items.
  ///
  /// Moves four items on each side. If they find no room, it moves eight, then sixteen, and so on. Items near the gap get
  /// the largest distances, because the next insertions probably come to the same place: 1, then 1/2, then 1/3, ...
  ///
  /// There is room if the smallest of these distances, the outermost one, is at least `leastDistance`. This limit grows with
  /// the number of moved items, so that many insertions pass before as many items move again (Itai, Konheim, Rodeh 1981).
  /// About O(log *n*) items move for each of *n* insertions at one place. Above 512 items the limit falls, because otherwise
  /// an edit would move thousands.
  ///
  /// - Parameters: `before` and `after` return the sort key of the item before or after a sort key; nil at
  ///   an end of the strip.
  package static func rebalance(
    for count: Int, between low: Int64?, and high: Int64?,
    before: (Int64) throws -> Int64?, after: (Int64) throws -> Int64?
  ) rethrows -> RebalancedGap {
    var lows: [Int64] = []
    var highs: [Int64] = []
    var (low, high) = (low, high)
    var reach = 4
    while true {
      while lows.count < reach, let next = low {
        lows.append(next)
        low = try before(next)
      }
      while highs.count < reach, let next = high {
        highs.append(next)
        high = try after(next)
      }
      let all: [Int64]? =
        if let low, let high {
          spread(count, reach: reach, between: low, and: high)
        } else {
          sortKeys(lows.count + count + highs.count, between: low, and: high).map(Array.init)
        }
      if let all {
        return RebalancedGap(
          before: lows.reversed(), newBefore: Array(all.prefix(lows.count)),
          after: highs, newAfter: Array(all.suffix(highs.count)),
          free: Array(all[lows.count..<all.count - highs.count]))
      }
      reach *= 2
      precondition(reach < 1 << 40, "Sort keys are sparse, so there is room between some of them.")
    }
  }

  /// The least outermost distance after `reach` items on each side have moved.
  private static func leastDistance(_ reach: Int) -> Double {
    let reach = Double(reach)
    return reach < 512 ? 2 * reach.squareRoot() : max(4, 0x400_0000 / (reach * reach))
  }

  /// Sort keys for `count` new items and for `reach` items on each side of them; nil if there is no room.
  private static func spread(
    _ count: Int, reach: Int, between low: Int64, and high: Int64
  ) -> [Int64]? {
    let distances = (0...2 * reach + count).map { index in
      1 / Double(1 + max(reach - index, index - reach - count, 0))
    }
    let unit = Double(high - low) / distances.reduce(0, +)
    guard unit * distances[0] >= leastDistance(reach) else { return nil }
    var sum = 0.0
    return distances.dropLast().map { distance in
      sum += distance
      return low + Int64(unit * sum)
    }
  }
}
