package import Views
import Windowing

/// The sort keys of a strip in a new order. The items of a longest increasing subsequence keep their sort keys, so that
/// as few items as possible move.
///
///     sort keys before   a 1   b 2   c 3
///     wanted             c     a     d     b
///     keep                     a 1         b 2
///     move               c                        before a, from 3
///     insert                         d            between a and b
///
/// If there is no room between two items, neighbours move apart as for an insertion.
package struct ReorderPlan: Sendable {
  package private(set) var sortKeys: [Int64]
  /// The indices in `sortKeys` of the items that moved or are new.
  package let moved: [Int]

  /// - Parameters:
  ///   - previous: the sort keys of the items before.
  ///   - indices: for each wanted item its index in `previous`, none twice; -1 if it is new.
  /// - Complexity: O(*n* log *n*), O(*n*) if the order is the same; 16 bytes an item beside `indices`.
  package init(of previous: SortKeys, to indices: [Int32]) {
    sortKeys = [Int64](repeating: Self.unset, count: indices.count)
    for index in LongestIncreasingSubsequence.indices(of: indices) {
      sortKeys[Int(index)] = previous[Int(indices[Int(index)])]
    }
    var index = 0
    while index < sortKeys.count {
      let start = index
      while index < sortKeys.count, sortKeys[index] == Self.unset { index += 1 }
      if start < index { sortKeys.fill(start..<index) }
      index += 1
    }
    let sortKeys = sortKeys
    moved = indices.indices.filter {
      indices[$0] < 0 || previous[Int(indices[$0])] != sortKeys[$0]
    }
  }

  fileprivate static let unset = Int64.min
}

extension [Int64] {
  /// Allocates sort keys for the elements of `gap`. All elements before it have their sort keys. After it, only the
  /// elements that keep theirs have them.
  fileprivate mutating func fill(_ gap: Range<Int>) {
    let low = gap.lowerBound > 0 ? self[gap.lowerBound - 1] : nil
    let high = gap.upperBound < count ? self[gap.upperBound] : nil
    if let free = SortKeyAllocator.sortKeys(gap.count, between: low, and: high) {
      for (index, sortKey) in zip(gap, free) { self[index] = sortKey }
      return
    }
    var before = gap.lowerBound - 1
    var after = [gap.upperBound]
    let rebalanced = SortKeyAllocator.rebalance(
      for: gap.count, between: low, and: high,
      before: { _ in
        before -= 1
        return before < 0 ? nil : self[before]
      },
      after: { _ in
        var next = after[after.count - 1] + 1
        while next < count, self[next] == ReorderPlan.unset { next += 1 }
        after.append(next)
        return next < count ? self[next] : nil
      })
    let start = gap.lowerBound - rebalanced.before.count
    for (index, sortKey) in zip(start..<gap.lowerBound, rebalanced.newBefore) {
      self[index] = sortKey
    }
    for (index, sortKey) in zip(gap, rebalanced.free) { self[index] = sortKey }
    for (index, sortKey) in zip(after, rebalanced.newAfter) { self[index] = sortKey }
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
