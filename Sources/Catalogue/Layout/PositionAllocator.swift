/// Allocates positions for inserted items. Positions are sparse, so most insertions move no other item.
///
///     PositionAllocator.positions(2, between: 0, and: 1 << 20)  // 262144, 524288
///
/// An insertion uses at most a quarter of the gap for each item, to leave room for later insertions after it.
/// The ends of a strip always have room.
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

  /// Positions for `count` items that fill the gap evenly; nil if they would be less than `least` apart.
  package static func evenly(
    _ count: Int, between low: Int64?, and high: Int64?, least: Int64
  ) -> StrideTo<Int64>? {
    guard let low, let high else { return positions(count, between: low, and: high) }
    let step = (high - low) / Int64(count + 1)
    return step < least ? nil : stride(low + step, step, count)
  }

  /// The greatest distance from 0, so that differences of positions fit into 64 bits.
  static let farthest: Int64 = 1 << 61

  private static func stride(_ first: Int64, _ step: Int64, _ count: Int) -> StrideTo<Int64> {
    Swift.stride(from: first, to: first + Int64(count) * step, by: Int(step))
  }
}

extension PositionAllocator {
  /// The result of a rebalance: new positions for the neighbours of a gap, and the free positions between
  /// them.
  package struct RebalancedGap {
    /// The old and new positions of the items before the gap, in order.
    package let before: [Int64]
    package let newBefore: [Int64]
    /// The old and new positions of the items after the gap, in order.
    package let after: [Int64]
    package let newAfter: [Int64]
    /// The positions of the new items.
    package let free: [Int64]
  }

  /// Moves the neighbours of a gap apart, to make room for new items.
  ///
  /// Moves 16 items on each side, and doubles this number until there is room. More moved items allow a
  /// smaller distance: 1024 for 16 items, 512 for 32. Places with many insertions get more room. Each
  /// insertion therefore rewrites few rows.
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
      let least = max(2, 16_384 / Int64(reach))
      if let positions = evenly(
        lows.count + count + highs.count, between: low, and: high, least: least)
      {
        let all = Array(positions)
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
