extension PoolQuery {
  /// The pools over the pairs of items in different turns.
  ///
  /// With i in one turn and j in a later one,
  ///
  ///     apart(i, j) = tail(i) + whole turns x period + head(j)
  ///
  /// each rounded by itself: tail from the end of i to the end of its turn, head from the start of
  /// j's turn to j. What tail(i) leaves of a stretch holds `turns` periods and `rest`, and so as
  /// many items of the kind in each turn, and those whose head is within the rest.
  ///
  /// - Complexity: O(items in a stretch, at most *n*, x log of these + log² *n*).
  func poolsOverSeam(_ root: Node) -> Pools {
    let kinds = root.kindCount
    // At a rung below its own height a turn may have no length at all; it has some in the layout.
    let period = max(1, scale.position(root.totals))
    let heads = heads(root, within: min(limit, period), kinds: kinds)
    let first = firstItem(root, withTailWithin: limit)
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
        let reached = heads[kind].partition(within: rest)
        pools[kind] = max(
          pools[kind], left[kind] + turns * root.count(ofKind: kind) + reached)
        left[kind] -= 1
      }
      return true
    }
    return Pools(pools)
  }

  /// From the end of an item to the end of its turn, gaps included.
  private func tail(_ root: Node, after totals: Totals) -> Int {
    scale.position(root.totals - totals) + scale.gap
  }

  /// The starts of the visible items of each kind, as far as `reach` from the start of a turn.
  private func heads(_ root: Node, within reach: Int, kinds: Int) -> [[Int]] {
    var heads = [[Int]](repeating: [], count: kinds)
    var totals = Totals.zero
    root.visit(0..<root.totals.count) { leaf, run in
      for item in leaf[run] {
        let head = scale.position(totals)
        if head > reach { return false }
        if !item.isHidden { heads[item.kind].append(head) }
        totals.add(item)
      }
      return true
    }
    return heads
  }

  /// The least index whose tail is at most `reach`; tails decrease along a turn.
  private func firstItem(_ root: Node, withTailWithin reach: Int) -> Int {
    var low = 0
    var high = root.totals.count
    while low < high {
      let middle = (low + high) / 2
      if tail(root, after: root.totals(before: middle + 1)) <= reach {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }
}

extension [Int] {
  /// How many of these ascending numbers are at most `most`.
  fileprivate func partition(within most: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= most { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
