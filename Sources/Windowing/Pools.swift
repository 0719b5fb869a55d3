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
