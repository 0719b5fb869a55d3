/// The number of slots of each kind that one stretch can need.
///
/// P(k) is the largest rank(j) - rank(i) + 1 over visible items i < j of kind k that are at most a
/// stretch apart. It is at least 1 if the strip has a visible item of kind k. Pools depend on the
/// strip alone; ``Layout/pools(stretch:)`` finds them.
public struct Pools: Hashable, Sendable {
  private var sizes: [Int]

  /// Makes pools from sizes, by the number of the kind.
  public init(_ sizes: [Int]) { self.sizes = sizes }

  /// The number of slots of `kind`; 0 if the strip has no visible item of this kind.
  public subscript(kind: Kind) -> Int { self[number: kind.index] }

  /// The kinds that have slots, by number.
  public var kinds: [Kind] {
    sizes.indices.filter { sizes[$0] > 0 }.map { Kind(number: $0) }
  }

  subscript(number kind: Int) -> Int { kind < sizes.count ? sizes[kind] : 0 }

  /// Whether all kinds have equal sizes. Trailing zeros make no difference.
  public static func == (a: Pools, b: Pools) -> Bool {
    (0..<max(a.sizes.count, b.sizes.count)).allSatisfy { a[number: $0] == b[number: $0] }
  }

  public func hash(into hasher: inout Hasher) {
    for kind in kinds {
      hasher.combine(kind)
      hasher.combine(self[kind])
    }
  }

  /// The larger size of each kind.
  func maximum(with other: Pools) -> Pools {
    Pools((0..<Kind.most).map { max(self[number: $0], other[number: $0]) })
  }
}

extension Layout {
  /// The pools of a stretch: for each kind, the most items that one stretch of this length needs.
  ///
  /// Rounds the stretch up and the height down to a step of the ``Ladder``. P(k) is the largest
  /// rank(j) - rank(i) + 1 over visible items i < j of kind k with apart(i, j) at most the stretch
  /// less 2/64 px. apart(i, j) is floor(height x aspects / 65536) + widths + (j - i) x gap, with the
  /// sums of the items between i and j.
  ///
  /// - Complexity: O(*n*), one pass; O(pattern + items in a stretch) for a repetition. A
  ///   ``PoolCache`` is faster if you ask again.
  public func pools(stretch: Length) -> Pools {
    let query = PoolQuery(self, stretch: stretch)
    guard let root = strip.root else { return Pools([]) }
    let linear = query.pools(of: 0..<count, in: root)
    return query.wraps ? linear.maximum(with: query.poolsAcrossWraparound(root)) : linear
  }
}

/// The lengths that pools are computed for: 8, 9 ... 15, 16, 18 ... 30, 32, 36 ... px, that is
/// k x 2^m px with k from 8 to 15. There are few of them, so that caches work well.
///
///     Ladder.up(.px(800))  // 832 px
public enum Ladder {
  /// Rounds up to a step of the ladder; at least 8 px.
  ///
  /// - Precondition: `stretch` is at most 2^47 px.
  /// - Complexity: O(1).
  public static func up(_ stretch: Length) -> Length {
    precondition(stretch <= .farthest, "A stretch is at most 2^47 px.")
    let units = max(stretch.units, 8 * Length.unitsPerPixel)
    let step = step(at: units)
    return Length(units: (units + step - 1) / step * step)
  }

  /// Rounds down to a step of the ladder. Below 8 px the steps continue in the same way, down to
  /// 1/64 px; the slot rule does not need them.
  ///
  /// - Complexity: O(1).
  public static func down(_ height: Length) -> Length {
    let units = max(height.units, 0)
    let step = step(at: units)
    return Length(units: units / step * step)
  }

  /// The distance between two steps at a length: a power of two.
  private static func step(at units: Int64) -> Int64 {
    let bits = Int64.bitWidth - units.leadingZeroBitCount
    return 1 << max(0, bits - 4)
  }
}
