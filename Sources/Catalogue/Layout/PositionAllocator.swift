/// Allocates positions for inserted items. Positions are sparse, so most insertions move no other item.
///
///     PositionAllocator.positions(2, between: 0, and: 1 << 20)  // 262144, 524288
///
/// An item gets at most a quarter of the gap, to leave room for later insertions after it.
package enum PositionAllocator {
  /// The distance between items after an import.
  package static let step: Int64 = 1 << 20

  /// Positions for `count` items, in order; nil if there is no room for them.
  ///
  /// - Parameters: `low` and `high` are the positions of the neighbours, nil at an end of the strip.
  package static func positions(
    _ count: Int, between low: Int64?, and high: Int64?
  ) -> StrideTo<Int64>? {
    let wanted = Int64(count)
    switch (low, high) {
    case (nil, nil): return stride(step, step, count)
    case (let low?, nil):
      let (last, isOver) = low.addingReportingOverflow(wanted * step)
      return isOver || last > farthest ? nil : stride(low + step, step, count)
    case (nil, let high?):
      let (first, isOver) = high.subtractingReportingOverflow(wanted * step)
      return isOver || first < -farthest ? nil : stride(first, step, count)
    case (let low?, let high?):
      let gap = high - low
      guard gap > wanted else { return nil }
      let step = max(1, min(gap / (wanted + 1), gap / 4))
      return stride(low + step, step, count)
    }
  }

  /// The greatest distance from 0, so that differences of positions fit into 64 bits.
  static let farthest: Int64 = 1 << 61

  private static func stride(_ first: Int64, _ step: Int64, _ count: Int) -> StrideTo<Int64> {
    Swift.stride(from: first, to: first + Int64(count) * step, by: Int(step))
  }
}

extension PositionAllocator {
  /// The old and new positions of the items before and after a gap, and positions for the new items between them.
  package struct RebalancedGap {
    package let before, newBefore, after, newAfter, free: [Int64]
  }

  /// Moves the neighbours of a gap apart, to make room for new items.
  ///
  /// Moves 16 items on each side, and doubles this number until there is room. More moved items allow a
  /// smaller distance: 1024 for 16 items, 512 for 32. So places with many insertions get more room, and each
  /// insertion rewrites few rows.
  ///
  /// - Parameters: `before` and `after` return the position of the item before or after a position; nil at
  ///   an end of the strip.
  package static func rebalance(
    for count: Int, between low: Int64?, and high: Int64?,
    before: (Int64) throws -> Int64?, after: (Int64) throws -> Int64?
  ) rethrows -> RebalancedGap {
    var lows: [Int64] = []
    var highs: [Int64] = []
    var (low, high) = (low, high)
    var reach = 16
    while true {
      while lows.count < reach, let next = low {
        lows.append(next)
        low = try before(next)
      }
      while highs.count < reach, let next = high {
        highs.append(next)
        high = try after(next)
      }
      let needed = lows.count + count + highs.count
      var positions = positions(needed, between: low, and: high)
      if let low, let high {
        let step = (high - low) / Int64(needed + 1)
        positions = step < max(2, 16_384 / Int64(reach)) ? nil : stride(low + step, step, needed)
      }
      if let all = positions.map(Array.init) {
        return RebalancedGap(
          before: lows.reversed(), newBefore: Array(all.prefix(lows.count)),
          after: highs, newAfter: Array(all.suffix(highs.count)),
          free: Array(all[lows.count..<all.count - highs.count]))
      }
      reach *= 2
      precondition(reach < 1 << 40, "Positions are sparse: somewhere there is room.")
    }
  }
}
