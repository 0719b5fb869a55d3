package import Items
import Synchronization
package import Windowing

/// A cache of the arrangements of one strip and of their pools, shared by all threads. One thread at a time searches a
/// long strip. Other threads can read the cache during the search.
///
/// - Complexity: O(1) for pools in the cache, O(log *n*) for an arrangement in it, else O(*n*).
package final class SharedArrangements: Sendable {
  /// How the items of a snapshot are arranged.
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
  package struct ArrangementError: Error {}

  private let cache = Mutex(ArrangementCache())
  private let memory: MemoryReservation
  /// Held during a search. Only functions that may block wait for it.
  private let searching = Mutex(())

  /// A search of this number of items takes at most a few hundred microseconds.
  private static let shortCount = 50_000

  package init(memory: MemoryBudget = MemoryBudget()) {
    self.memory = MemoryReservation(0, of: memory)
  }

  package func withSearchLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try searching.withLock { _ throws(Failure) in try body() }
  }
}

extension SharedArrangements {
  /// An arrangement of a strip, with its pools. May take long.
  ///
  /// - Parameter poolLength: nil if the caller needs no pools; they are empty then.
  package func arrangement(
    _ query: Query, of strip: Strip, poolLength: Length?
  ) throws(ArrangementError) -> (Arrangement, Pools) {
    if let cached = try cachedArrangement(query, of: strip, poolLength: poolLength) {
      return cached
    }
    return try withSearchLock { () throws(ArrangementError) in
      if let cached = try cachedArrangement(query, of: strip, poolLength: poolLength) {
        return cached
      }
      // In a copy, to hold the lock only briefly. Entries that other threads add during the search are lost.
      var copy = cache.withLock { cache in
        memory.resize(to: cache.cost + query.rule.cost(of: strip))
        return cache
      }
      memory.budget.evict()
      defer { memory.resize(to: cache.withLock(\.cost)) }
      guard let found = copy.arrangement(of: strip, query) else { throw ArrangementError() }
      let pools = poolLength.map { copy.pools(of: found, poolLength: $0) } ?? Pools([])
      cache.withLock { [copy] in $0 = copy }
      return (found, pools)
    }
  }

  /// Returns nil if the cache lacks it and a search is long. Never waits for another search.
  package func cachedArrangement(
    _ query: Query, of strip: Strip, poolLength: Length?
  ) throws(ArrangementError) -> (Arrangement, Pools)? {
    let isShort = strip.count <= Self.shortCount
    return try cache.withLock { cache throws(ArrangementError) in
      let isKnown = cache.hasEntry(for: strip, query.rule, gap: query.gap, heading: query.heading)
      guard isKnown || isShort else { return nil }
      defer { memory.resize(to: cache.cost) }
      guard let found = cache.arrangement(of: strip, query) else { throw ArrangementError() }
      guard let poolLength else { return (found, Pools([])) }
      guard isShort || cache.hasPools(of: found, poolLength: poolLength) else { return nil }
      return (found, cache.pools(of: found, poolLength: poolLength))
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
