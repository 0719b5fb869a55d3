import Synchronization
package import Windowing

/// A cache of the arrangements of one strip and of their pools, shared by all threads.
///
/// - Complexity: O(1) for pools in the cache, O(log *n*) for an arrangement in it. O(*n*) for others. One thread at a
///   time searches a long strip. Other threads can read the cache during the search.
package final class SharedArrangements: Sendable {
  /// How the items of an edition are arranged.
  package struct Query: Hashable, Sendable {
    package let rule: ArrangementRule
    let gap: Length
    let inset: Length
    let heading: Length

    package init(_ rule: ArrangementRule, _ settings: StripSettings, heading: Length = .zero) {
      self.rule = rule
      (gap, inset, self.heading) = (settings.gap, settings.inset, heading)
    }
  }

  /// An item or a cell of the arrangement would be higher than 2^20 px, or a column not wider than 0.
  package struct ImpossibleArrangement: Error {}

  private struct PoolKey: Hashable {
    let query: Query
    let stretch: Length
    let revision: Int64

    init(_ query: Query, _ stretch: Length, of edition: Edition) {
      self.query = query
      self.stretch = Ladder.up(stretch)
      revision = edition.revision
    }
  }

  private struct State {
    /// Of strips that are one line.
    var pools = PoolCache()
    var arrangements = ArrangementCache()
    /// Of the other arrangements. The most recently found ones are last.
    var rowPools: [(key: PoolKey, pools: Pools)] = []

    var cost: Int { pools.cost + arrangements.cost + 400 * rowPools.count }
  }

  private let state = Mutex(State())
  private let memory: MemoryReservation
  /// Held during a search. Only functions that may block wait for it.
  private let searching = Mutex(())

  /// A search of this number of items takes at most a few hundred microseconds.
  private static let shortCount = 50_000
  private static let rowPoolCount = 64

  package init(memory: MemoryBudget = MemoryBudget()) {
    self.memory = MemoryReservation(0, of: memory)
  }

  /// Runs `body` while it holds the search lock.
  package func withSearchLock<Result>(_ body: () -> Result) -> Result {
    searching.withLock { _ in body() }
  }
}

// MARK: - One line

extension SharedArrangements {
  /// The result of `layout.pools(stretch:)`. May block.
  package func pools(of layout: Layout, stretch: Length) -> Pools {
    known(layout, stretch: stretch)
      ?? withSearchLock { known(layout, stretch: stretch) ?? find(layout, stretch: stretch) }
  }

  /// The pools of a stretch if they are cached or a search is fast; else nil. Never waits for another search.
  package func cachedPools(of layout: Layout, stretch: Length) -> Pools? {
    if let known = known(layout, stretch: stretch) { return known }
    let isCheap =
      layout.count <= Self.shortCount
      || state.withLock { $0.pools.hasEntry(for: layout, stretch: stretch) }
    return isCheap ? find(layout, stretch: stretch) : nil
  }

  private func known(_ layout: Layout, stretch: Length) -> Pools? {
    state.withLock { $0.pools.cachedPools(of: layout, stretch: stretch) }
  }

  /// Finds pools in a copy of the table, to hold the table's lock only briefly.
  private func find(_ layout: Layout, stretch: Length) -> Pools {
    var copy = state.withLock { $0.pools }
    let pools = copy.pools(of: layout, stretch: stretch)
    state.withLock {
      $0.pools.merge(copy, for: layout, stretch: stretch)
      memory.resize(to: $0.cost)
    }
    return pools
  }
}

// MARK: - Rows

extension SharedArrangements {
  /// A strip as a list, a grid or rows. May take long.
  package func arrangement(
    _ query: Query, of strip: Strip
  ) throws(ImpossibleArrangement) -> Arrangement {
    if let cached = try cachedArrangement(query, of: strip) { return cached }
    return try searching.withLock { _ throws(ImpossibleArrangement) in
      if let cached = try cachedArrangement(query, of: strip) { return cached }
      var cache = state.withLock { $0.arrangements }
      let found = cache.arrangement(of: strip, query)
      state.withLock { [cache] in
        $0.arrangements = cache
        memory.resize(to: $0.cost)
      }
      guard let found else { throw ImpossibleArrangement() }
      return found
    }
  }

  /// The same if it takes microseconds, else nil.
  package func cachedArrangement(
    _ query: Query, of strip: Strip
  ) throws(ImpossibleArrangement) -> Arrangement? {
    try state.withLock { state throws(ImpossibleArrangement) in
      let isKnown = state.arrangements.hasEntry(
        for: strip, query.rule, gap: query.gap, heading: query.heading)
      guard isKnown || strip.count <= Self.shortCount else { return nil }
      let found = state.arrangements.arrangement(of: strip, query)
      if !isKnown { memory.resize(to: state.cost) }
      guard let found else { throw ImpossibleArrangement() }
      return found
    }
  }

  /// The pools of an arrangement of an edition. May take long.
  package func pools(
    of arrangement: Arrangement, _ query: Query, stretch: Length, in edition: Edition
  ) -> Pools {
    let key = PoolKey(query, stretch, of: edition)
    if let known = known(key) { return known }
    let pools = arrangement.pools(stretch: stretch)
    state.withLock { state in
      state.rowPools.append((key, pools))
      if state.rowPools.count > Self.rowPoolCount { state.rowPools.removeFirst() }
      memory.resize(to: state.cost)
    }
    return pools
  }

  /// The same if it takes microseconds, else nil.
  package func cachedPools(
    of arrangement: Arrangement, _ query: Query, stretch: Length, in edition: Edition
  ) -> Pools? {
    edition.strip.count <= Self.shortCount
      ? pools(of: arrangement, query, stretch: stretch, in: edition)
      : known(PoolKey(query, stretch, of: edition))
  }

  private func known(_ key: PoolKey) -> Pools? {
    state.withLock { state in state.rowPools.first { $0.key == key }?.pools }
  }
}

extension ArrangementCache {
  fileprivate mutating func arrangement(
    of strip: Strip, _ query: SharedArrangements.Query
  ) -> Arrangement? {
    arrangement(
      of: strip, query.rule, gap: query.gap, inset: query.inset, heading: query.heading)
  }
}
