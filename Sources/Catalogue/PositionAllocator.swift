/// Where items are put between two others: the sparse positions of a strip.
///
///     Spacing.positions(2, between: 0, and: 1 << 20)  // 262144, 524288
///
/// Items that come one after another, each behind the last or each before the same one, find three
/// quarters of the gap left; at an end of the strip there is always room.
package enum PositionAllocator {
  /// How far apart two neighbours are when nothing has been put between them.
  package static let step: Int64 = 1 << 20

  /// Positions for `count` items, in order; nil where there is no room for them.
  ///
  /// - Parameters: `low` and `high` are the neighbours, nil at an end of the strip.
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

  /// Positions for `count` items that fill the gap evenly, each at least `least` from the next; nil
  /// where they would be nearer.
  package static func evenly(
    _ count: Int, between low: Int64?, and high: Int64?, least: Int64
  ) -> StrideTo<Int64>? {
    guard let low, let high else { return positions(count, between: low, and: high) }
    let step = (high - low) / Int64(count + 1)
    return step < least ? nil : stride(low + step, step, count)
  }

  /// No position is farther from 0, so that differences stay short of 64 bits.
  static let farthest: Int64 = 1 << 61

  private static func stride(_ first: Int64, _ step: Int64, _ count: Int) -> StrideTo<Int64> {
    Swift.stride(from: first, to: first + Int64(count) * step, by: Int(step))
  }
}
