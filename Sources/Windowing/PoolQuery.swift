/// What a pool depends on besides the strip: rungs, gap, and whether turns follow one another.
struct PoolQuery: Equatable, Sendable {
  /// The stretch and the height are rungs of the ladder.
  let stretch: Length
  let scale: Scale
  let wraps: Bool

  init(_ layout: Layout, stretch: Length) {
    self.stretch = Ladder.up(stretch)
    scale = Scale(height: Ladder.down(layout.height), gap: layout.gap)
    wraps = layout.wraps
  }

  /// How far apart two items in one stretch can be, in 1/64 px.
  var limit: Int { stretch.position - 2 }

  /// The pools over the pairs of items within `range` of a strip.
  ///
  /// - Complexity: O(items in the range); of a repetition, O(pattern + items in a stretch).
  func pools(of range: Range<Int>, in root: Node) -> Pools {
    isNarrow(root)
      ? pools(of: range, in: root, as: Int.self) : pools(of: range, in: root, as: Int128.self)
  }

  /// Whether positions in 1/65536 of a unit fit 64 bits: for strips short of 2^39 px.
  func isNarrow(_ root: Node) -> Bool { scale.position(root.totals) < 1 << 45 }

  private func pools<Fine: FixedWidthInteger & SignedInteger>(
    of range: Range<Int>, in root: Node, as: Fine.Type
  ) -> Pools {
    var scan = PoolScan<Fine>(scale: scale, limit: limit, kinds: root.kindCount)
    scan.take(root, range)
    return Pools(scan.pools)
  }
}
