/// A cache of pools that survives edits of the strip.
///
///     var cache = PoolCache()
///     let pools = cache.pools(of: layout, poolLength: .px(800))
///
/// It needs no notice of edits, because it compares the nodes of the old tree and the new one.
///
/// - Complexity: O(*n* / 2000) memory for each entry, and at most one strip for parts of earlier
///   ones.
public struct PoolCache: Sendable {
  private struct Entry {
    let query: PoolQuery
    let root: Node
    /// Nil if the root is no branch.
    let tree: PoolTree?
    let pools: Pools
    /// The value of `computedCount` when these pools were computed.
    let number: Int

    var count: Int { root.totals.count }
  }

  private let capacity: Int
  /// The most recently used entry is first.
  private var entries: [Entry] = []
  /// The number of pools that were computed.
  private var computedCount = 0

  /// - Parameter capacity: the most pairs of length and height. The least recently used is evicted.
  public init(capacity: Int = 32) { self.capacity = max(1, capacity) }

  /// Equal to ``StripLayout/pools(poolLength:)``.
  ///
  /// - Complexity: O(1) for a cached strip. O(log *n* + items around the edits) after edits.
  ///   O(*n*) for a new pair of length and height.
  public mutating func pools(of layout: StripLayout, poolLength: Length) -> Pools {
    guard let root = layout.strip.root else { return Pools([]) }
    let query = PoolQuery(layout, poolLength: poolLength)
    let index = index(of: query)
    if let index, entries[index].root.isIdentical(to: root) {
      if index > 0 { entries.insert(entries.remove(at: index), at: 0) }
      return entries[0].pools
    }
    let old = index.map { entries.remove(at: $0) }
    var tree: PoolTree?
    if case .branch(let branch) = root {
      tree = query.poolTree(of: branch, reusing: old?.tree)
    }
    let pools = query.pools(of: root, linear: tree?.pools)
    computedCount += 1
    if entries.count >= capacity { entries.removeLast() }
    entries.insert(
      Entry(query: query, root: root, tree: tree, pools: pools, number: computedCount), at: 0)
    // A tree takes ten bytes an item.
    while retainedCost > 10 * layout.count, entries.count > 1 { entries.removeLast() }
    return pools
  }

  /// Whether ``pools(of:poolLength:)`` is faster than O(*n*).
  public func hasEntry(for layout: StripLayout, poolLength: Length) -> Bool {
    layout.strip.root == nil || index(of: PoolQuery(layout, poolLength: poolLength)) != nil
  }

  /// The approximate memory in bytes. Each branch, of about 2,300 items, stores its own pools and those of
  /// the boundary to its neighbour.
  public var cost: Int { entries.reduce(retainedCost) { $0 + 300 + $1.count / 2300 * 200 } }

  /// The approximate memory of parts of earlier trees. An edit of an item replaces some nodes.
  private var retainedCost: Int {
    guard let newest = entries.first else { return 0 }
    return entries.reduce(0) {
      $0
        + ($1.root.isIdentical(to: newest.root)
          ? 0 : min(600 * (computedCount - $1.number), 10 * $1.count))
    }
  }

  private func index(of query: PoolQuery) -> Int? {
    entries.firstIndex { $0.query == query }
  }
}

/// The pools of a branch and of those below it, so that an edit scans only what is around it.
///
///     ├────── child ──────┼────── child ──────┼────── child ──────┤
///               ├ length ┼─ length ┤
///
/// Two items in one length are either in one child, or in the items within a length on both sides
/// of a boundary. So the pools follow from those of the children and from scans around boundaries.
/// Branches never change, so an edit keeps the pools of all branches that it shares.
///
/// A branch of leaves has no children in this tree, nor has a branch whose children are shorter
/// than the length: a scan of the whole branch is faster.
final class PoolTree: Sendable {
  let branch: Branch
  let pools: Pools
  fileprivate let children: [PoolTree]
  /// The pools of the crossing before each child but the first.
  fileprivate let crossings: [Pools]

  fileprivate init(
    _ branch: Branch, whole: Pools = Pools([]), children: [PoolTree] = [], crossings: [Pools] = []
  ) {
    self.branch = branch
    self.children = children
    self.crossings = crossings
    pools = (children.map(\.pools) + crossings).reduce(into: whole) { $0.formMaximum($1) }
  }
}

extension PoolQuery {
  /// - Complexity: O(*n*) without an old tree, else O(log *n* + items around the edits).
  fileprivate func poolTree(of branch: Branch, reusing old: PoolTree?) -> PoolTree {
    var old = old.map { [$0] } ?? []
    while let tree = old.first, tree.branch.height > branch.height { old = old.flatMap(\.children) }
    return poolTrees(of: [branch], reusing: old)[0]
  }

  /// The trees of branches of equal height, in order. The trees of `old` have this height or less.
  private func poolTrees(of branches: [Branch], reusing old: [PoolTree]) -> [PoolTree] {
    let known = Dictionary(old.map { ($0.branch.identity, $0) }) { first, _ in first }
    let new = branches.filter { known[$0.identity] == nil }
    guard let height = new.first?.height else {
      return branches.compactMap { known[$0.identity] }
    }
    let shared = Set(branches.map(\.identity))
    let changed = old.filter { !shared.contains($0.branch.identity) }
    let crossings = KnownCrossings(changed)
    // Without an old tree, branch by branch: the items of a branch are then in the processor's cache.
    let isFirst = changed.isEmpty
    var below = poolTrees(
      of: isFirst ? [] : new.flatMap { isWhole($0) ? [] : $0.branches },
      reusing: changed.flatMap { $0.branch.height < height ? [$0] : $0.children })[...]
    return branches.map { branch in
      if let tree = known[branch.identity] { return tree }
      if isWhole(branch) {
        return PoolTree(branch, whole: pools(of: 0..<branch.itemCount, in: .branch(branch)))
      }
      let children =
        isFirst
        ? poolTrees(of: branch.branches, reusing: []) : Array(below.prefix(branch.count))
      below = below.dropFirst(branch.count)
      return PoolTree(
        branch, children: children,
        crossings: (1..<branch.count).map { crossing(before: $0, of: branch, children, crossings) })
    }
  }

  private func isWhole(_ branch: Branch) -> Bool {
    branch.height == 1
      || scale.position(branch.totals(before: branch.count)) <= limit * branch.count
  }

  private func crossing(
    before child: Int, of branch: Branch, _ children: [PoolTree], _ known: KnownCrossings
  ) -> Pools {
    let start = scale.position(branch.totals(before: child))
    // Positions are rounded, so the reach is a little longer than the length.
    let reach = limit + 3
    let (low, high) = (start - reach, start + reach)
    if scale.position(branch.totals(before: child - 1)) < low,
      scale.position(branch.totals(before: child + 1)) > high,
      let pools = known[children[child - 1], children[child]]
    {
      return pools
    }
    let node = Node.branch(branch)
    let boundary = branch.count(before: child)
    let first = node.firstItem(endingAfter: low + scale.gap, at: scale)?.before.count ?? boundary
    let end = node.firstItem(endingAfter: high, at: scale).map { $0.before.count + 1 }
    return pools(of: min(first, boundary)..<(end ?? branch.itemCount), in: node)
  }
}

/// The crossings between neighbours of an older tree.
private struct KnownCrossings {
  private var byRight: [ObjectIdentifier: (left: PoolTree, pools: Pools)] = [:]

  init(_ trees: [PoolTree]) {
    for tree in trees {
      for (index, pools) in tree.crossings.enumerated() {
        byRight[tree.children[index + 1].branch.identity] = (tree.children[index], pools)
      }
    }
  }

  subscript(left: PoolTree, right: PoolTree) -> Pools? {
    guard let known = byRight[right.branch.identity],
      known.left.branch.identity == left.branch.identity
    else { return nil }
    return known.pools
  }
}

extension Branch {
  fileprivate var itemCount: Int { count(before: count) }

  fileprivate var branches: [Branch] {
    (0..<count).compactMap { if case .branch(let branch) = self[$0] { branch } else { nil } }
  }
}
