package import Items
import Synchronization
package import Windowing

/// A cache of the layouts of one strip and of their pools, shared by all threads. One thread at a time searches a
/// long strip. Other threads can read the cache during the search.
///
/// - Complexity: O(1) for pools in the cache, O(log *n*) for a layout in it, else O(*n*).
package final class SharedLayoutCache: Sendable {
  /// The parameters of a layout.
  package struct Query: Hashable, Sendable {
    package let rule: LayoutRule
    let gap: Length
    let inset: Length
    let heading: Length

    package init(_ rule: LayoutRule, _ settings: StripSettings, heading: Length = .zero) {
      self.rule = rule
      (gap, inset, self.heading) = (settings.gap, settings.inset, heading)
    }
  }

  /// An item or a cell of the layout would be higher than 2^20 px, or a column not wider than 0.
  package struct LayoutError: Error {}

  private let cache = Mutex(LayoutCache())
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

extension SharedLayoutCache {
  /// A layout of a strip, with its pools. May take long.
  ///
  /// - Parameter poolLength: nil if the caller needs no pools; they are empty then.
  package func layout(
    _ query: Query, of strip: Strip, poolLength: Length?
  ) throws(LayoutError) -> (Layout, Pools) {
    if let cached = try cachedLayout(query, of: strip, poolLength: poolLength) {
      return cached
    }
    return try withSearchLock { () throws(LayoutError) in
      if let cached = try cachedLayout(query, of: strip, poolLength: poolLength) {
        return cached
      }
      // Searches in a copy, to hold the lock only briefly. Entries that other threads add during the search are lost.
      var copy = cache.withLock { cache in
        memory.resize(to: cache.cost + query.rule.cost(of: strip))
        return cache
      }
      memory.budget.evict()
      defer { memory.resize(to: cache.withLock(\.cost)) }
      guard let found = copy.layout(of: strip, query) else { throw LayoutError() }
      let pools = poolLength.map { copy.pools(of: found, poolLength: $0) } ?? Pools([])
      cache.withLock { [copy] in $0 = copy }
      return (found, pools)
    }
  }

  /// A layout of a strip, with its pools, if the cache has it or the search is short. Never waits for another search.
  package func cachedLayout(
    _ query: Query, of strip: Strip, poolLength: Length?
  ) throws(LayoutError) -> (Layout, Pools)? {
    let isShort = strip.count <= Self.shortCount
    return try cache.withLock { cache throws(LayoutError) in
      let isKnown = cache.hasEntry(for: strip, query.rule, gap: query.gap, heading: query.heading)
      guard isKnown || isShort else { return nil }
      defer { memory.resize(to: cache.cost) }
      guard let found = cache.layout(of: strip, query) else { throw LayoutError() }
      guard let poolLength else { return (found, Pools([])) }
      guard isShort || cache.hasPools(of: found, poolLength: poolLength) else { return nil }
      return (found, cache.pools(of: found, poolLength: poolLength))
    }
  }
}

extension LayoutRule {
  /// An upper estimate of the memory of a layout in bytes: a list has a tree with a line for each item, rows have
  /// a table.
  fileprivate func cost(of strip: Strip) -> Int {
    switch self {
    case .strip: 0
    case .grid: 16 * strip.runCount
    case .list, .rows: 8 * strip.count + 16 * strip.runCount
    }
  }
}

extension LayoutCache {
  fileprivate mutating func layout(
    of strip: Strip, _ query: SharedLayoutCache.Query
  ) -> Layout? {
    layout(
      of: strip, query.rule, gap: query.gap, inset: query.inset, heading: query.heading)
  }
}
