import Synchronization

/// A catalogue that publishes revisions at intervals: readers see all edits of one interval as one step.
///
///     edits            8 9 10        11
///     intervals   |          |          |          |
///     newest      7          10         11
///
/// A read without a revision gets the one that was the newest when the interval began, and so do event
/// streams. Intervals begin at whole multiples since 1970, and the store knows the newest revision at that
/// time. So all servers of one store publish the same. A read that names a revision gets it at once. A strip that is
/// younger than the interval has its first revision.
///
/// - Complexity: O(1) beyond the store's cost. Each strip is looked up once an interval. The editions of the
///   last minute are held, which share everything but what was edited.
package final class PublishedCatalogue: StripCatalogue {
  private let store: any StripCatalogue
  private let interval: Duration
  private let clock: @Sendable () -> Duration
  private let strips: Mutex<PublishedStrips>
  /// Until when the store is not asked for a revision, since it could not be reached. A failed attempt can
  /// take long.
  private let silence = Mutex(Duration.zero)

  /// - Parameters:
  ///   - store: has all edits at once.
  ///   - interval: for how long at least a revision is the newest one. It must be less than the minute for
  ///     which the store holds older revisions.
  ///   - memory: approximate bytes of the editions that are held.
  ///   - clock: the time since 1970.
  package init(
    _ store: any StripCatalogue, every interval: Duration, memory: Int = 512 << 20,
    clock: @escaping @Sendable () -> Duration
  ) {
    precondition(interval > .zero, "An interval is longer than 0.")
    self.store = store
    self.interval = interval
    self.clock = clock
    let minute = Int((Duration.seconds(60) / interval).rounded(.up))
    strips = Mutex(PublishedStrips(memory: memory, lifetime: minute))
  }

  /// The number of the interval that this moment is in.
  private var present: Int { Int((clock() / interval).rounded(.down)) }

  /// The moment before which the revision of an interval was made, in microseconds since 1970.
  ///
  /// It lies a little before the interval: a revision gets its time before it is committed, and no server
  /// may ask in between. The clocks of servers and store may differ by as much.
  private func end(before present: Int) -> Int64 {
    let (seconds, attoseconds) =
      (interval * present - min(interval / 8, .milliseconds(250))).components
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
      return strips.withLock { $0.find(name, during: present)?.edition }
    }
    if let held = strips.withLock({ $0.find(name, at: revision)?.edition }) { return held }
    return try store.cachedEdition(of: name, at: revision)
  }

  package func list(_ name: String, of strip: String) throws(CatalogueError) -> ItemList? {
    try store.list(name, of: strip)
  }

  package func newestRevisions(of names: [String]) throws(CatalogueError) -> [String: Int64] {
    while true {
      let interval = present
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
      if arePublished { return newest }
    }
  }

  private func newest(_ name: String) throws(CatalogueError) -> Edition {
    var attempts = 0
    while true {
      let interval = present
      let published = strips.withLock { $0.find(name, during: interval) }
      if let edition = published?.edition { return edition }
      do throws(CatalogueError) {
        let settled = published == nil ? try revisions(of: [name], during: interval) : nil
        let revision = published?.number ?? settled?[name]
        if settled != nil, revision == nil { throw .noSuchStrip(name) }
        let found = try store.edition(of: name, at: revision)
        // Another thread may have published another revision since.
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
          // The strip may have been removed and created again: its published revisions are gone.
          strips.withLock { $0.remove(name) }
          attempts += 1
          guard attempts < 8 else { throw error }
        default: throw error
        }
      }
    }
  }

  /// The revisions to publish, from the store. Nil while the store cannot tell: then the newest ones in
  /// memory are published.
  private func revisions(
    of names: [String], during interval: Int
  ) throws(CatalogueError) -> [String: Int64]? {
    guard silence.withLock({ $0 }) <= clock() else { return nil }
    do throws(CatalogueError) {
      return try store.revisions(of: names, before: end(before: interval))
    } catch {
      guard error.isStoreUnavailable else { throw error }
      silence.withLock { $0 = clock() + .seconds(10) }
      return nil
    }
  }

  package func names(after: String?, limit: Int) throws(CatalogueError) -> [String] {
    try store.names(after: after, limit: limit)
  }

  /// A strip that was not read in this interval is listed at the newest revision of the store.
  package func summaries(after: String?, limit: Int) throws(CatalogueError) -> [StripSummary] {
    let summaries = try store.summaries(after: after, limit: limit)
    let interval = present
    return strips.withLock { strips in
      summaries.map { summary in
        let published = strips.find(summary.name, during: interval)?.edition
        return published.map(StripSummary.init) ?? summary
      }
    }
  }

  package func load(_ progress: LoadProgress) throws(CatalogueError) { try store.load(progress) }

  /// Also forgets the strip's published revisions.
  package func refresh(_ strip: String) throws(CatalogueError) {
    try store.refresh(strip)
    strips.withLock { $0.remove(strip) }
  }

  package var status: StoreStatus? { store.status }
}
