extension RandomAccessCollection {
  /// The index of the first element that belongs to the second partition; `endIndex` if none does.
  ///
  ///     [20, 30, 30, 40].partitioningIndex { $0 >= 30 }  // 1
  ///
  /// As in swift-algorithms. That would be the only dependency of this module.
  ///
  /// - Precondition: No element of the first partition follows one of the second.
  /// - Complexity: O(log *n*).
  @inlinable
  @inline(__always)
  package func partitioningIndex(
    where belongsInSecondPartition: (Element) throws -> Bool
  ) rethrows -> Index {
    var (low, rest) = (startIndex, count)
    while rest > 0 {
      let half = rest / 2
      let middle = index(low, offsetBy: half)
      if try belongsInSecondPartition(self[middle]) {
        rest = half
      } else {
        low = index(after: middle)
        rest -= half + 1
      }
    }
    return low
  }
}
