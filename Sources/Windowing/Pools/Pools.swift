/// The number of slots of each kind that one window can need: see ``StripLayout/pools(poolLength:)``.
public struct Pools: Hashable, Sendable {
  /// The number of slots of each kind, by the number of the kind. The last one is not 0.
  private var sizes: [Int]

  /// - Parameter sizes: the number of slots, by the number of the kind.
  public init(_ sizes: [Int]) {
    self.sizes = sizes
    while self.sizes.last == 0 { self.sizes.removeLast() }
  }

  /// The number of slots of `kind`; 0 if the strip has no visible item of this kind.
  public subscript(kind: Kind) -> Int { self[number: kind.index] }

  /// The kinds that have slots, by number.
  public var kinds: [Kind] {
    sizes.indices.filter { sizes[$0] > 0 }.map { Kind(number: $0) }
  }

  subscript(number kind: Int) -> Int { kind < sizes.count ? sizes[kind] : 0 }

  mutating func formMaximum(_ other: Pools) {
    while sizes.count < other.sizes.count { sizes.append(0) }
    for kind in other.sizes.indices { sizes[kind] = max(sizes[kind], other.sizes[kind]) }
  }
}

/// A reusable cell: a kind, and a number among the cells of this kind.
public struct Slot: Hashable, Sendable {
  public let kind: Kind

  /// The number among the slots of the kind, from 0.
  public let number: Int

  public init(kind: Kind, number: Int) {
    self.kind = kind
    self.number = number
  }
}

/// The slots of items in order: rank modulo pool, for each kind.
struct SlotCounter {
  /// The number of the next slot of each kind.
  private(set) var numbers: ContiguousArray<Int>
  private let pools: Pools

  init(_ root: Node, lap: Int = 0, _ ranks: inout Ranks?, _ pools: Pools) {
    self.pools = pools
    numbers = ranks?.moveCounts() ?? []
    for kind in numbers.indices {
      let rank = lap == 0 ? numbers[kind] : numbers[kind] + lap * root.count(ofKind: kind)
      let pool = max(1, pools[number: kind])
      let rest = rank % pool
      numbers[kind] = rest < 0 ? rest + pool : rest
    }
  }

  mutating func next(of kind: Int) -> Slot {
    let number = numbers[kind]
    numbers[kind] = number + 1 < pools[number: kind] ? number + 1 : 0
    return Slot(kind: Kind(number: kind), number: number)
  }
}

extension Strip {
  /// The slots of the items of a range that are not hidden, in a lap.
  func slots(of range: Range<Int>, lap: Int = 0, _ pools: Pools) -> [Slot] {
    guard let root, !range.isEmpty else { return [] }
    var ranks: Ranks? = Ranks(kinds: root.kindCount)
    _ = root.cursor(at: range.lowerBound, ranks: &ranks)
    var counter = SlotCounter(root, lap: lap, &ranks, pools)
    var slots: [Slot] = []
    root.visit(range) { leaf, part in
      for item in leaf[part] where !item.isHidden { slots.append(counter.next(of: item.kind)) }
      return true
    }
    return slots
  }
}

extension StripLayout {
  /// The pools of a length: for each kind, the most items that a window of this length can show. The
  /// length is rounded up and the height down to one of the ``SizeClasses``.
  ///
  /// The pool of a kind is the largest number of its items from one item i to another item j, among
  /// all pairs whose distance is at most the length less 2/64 px. It is at least 1 if the kind has a
  /// visible item. The distance is from the end of i to the start of j:
  ///
  ///     distance(i, j) = floor(height x aspects / 65536) + widths + (j - i) x gap
  ///
  /// with the sums of the items between them.
  ///
  /// - Complexity: O(*n*); O(pattern + items in a length) for a repetition. See ``PoolCache``.
  public func pools(poolLength: Length) -> Pools {
    guard let root = strip.root else { return Pools([]) }
    return PoolQuery(self, poolLength: poolLength).pools(of: root)
  }
}

/// The lengths that pools are computed for: 8, 9 ... 15, 16, 18 ... 30, 32, 36 ... px, that is
/// k x 2^m px with k from 8 to 15. There are few of them, so that caches work well.
///
///     SizeClasses.roundedUp(.px(800))  // 832 px
public enum SizeClasses {
  /// Rounds up to one of the ``SizeClasses``; at least 8 px.
  ///
  /// - Precondition: `poolLength` is at most 2^47 px.
  public static func roundedUp(_ poolLength: Length) -> Length {
    precondition(poolLength <= .maximum, "The length is at most 2^47 px.")
    let units = max(poolLength.units, 8 * Length.unitsPerPixel)
    let step = step(at: units)
    return Length(units: (units + step - 1) / step * step)
  }

  /// Rounds down to one of the ``SizeClasses``. Below 8 px the steps continue in the same way, down to
  /// 1/64 px; the slot rule does not need them.
  public static func roundedDown(_ height: Length) -> Length {
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

/// The parameters of pools, besides the items.
struct PoolQuery: Equatable, Sendable {
  let poolLength: Length
  let scale: Scale
  let wraps: Bool

  init(_ layout: StripLayout, poolLength: Length) {
    self.poolLength = SizeClasses.roundedUp(poolLength)
    scale = Scale(height: SizeClasses.roundedDown(layout.height), gap: layout.gap)
    wraps = layout.wraps
  }

  /// The largest distance of two items in one length, in 1/64 px.
  var limit: Int { poolLength.position - 2 }

  /// The pools over all pairs of items, also over those in different laps.
  ///
  /// - Parameter linear: The pools over the pairs in one lap, if they are known.
  func pools(of root: Node, linear: Pools? = nil) -> Pools {
    var pools = linear ?? pools(of: 0..<root.totals.count, in: root)
    if wraps { pools.formMaximum(poolsAcrossWraparound(root)) }
    return pools
  }

  /// The pools over the pairs of items within `range`.
  ///
  /// - Complexity: O(items in the range); O(pattern + items in a length) for a repetition.
  func pools(of range: Range<Int>, in root: Node) -> Pools {
    // Positions in 1/65536 of a unit fit in 64 bits below 2^39 px.
    scale.position(root.totals) < 1 << 45
      ? pools(of: range, in: root, as: Int.self) : pools(of: range, in: root, as: Int128.self)
  }

  private func pools<Fine: FixedWidthInteger & SignedInteger>(
    of range: Range<Int>, in root: Node, as: Fine.Type
  ) -> Pools {
    var scan = PoolScan<Fine>(scale: scale, limit: limit, kinds: root.kindCount)
    scan.append(root, range)
    return Pools(scan.pools)
  }
}

extension PoolQuery {
  /// The pools over the pairs of items in different laps.
  ///
  /// The distance of i in one lap and j in a later one is
  ///
  ///     distance(i, j) = tail(i) + whole laps between x lap + head(j)
  ///
  /// The tail is the distance from the end of i to the end of its lap. The head is the distance
  /// from the start of j's lap to j. Each is rounded by itself. A length less tail(i) contains `laps`
  /// whole laps, and `rest` remains. Each whole lap has all items of the kind. The rest has those whose
  /// head is at most `rest`.
  ///
  /// - Complexity: O(*m* log *m* + log² *n*) for *m* items in a length, at most *n*.
  private func poolsAcrossWraparound(_ root: Node) -> Pools {
    let kinds = root.kindCount
    // At the rounded height a lap can be 0 long, although it is not 0 at the height of the layout.
    let lapLength = max(1, scale.position(root.totals))
    let heads = heads(root, upTo: min(limit, lapLength), kinds: kinds)
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
        let (laps, rest) = (limit - tail(root, after: totals))
          .quotientAndRemainder(dividingBy: lapLength)
        let reached = heads[kind].partitioningIndex { $0 > rest }
        pools[kind] = max(
          pools[kind], left[kind] + laps * root.count(ofKind: kind) + reached)
        left[kind] -= 1
      }
      return true
    }
    return Pools(pools)
  }

  private func tail(_ root: Node, after totals: Totals) -> Int {
    scale.position(root.totals - totals) + scale.gap
  }

  /// The starts of the visible items of each kind, up to `limit` from the start of a lap.
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

  /// Tails decrease along a lap.
  private func firstItem(_ root: Node, withTailUpTo limit: Int) -> Int {
    (0..<root.totals.count).partitioningIndex {
      tail(root, after: root.totals(before: $0 + 1)) <= limit
    }
  }
}
