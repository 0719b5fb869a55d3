/// Which elements of a sequence can stay where they are when it is put in order: those of a longest
/// rising subsequence.
package enum LongestIncreasingSubsequence {
  /// The places of the elements that stay, in order; negative elements have none.
  ///
  ///     LongestIncreasingSubsequence.places(of: [3, 1, 2, -1, 5])  // [1, 2, 4]
  ///
  /// Patience sorting (Fredman 1975): the last card of each pile, and for each card the one below.
  ///
  /// - Complexity: O(*n* log *n*), O(*n*) for what is in order; 8 bytes an element beside them.
  package static func places(of elements: [Int32]) -> [Int32] {
    precondition(elements.count < Int32.max, "Places are of 32 bits.")
    var piles: [Int32] = []
    piles.reserveCapacity(elements.count)
    var below = [Int32](repeating: -1, count: elements.count)
    for place in elements.indices where elements[place] >= 0 {
      var low = 0
      var high = piles.count
      if let last = piles.last, elements[Int(last)] < elements[place] { low = high }
      while low < high {
        let middle = (low + high) / 2
        if elements[Int(piles[middle])] < elements[place] {
          low = middle + 1
        } else {
          high = middle
        }
      }
      if low > 0 { below[place] = piles[low - 1] }
      if low == piles.count { piles.append(Int32(place)) } else { piles[low] = Int32(place) }
    }
    var next = piles.last ?? -1
    for pile in piles.indices.reversed() {
      piles[pile] = next
      next = below[Int(next)]
    }
    return piles
  }
}
