import Synchronization

/// A catalogue that publishes revisions at intervals. Readers see all edits of an interval at once.
///
///     edits            8 9 10        11
///     intervals   |          |          |          |
///     newest      7          10         11
///
/// A read without a revision, or an event stream, gets the newest revision at the start of the interval. A
/// read that names a revision gets it at once. A strip created during the interval has its first revision.
///
/// Intervals start at whole multiples of their length since 1970, and the store records the times of revisions.
/// All servers of one store therefore publish the same revisions.
///
/// - Complexity: O(1) plus the store's cost. Each strip is looked up once per interval.
package final class PublishedCatalogue: StripCatalogue {
  private let store: any StripCatalogue
  private let interval: Duration
  private let clock: @Sendable () -> Duration
  private let strips: Mutex<PublishedStrips>
  /// The earliest time, since 1970, to query a store again that was unavailable. It avoids repeated timeouts.
  private let retryTime = Mutex(Duration.zero)

  /// - Parameters:
  ///   - interval: less than one minute, because the store retains older revisions for one minute.
  ///   - clock: the time since 1970.
  package init(
    _ store: any StripCatalogue, every interval: Duration,
    clock: @escaping @Sendable () -> Duration
  ) {
    precondition(interval > .zero, "An interval is longer than 0.")
    self.store = store
    self.interval = interval
    self.clock = clock
    let minute = Int((Duration.seconds(60) / interval).rounded(.up))
    let memory = store.memory ?? MemoryBudget()
    strips = Mutex(PublishedStrips(memory: memory, lifetime: minute))
    memory.addCache { [weak self] in self?.strips.withLock { $0.evict() } ?? false }
  }

  private var currentInterval: Int { Int((clock() / interval).rounded(.down)) }

  /// The latest time of an interval's revision, in microseconds since 1970.
  ///
  /// It is slightly before the interval, because a revision gets its time before its commit, and no server may
  /// query between the two. The margin also allows for differences of clocks.
  private func end(before number: Int) -> Int64 {
    let (seconds, attoseconds) =
      (interval * number - min(interval / 8, .milliseconds(250))).components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }

  package func edition(of name: String?, at revision: Int64?) throws(CatalogueError) -> Edition {
    guard let name else {
      return try edition(of: store.edition(of: nil, at: nil).name, at: revision)
    }
    guard let revision else { return try newest(name) }
    if let held = strips.withLock({ $0.find(name, at: revision)?.edition }) { return held }
    return try store.edition(of: name, at: revision)
  }

  package func cachedEdition(
    of name: String?, at revision: Int64?
  ) throws(CatalogueError) -> Edition? {
    guard let name else {
      guard let first = try store.cachedEdition(of: nil, at: nil) else { return nil }
      return try cachedEdition(of: first.name, at: revision)
    }
    guard let revision else {
      return strips.withLock { $0.find(name, during: currentInterval)?.edition }
    }
    if let held = strips.withLock({ $0.find(name, at: revision)?.edition }) { return held }
    return try store.cachedEdition(of: name, at: revision)
  }

  package func list(_ name: String, of strip: String) throws(CatalogueError) -> ItemList? {
    try store.list(name, of: strip)
  }

  package func newestRevisions(of names: [String]) throws(CatalogueError) -> [String: Int64] {
    var attempts = 0
    while true {
      let interval = currentInterval
      var newest = strips.withLock { strips in
        names.reduce(into: [:]) { $0[$1] = strips.find($1, during: interval)?.number }
      }
      let others = names.filter { newest[$0] == nil }
      guard !others.isEmpty else { return newest }
      let found =
        if let settled = try revisions(of: others, during: interval) { settled } else {
          try store.newestRevisions(of: others)
        }
      let arePublished = strips.withLock { strips in
        found.allSatisfy { strips.publish($1, of: $0, during: interval) }
      }
      newest.merge(found) { $1 }
      attempts += 1
      // Another thread publishes revisions at the same time. The last attempt returns those of the store.
      if arePublished || attempts == 8 { return newest }
    }
  }

  private func newest(_ name: String) throws(CatalogueError) -> Edition {
    var attempts = 0
    while true {
      let interval = currentInterval
      let published = strips.withLock { $0.find(name, during: interval) }
      if let edition = published?.edition { return edition }
      do throws(CatalogueError) {
        let settled = published == nil ? try revisions(of: [name], during: interval) : nil
        let revision = published?.number ?? settled?[name]
        if settled != nil, revision == nil { throw .noSuchStrip(name) }
        let found = try store.edition(of: name, at: revision)
        // Another thread can have published another revision by now.
        if strips.withLock({
          $0.publish(found.revision, of: name, found, during: interval)
        }) {
          return found
        }
      } catch {
        switch error {
        case .noSuchStrip:
          strips.withLock { $0.remove(name) }
          guard published != nil else { throw error }
        case .revisionGone, .revisionUnknown:
          // The strip can be removed and created again. Its published revisions then no longer exist.
          strips.withLock { $0.remove(name) }
          attempts += 1
          guard attempts < 8 else { throw error }
        default: throw error
        }
      }
    }
  }

  /// The revisions to publish, from the store. Nil while the store is unavailable. The caller then publishes
  /// the newest revisions in memory.
  private func revisions(
    of names: [String], during interval: Int
  ) throws(CatalogueError) -> [String: Int64]? {
    guard retryTime.withLock({ $0 }) <= clock() else { return nil }
    do throws(CatalogueError) {
      return try store.revisions(of: names, before: end(before: interval))
    } catch {
      guard error.isStoreUnavailable else { throw error }
      retryTime.withLock { $0 = clock() + .seconds(10) }
      return nil
    }
  }

  /// Lists a strip without a published edition in this interval at the newest revision of the store.
  package func summaries(after: String?, limit: Int) throws(CatalogueError) -> [StripSummary] {
    let summaries = try store.summaries(after: after, limit: limit)
    let interval = currentInterval
    return strips.withLock { strips in
      summaries.map { summary in
        let published = strips.find(summary.name, during: interval)?.edition
        return published.map(StripSummary.init) ?? summary
      }
    }
  }

  package func load(_ progress: LoadProgress) throws(CatalogueError) { try store.load(progress) }

  package func refresh(_ strip: String) throws(CatalogueError) {
    try store.refresh(strip)
    strips.withLock { $0.remove(strip) }
  }

  package var memory: MemoryBudget? { store.memory }

  package var status: StoreStatus? { store.status }
}

/// Recently read strips, each with its published revisions of the last minute, the newest last.
private struct PublishedStrips {
  private var strips: BoundedCache<String, [PublishedRevision]>
  /// The newest interval in which something was published.
  private var latest = 0
  /// The number of intervals to retain a revision after its last publication.
  private let lifetime: Int

  /// - Parameter memory: of the strips. The editions count themselves.
  init(memory: MemoryBudget, lifetime: Int) {
    strips = BoundedCache(memory)
    self.lifetime = lifetime
  }

  /// The published revision of a strip in an interval; nil if no revision is published yet.
  mutating func find(_ name: String, during interval: Int) -> PublishedRevision? {
    strips.find(name)?.last { $0.interval == interval }
  }

  /// A revision of a strip that is or was published.
  mutating func find(_ name: String, at revision: Int64) -> PublishedRevision? {
    strips.find(name)?.last { $0.number == revision }
  }

  /// Publishes a revision in an interval, with its edition if the edition is loaded.
  ///
  /// - Returns: false if another revision is published in this interval.
  mutating func publish(
    _ number: Int64, of name: String, _ edition: Edition? = nil, during interval: Int
  ) -> Bool {
    // The clock was set back.
    if interval < latest - lifetime {
      strips.removeAll()
      latest = 0
    }
    if interval > latest {
      strips.removeIdle(before: .now - .seconds(60))
      latest = interval
    }
    var revisions = strips.find(name) ?? []
    if let last = revisions.indices.last {
      if revisions[last].number == number {
        revisions[last].edition = edition ?? revisions[last].edition
        revisions[last].interval = max(interval, revisions[last].interval)
        strips.insert(revisions, for: name, cost: 3000)
        return true
      }
      // A late thread publishes the newest revision of an earlier interval.
      guard revisions[last].interval <= interval else { return true }
      guard revisions[last].interval < interval else { return false }
    }
    revisions.removeAll { interval - $0.interval > lifetime }
    revisions.append(PublishedRevision(number: number, interval: interval, edition: edition))
    // The store retains at least this number of revisions.
    revisions.removeFirst(max(0, revisions.count - Int(Retention.revisions)))
    strips.insert(revisions, for: name, cost: 3000)
    return true
  }

  mutating func evict() -> Bool { strips.evict() }

  mutating func remove(_ name: String) { strips.remove(name) }
}

private struct PublishedRevision {
  let number: Int64
  /// The last interval in which the revision was published.
  var interval: Int
  /// Nil until a request needs more than the number.
  var edition: Edition?
}
