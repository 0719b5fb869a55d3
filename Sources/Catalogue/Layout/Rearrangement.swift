package import Views
import Windowing

/// Computes positions for a reordered strip. The items of a longest increasing subsequence keep their positions, so that
/// as few items as possible move.
///
///     positions before   a 1   b 2   c 3
///     wanted             c     a     d     b
///     keep                     a 1         b 2
///     move               c                        before a, from 3
///     insert                         d            between a and b
///
/// If there is no room between two items, neighbours move apart as for an insertion.
package struct Rearrangement: Sendable {
  package private(set) var positions: [Int64]
  /// The indices in `positions` of the items that moved or are new.
  package let moved: [Int]

  /// - Parameters:
  ///   - previous: the positions of the items before.
  ///   - indices: for each wanted item its index in `previous`, none twice; -1 if it is new.
  /// - Complexity: O(*n* log *n*), O(*n*) if the order is the same; 16 bytes an item beside `indices`.
  package init(of previous: SortKeys, to indices: [Int32]) {
    positions = [Int64](repeating: Self.unset, count: indices.count)
    for index in LongestIncreasingSubsequence.indices(of: indices) {
      positions[Int(index)] = previous[Int(indices[Int(index)])]
    }
    var index = 0
    while index < positions.count {
      let start = index
      while index < positions.count, positions[index] == Self.unset { index += 1 }
      if start < index { positions.fill(start..<index) }
      index += 1
    }
    let positions = positions
    moved = indices.indices.filter {
      indices[$0] < 0 || previous[Int(indices[$0])] != positions[$0]
    }
  }

  fileprivate static let unset = Int64.min
}

extension [Int64] {
  /// Allocates positions for the elements of `gap`. All elements before it are set, and those after it that keep
  /// their positions.
  fileprivate mutating func fill(_ gap: Range<Int>) {
    let low = gap.lowerBound > 0 ? self[gap.lowerBound - 1] : nil
    let high = gap.upperBound < count ? self[gap.upperBound] : nil
    if let free = PositionAllocator.positions(gap.count, between: low, and: high) {
      for (index, position) in zip(gap, free) { self[index] = position }
      return
    }
    var before = gap.lowerBound - 1
    var after = [gap.upperBound]
    let rebalanced = PositionAllocator.rebalance(
      for: gap.count, between: low, and: high,
      before: { _ in
        before -= 1
        return before < 0 ? nil : self[before]
      },
      after: { _ in
        var next = after[after.count - 1] + 1
        while next < count, self[next] == Rearrangement.unset { next += 1 }
        after.append(next)
        return next < count ? self[next] : nil
      })
    let start = gap.lowerBound - rebalanced.before.count
    for (index, position) in zip(start..<gap.lowerBound, rebalanced.newBefore) {
      self[index] = position
    }
    for (index, position) in zip(gap, rebalanced.free) { self[index] = position }
    for (index, position) in zip(after, rebalanced.newAfter) { self[index] = position }
  }
}

package enum LongestIncreasingSubsequence {
  /// The indices of the elements of a longest increasing subsequence, in order. Negative numbers are left out.
  ///
  ///     LongestIncreasingSubsequence.indices(of: [3, 1, 2, -1, 5])  // [1, 2, 4]
  ///
  /// Patience sorting (Fredman 1975): stores the last card of each pile, and for each card the one below.
  ///
  /// - Complexity: O(*n* log *n*), O(*n*) if the numbers ascend; 8 bytes for each.
  package static func indices(of elements: [Int32]) -> [Int32] {
    precondition(elements.count < Int32.max, "Indices have 32 bits.")
    var piles: [Int32] = []
    piles.reserveCapacity(elements.count)
    var below = [Int32](repeating: -1, count: elements.count)
    for index in elements.indices where elements[index] >= 0 {
      var pile = piles.count
      if let last = piles.last, elements[Int(last)] >= elements[index] {
        pile = piles.partitioningIndex { elements[Int($0)] >= elements[index] }
      }
      if pile > 0 { below[index] = piles[pile - 1] }
      if pile == piles.count { piles.append(Int32(index)) } else { piles[pile] = Int32(index) }
    }
    var next = piles.last ?? -1
    for pile in piles.indices.reversed() {
      piles[pile] = next
      next = below[Int(next)]
    }
    return piles
  }
}
