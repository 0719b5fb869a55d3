/// What leaves and what enters when one window gives way to another.
///
///     WindowChange(from: 0..<8, to: 2..<10).leaving   // [0..<2]
///     WindowChange(from: 10..<20, to: 13..<22).entering  // [20..<22]
///
/// After ZXOptionBar, which compares old and new visible indices at each layout. The answer is
/// right after a jump of any size: nothing is assumed to be shared.
public struct WindowChange: Hashable, Sendable {
  public let from: Range<Int>
  public let to: Range<Int>

  public init(from: Range<Int>, to: Range<Int>) {
    self.from = from
    self.to = to
  }

  /// The indices that were shown and are no longer, in order: at most two runs. O(1).
  public var leaving: [Range<Int>] { WindowChange.pieces(of: from, outside: to) }

  /// The indices that are shown and were not, in order: at most two runs. O(1).
  public var entering: [Range<Int>] { WindowChange.pieces(of: to, outside: from) }

  /// The indices that stay. O(1).
  public var staying: Range<Int> { from.clamped(to: to) }

  private static func pieces(of range: Range<Int>, outside other: Range<Int>) -> [Range<Int>] {
    guard range.overlaps(other) else { return range.isEmpty ? [] : [range] }
    let before = range.lowerBound..<max(range.lowerBound, other.lowerBound)
    let after = min(range.upperBound, other.upperBound)..<range.upperBound
    return [before, after].filter { !$0.isEmpty }
  }
}
