import Synchronization
package import Windowing

/// A cache of the arrangements of one strip and of their pools, shared by all threads.
///
/// - Complexity: O(1) for pools in the cache, O(log *n*) for an arrangement in it, else O(*n*). One thread at a time
///   searches a long strip. Other threads can read the cache during the search.
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

  private struct State {
    /// Of strips that are one line.
    var pools = PoolCache()
    var arrangements = ArrangementCache()

    var cost: Int { pools.cost + arrangements.cost }
  }

  private let state = Mutex(State())
  private let memory: MemoryReservation
  /// Held during a search. Only functions that may block wait for it.
  private let searching = Mutex(())

  /// A search of this number of items takes at most a few hundred microseconds.
  private static let shortCount = 50_000

  package init(memory: MemoryBudget = MemoryBudget()) {
    self.memory = MemoryReservation(0, of: memory)
  }

  package func withSearchLock<Result>(_ body: () -> Result) -> Result {
    searching.withLock { _ in body() }
  }
}

// MARK: - One line

extension SharedArrangements {
  /// May block.
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
  /// A strip as a list, a grid or rows, with the pools of a stretch. May take long.
  ///
  /// - Parameter stretch: nil if the caller needs no pools; they are empty then.
  package func arrangement(
    _ query: Query, of strip: Strip, stretch: Length?
  ) throws(ImpossibleArrangement) -> (Arrangement, Pools) {
    if let cached = try cachedArrangement(query, of: strip, stretch: stretch) { return cached }
    return try searching.withLock { _ throws(ImpossibleArrangement) in
      if let cached = try cachedArrangement(query, of: strip, stretch: stretch) { return cached }
      // In a copy, to hold the lock only briefly. What others add to the cache during the search is lost.
      var cache = state.withLock { state in
        memory.resize(to: state.cost + query.rule.cost(of: strip))
        return state.arrangements
      }
      memory.budget.evict()
      defer { memory.resize(to: state.withLock(\.cost)) }
      guard let found = cache.arrangement(of: strip, query) else { throw ImpossibleArrangement() }
      let pools = stretch.map { cache.pools(of: found, stretch: $0) } ?? Pools([])
      state.withLock { [cache] in $0.arrangements = cache }
      return (found, pools)
    }
  }

  /// The same if it takes microseconds, else nil. Never waits for another search.
  package func cachedArrangement(
    _ query: Query, of strip: Strip, stretch: Length?
  ) throws(ImpossibleArrangement) -> (Arrangement, Pools)? {
    let isShort = strip.count <= Self.shortCount
    return try state.withLock { state throws(ImpossibleArrangement) in
      let isKnown = state.arrangements.hasEntry(
        for: strip, query.rule, gap: query.gap, heading: query.heading)
      guard isKnown || isShort else { return nil }
      defer { memory.resize(to: state.cost) }
      guard let found = state.arrangements.arrangement(of: strip, query) else {
        throw ImpossibleArrangement()
      }
      guard let stretch else { return (found, Pools([])) }
      guard isShort || state.arrangements.hasPools(of: found, stretch: stretch) else { return nil }
      return (found, state.arrangements.pools(of: found, stretch: stretch))
    }
  }
}

extension ArrangementRule {
  /// About the most memory of an arrangement in bytes: the lines of a list have a tree of as many items, rows have
  /// a table.
  fileprivate func cost(of strip: Strip) -> Int {
    switch self {
    case .line: 0
    case .grid: 16 * strip.runCount
    case .list, .rows: 8 * strip.count + 16 * strip.runCount
    }
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
