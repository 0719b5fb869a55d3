extension Layout {
  /// The pools of a stretch: for each kind, the most items that one stretch of this length can
  /// ever need at once.
  ///
  /// For this purpose alone the stretch is taken up to the ``Ladder``, the height down. P(k) is
  /// the largest rank(j) - rank(i) + 1 over visible items i < j of kind k for which apart(i, j) is
  /// at most the stretch less 2/64 px, and at least 1 where there is one.
  ///
  /// - Complexity: O(*n*), one pass; of a repetition, O(pattern + items in a stretch). Ask a
  ///   ``PoolTable`` where answers are wanted again.
  public func pools(stretch: Length) -> Pools {
    let question = PoolQuery(self, stretch: stretch)
    guard let root = strip.root else { return Pools([]) }
    let line = question.pools(of: 0..<count, in: root)
    return question.wraps ? line.widened(by: question.poolsOverSeam(root)) : line
  }
}

extension Pools {
  /// The larger of both, kind by kind.
  func widened(by other: Pools) -> Pools {
    Pools((0..<Kind.most).map { max(self[number: $0], other[number: $0]) })
  }
}
