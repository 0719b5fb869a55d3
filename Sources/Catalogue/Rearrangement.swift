/// Where the items of a strip go that is to have others, or the same in another order, so that as few
/// as can be move: a longest run of those that stand in the same order as before stays where it is.
///
///     positions before   a 1   b 2   c 3
///     to be              c     a     d     b
///     stay                     a 1         b 2
///     go                 c                        before a, from 3
///     come                           d            between a and b
///
/// Where there is no room between two that stay, neighbours move apart as for an insertion.
package struct Rearrangement: Sendable {
  /// The position of each item, in order.
  package private(set) var positions: [Int64]
  /// The places in `positions` of the items that are not where they were, or were not there at all.
  package let moved: [Int]

  /// - Parameters:
  ///   - former: where the items are.
  ///   - indices: for each item that is to be, its index in `former`, none twice; -1 where it is new.
  /// - Complexity: O(*n* log *n*), O(*n*) for what is in order; 16 bytes an item beside `indices`.
  package init(of former: Positions, to indices: [Int32]) {
    positions = [Int64](repeating: Self.nowhere, count: indices.count)
    for place in LongestIncreasingSubsequence.places(of: indices) {
      positions[Int(place)] = former[Int(indices[Int(place)])]
    }
    var place = 0
    while place < positions.count {
      let start = place
      while place < positions.count, positions[place] == Self.nowhere { place += 1 }
      if start < place { positions.fill(start..<place) }
      place += 1
    }
    let positions = positions
    moved = indices.indices.filter {
      indices[$0] < 0 || former[Int(indices[$0])] != positions[$0]
    }
  }

  fileprivate static let nowhere = Int64.min
}

extension [Int64] {
  /// Finds positions for items between two neighbours: the one before has its own, and so have those
  /// behind that stay.
  fileprivate mutating func fill(_ gap: Range<Int>) {
    let low = gap.lowerBound > 0 ? self[gap.lowerBound - 1] : nil
    let high = gap.upperBound < count ? self[gap.upperBound] : nil
    if let free = PositionAllocator.positions(gap.count, between: low, and: high) {
      for (place, position) in zip(gap, free) { self[place] = position }
      return
    }
    var before = gap.lowerBound - 1
    var after = [gap.upperBound]
    let room = PositionAllocator.room(
      for: gap.count, between: low, and: high,
      before: { _ in
        before -= 1
        return before < 0 ? nil : self[before]
      },
      after: { _ in
        var next = after[after.count - 1] + 1
        while next < count, self[next] == Rearrangement.nowhere { next += 1 }
        after.append(next)
        return next < count ? self[next] : nil
      })
    let start = gap.lowerBound - room.before.count
    for (place, position) in zip(start..<gap.lowerBound, room.newBefore) { self[place] = position }
    for (place, position) in zip(gap, room.free) { self[place] = position }
    for (place, position) in zip(after, room.newAfter) { self[place] = position }
  }
}
