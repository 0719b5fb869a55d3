/// The parameters of pools besides the strip: stretch, height, gap, and whether the strip wraps.
struct PoolQuery: Equatable, Sendable {
  /// Rounded up to the ladder.
  let stretch: Length
  /// The height is rounded down to the ladder.
  let scale: Scale
  let wraps: Bool

  init(_ layout: Layout, stretch: Length) {
    self.stretch = Ladder.up(stretch)
    scale = Scale(height: Ladder.down(layout.height), gap: layout.gap)
    wraps = layout.wraps
  }

  /// The largest distance of two items in one stretch, in 1/64 px.
  var limit: Int { stretch.position - 2 }

  /// The pools over the pairs of items within `range`.
  ///
  /// - Complexity: O(items in the range); O(pattern + items in a stretch) for a repetition.
  func pools(of range: Range<Int>, in root: Node) -> Pools {
    isNarrow(root)
      ? pools(of: range, in: root, as: Int.self) : pools(of: range, in: root, as: Int128.self)
  }

  /// Whether positions in 1/65536 of a unit fit in 64 bits. They do below 2^39 px.
  func isNarrow(_ root: Node) -> Bool { scale.position(root.totals) < 1 << 45 }

  private func pools<Fine: FixedWidthInteger & SignedInteger>(
    of range: Range<Int>, in root: Node, as: Fine.Type
  ) -> Pools {
    var scan = PoolScan<Fine>(scale: scale, limit: limit, kinds: root.kindCount)
    scan.append(root, range)
    return Pools(scan.pools)
  }
}

/// Wraparound: pairs of items in different turns of a strip that wraps.
extension PoolQuery {
  /// The pools over the pairs of items in different turns.
  ///
  /// For i in one turn and j in a later one,
  ///
  ///     apart(i, j) = tail(i) + whole turns between x period + head(j)
  ///
  /// The tail is the distance from the end of i to the end of its turn. The head is the distance
  /// from the start of j's turn to j. Each is rounded by itself. A stretch less tail(i) contains
  /// `turns` periods and `rest`. Each period has all items of the kind, and `rest` has the items
  /// with a head of at most `rest`.
  ///
  /// - Complexity: O(*m* log *m* + log² *n*) for *m* items in a stretch, at most *n*.
  func poolsAcrossWraparound(_ root: Node) -> Pools {
    let kinds = root.kindCount
    // At the rounded height the period can be 0, although it is not 0 at the height of the layout.
    let period = max(1, scale.position(root.totals))
    let heads = heads(root, upTo: min(limit, period), kinds: kinds)
    let first = firstItem(root, withTailUpTo: limit)
    var left = root.ranks(before: first, kinds: kinds)
    for kind in 0..<kinds { left[kind] = root.count(ofKind: kind) - left[kind] }
    var pools = [Int](repeating: 0, count: kinds)
    var totals = root.totals(before: first)
    root.visit(first..<root.totals.count) { leaf, run in
      for item in leaf[run] {
        totals.add(item)
        guard !item.isHidden else { continue }
        let kind = item.kind
        let (turns, rest) = (limit - tail(root, after: totals))
          .quotientAndRemainder(dividingBy: period)
        let reached = heads[kind].partitioningIndex { $0 > rest }
        pools[kind] = max(
          pools[kind], left[kind] + turns * root.count(ofKind: kind) + reached)
        left[kind] -= 1
      }
      return true
    }
    return Pools(pools)
  }

  /// The distance from the end of an item to the end of its turn, including gaps.
  private func tail(_ root: Node, after totals: Totals) -> Int {
    scale.position(root.totals - totals) + scale.gap
  }

  /// The starts of the visible items of each kind, up to `limit` from the start of a turn.
  private func heads(_ root: Node, upTo limit: Int, kinds: Int) -> [[Int]] {
    var heads = [[Int]](repeating: [], count: kinds)
    var totals = Totals.zero
    root.visit(0..<root.totals.count) { leaf, run in
      for item in leaf[run] {
        let head = scale.position(totals)
        if head > limit { return false }
        if !item.isHidden { heads[item.kind].append(head) }
        totals.add(item)
      }
      return true
    }
    return heads
  }

  /// The first index with a tail of at most `limit`. Tails decrease along a turn.
  private func firstItem(_ root: Node, withTailUpTo limit: Int) -> Int {
    (0..<root.totals.count).partitioningIndex {
      tail(root, after: root.totals(before: $0 + 1)) <= limit
    }
  }
}
