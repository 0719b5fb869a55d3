/// How many slots of each kind a stretch can ever need.
///
/// P(k) is the largest rank(j) - rank(i) + 1 over items i < j of kind k that are not hidden and
/// at most a stretch apart, and at least 1 where there is such an item: a property of the strip
/// alone, found by ``Layout/pools(stretch:)``.
public struct Pools: Hashable, Sendable {
  private var sizes: [Int]

  /// Makes pools of these sizes, by the kinds' numbers.
  public init(_ sizes: [Int]) { self.sizes = sizes }

  /// The number of slots of `kind`; 0 where the strip has no such item.
  public subscript(kind: Kind) -> Int { self[number: kind.index] }

  /// The kinds that have a pool, by their numbers.
  public var kinds: [Kind] {
    sizes.indices.filter { sizes[$0] > 0 }.map { Kind(number: $0) }
  }

  subscript(number kind: Int) -> Int { kind < sizes.count ? sizes[kind] : 0 }

  /// Whether equal, kind by kind, whatever the lengths of the tables.
  public static func == (a: Pools, b: Pools) -> Bool {
    (0..<max(a.sizes.count, b.sizes.count)).allSatisfy { a[number: $0] == b[number: $0] }
  }

  public func hash(into hasher: inout Hasher) {
    for kind in kinds {
      hasher.combine(kind)
      hasher.combine(self[kind])
    }
  }
}

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

/// The lengths that pools are found for: 8, 9 ... 15, 16, 18 ... 30, 32, 36 ... px, k x 2^m with
/// k from 8 to 15, so that few are ever asked for.
public enum Ladder {
  /// The least rung that is `stretch` or more; at least 8 px.
  ///
  /// - Precondition: `stretch` is at most 2^47 px.
  /// - Complexity: O(1).
  public static func up(_ stretch: Length) -> Length {
    precondition(stretch <= .farthest, "A stretch is at most 2^47 px.")
    let units = max(stretch.units, 8 * Length.unitsPerPixel)
    let step = step(at: units)
    return Length(units: (units + step - 1) / step * step)
  }

  /// The greatest rung that is `height` or less. Below 8 px, where the contract needs none, the
  /// ladder goes on downward in the same way, to whole units.
  ///
  /// - Complexity: O(1).
  public static func down(_ height: Length) -> Length {
    let units = max(height.units, 0)
    let step = step(at: units)
    return Length(units: units / step * step)
  }

  /// The distance between the rungs around a length: the power of two that leaves 8 ... 15.
  private static func step(at units: Int64) -> Int64 {
    let bits = Int64.bitWidth - units.leadingZeroBitCount
    return 1 << max(0, bits - 4)
  }
}
