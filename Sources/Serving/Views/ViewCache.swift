import HTTP
import Items
import Synchronization
package import Views
import Windowing

/// Caches views and facets, in bounded memory.
///
/// A view at one revision never changes. If possible, the view at a later revision is computed from a
/// cached one and the items that have changed since.
///
/// - Complexity: O(1) for a cached view.
package final class ViewCache: Sendable {
  /// A class, so that a table that compares and copies keys moves one reference.
  package final class Key: Hashable, Sendable {
    private let strip: String
    private let query: ViewQuery
    /// Computed once: a filter can be long.
    private let hash: Int

    package init(_ query: ViewQuery, of strip: String) {
      self.strip = strip
      self.query = query
      var hasher = Hasher()
      hasher.combine(strip)
      hasher.combine(query)
      hash = hasher.finalize()
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    package static func == (left: Key, right: Key) -> Bool {
      left === right
        || left.hash == right.hash && left.strip == right.strip && left.query == right.query
    }
  }

  /// One view at up to eight revisions, which share memory.
  private final class ViewVersions: Sendable {
    /// The time at which the entry was created and the view's list was read.
    let made = ContinuousClock.now
    private let views = Mutex<[StripView]>([])

    private static let limit = 8

    /// The view of a snapshot, if it is cached or can be computed from a cached one in
    /// microseconds.
    func cachedView(of base: Snapshot) -> StripView? {
      views.withLock { views in
        if let known = views.last(where: { $0.revision == base.revision && $0.isView(of: base) }) {
          return known
        }
        guard let view = views.last?.cachedUpdated(to: base) else { return nil }
        Self.append(view, of: base, to: &views)
        return view
      }
    }

    /// Whether even the last view retains memory that its strip has replaced.
    var isStale: Bool { views.withLock { $0.last?.isStale ?? true } }

    /// Drops the views of replaced revisions. Returns whether none is left.
    func dropStale() -> Bool {
      views.withLock { views in
        views.removeAll(where: \.isStale)
        return views.isEmpty
      }
    }

    /// The cached view whose revision is nearest to the snapshot's.
    func nearest(to base: Snapshot) -> StripView? {
      views.withLock { views in
        views.min { abs($0.revision - base.revision) < abs($1.revision - base.revision) }
      }
    }

    func store(_ view: StripView, of base: Snapshot) {
      views.withLock { Self.append(view, of: base, to: &$0) }
    }

    private static func append(_ view: StripView, of base: Snapshot, to views: inout [StripView]) {
      views.removeAll { $0.revision == view.revision || !$0.isView(of: base) }
      views.append(view)
      views.removeFirst(max(0, views.count - limit))
    }
  }

  private let entries: Mutex<BoundedCache<Key, ViewVersions>>
  private let facets: Mutex<BoundedCache<FacetsQuery.Key, (Facets, made: ContinuousClock.Instant)>>
  private let memory: MemoryBudget
  private let builds = Atomic(0)

  /// - Parameters:
  ///   - limit: the most bytes of views and facets. Facets are dropped first.
  ///   - strips: the memory of the strips. Views that retain what their strips have replaced are dropped
  ///     before strips are.
  init(limit: Int, strips: MemoryBudget? = nil) {
    memory = MemoryBudget(limit: limit)
    entries = Mutex(BoundedCache(memory))
    facets = Mutex(BoundedCache(memory))
    // Evicts any view: a new one can need the memory of all others.
    memory.addCache { [weak self] in
      guard let self else { return false }
      return entries.withLock { $0.evict(from: memory) { _ in true } }
    }
    memory.addCache { [weak self] in
      guard let self else { return false }
      return facets.withLock { $0.evict(from: memory) { _ in true } }
    }
    guard let strips else { return }
    strips.addCache { [weak self, unowned strips] in
      self?.entries.withLock { entries in
        strips.isOverSoftLimit
          ? entries.evict(from: nil) { $0.dropStale() }
          : entries.evict(from: strips, where: \.isStale)
      } ?? false
    }
  }

  /// The number of cached queries, the bytes of their views and of facets, and the limit of bytes.
  package var usage: (count: Int, bytes: Int, limit: Int) {
    (entries.withLock { $0.count }, memory.used, memory.limit)
  }

  /// The number of views that were computed from the whole strip, not from an earlier view.
  package var buildCount: Int { builds.load(ordering: .relaxed) }

  /// The view of a snapshot, if it is in memory. Never blocks.
  func cachedView(_ query: ViewQuery, of base: Snapshot) -> StripView? {
    let key = Key(query, of: base.name)
    guard let versions = entries.withLock({ $0.find(key) }) else { return nil }
    guard query.list == nil || Self.isRecent(versions.made) else {
      entries.withLock { _ = $0.remove(key) }
      return nil
    }
    let view = versions.cachedView(of: base)
    memory.evict()
    return view
  }

  /// The view of a snapshot, computed from a cached view if possible. May block, for up to seconds for
  /// a long strip.
  ///
  /// - Parameter list: the ids of the query's list; nil if the query has no list.
  /// - Throws: 503 if the view does not fit in memory.
  func view(
    _ query: ViewQuery, of base: Snapshot, list: @autoclosure () throws(Problem) -> [String]?
  ) throws(Problem) -> StripView {
    for (parameter, isGiven) in [
      ("where", query.filter != nil), ("q", query.search != nil), ("sort", !query.sort.isEmpty),
    ] where isGiven {
      try check(base, for: parameter)
    }
    let key = Key(query, of: base.name)
    let nearest = entries.withLock { $0.peek(key) }?.nearest(to: base)
    let view: StripView
    if let followed = try Problem.mapping(nearest?.updated(to: base)) {
      view = followed
    } else {
      let ids = try list()
      view = try Problem.mapping(.make(query, of: base, list: ids, memory: memory))
      builds.wrappingAdd(1, ordering: .relaxed)
    }
    entries.withLock { entries in
      let versions = entries.peek(key) ?? ViewVersions()
      versions.store(view, of: base)
      entries.insert(versions, for: key, cost: 2000)
    }
    return view
  }

  /// Counts facets. May block, and throws, as `view` does.
  func facets(
    _ query: FacetsQuery, of base: Snapshot, list: @autoclosure () throws(Problem) -> [String]?
  ) throws(Problem) -> Facets {
    try check(base, for: "field")
    let ids = try list()
    let made = try Problem.mapping(
      Facets(
        of: query.fields, by: query.unit, limit: query.limit, valueSearch: query.valueSearch,
        query.view, of: base, list: ids, memory: memory))
    facets.withLock { $0.insert((made, made: .now), for: query.key(of: base), cost: 1000) }
    return made
  }

  func cachedFacets(_ query: FacetsQuery, of base: Snapshot) -> Facets? {
    guard let (known, made) = facets.withLock({ $0.find(query.key(of: base)) }) else { return nil }
    return query.view.list == nil || Self.isRecent(made) ? known : nil
  }

  /// Whether a view or facets of a list can stay. They expire after a day, and their list is then read again: the store
  /// deletes a list that is not read for long.
  private static func isRecent(_ made: ContinuousClock.Instant) -> Bool {
    made > .now - .seconds(86_400)
  }

  /// - Throws: 400 if the strip has too many items for the columns that `parameter` needs.
  private func check(_ base: Snapshot, for parameter: String) throws(Problem) {
    guard base.strip.count <= ColumnCache.longestStrip else {
      throw .parameter(
        parameter,
        "is for strips of at most \(ColumnCache.longestStrip) items; "
          + "\(base.name) has \(base.strip.count)")
    }
  }
}
