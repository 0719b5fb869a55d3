import Synchronization

/// A catalogue that publishes new revisions at intervals (`serve --publish-every`): readers see all edits
/// of one interval as one change, so answers stay cacheable for longer.
///
///     edits            8 9 10        11
///     intervals   |          |          |          |
///     newest      7          10         11
///
/// A read without a revision, and an event stream, get the revision that was the newest when the interval
/// began. Intervals begin at whole multiples since 1970 and the store knows the times of revisions,
/// so all servers of one store agree. A read with a revision gets that revision at once, for example
/// after an edit. Of a strip that is younger than the interval, readers get the first revision.
///
/// - Complexity: one dictionary look-up more than the store. In each interval the store is asked once
///   for each strip that is read. Editions of the last `Retention.microseconds` are cached; they share
///   everything but the edited parts.
package final class PublishedCatalogue: StripCatalogue {
  private let store: any StripCatalogue
  private let interval: Duration
  private let clock: @Sendable () -> Duration
  private let strips: Mutex<PublishedStrips>
  /// After a failure, the time until which the store is not asked again, because asking can take long.
  private let silence = Mutex(Duration.zero)

  /// - Parameters:
  ///   - store: the catalogue that shows each edit at once.
  ///   - interval: the time between two published revisions, less than `Retention.microseconds`.
  ///   - memory: the size of the cache in bytes, as an estimate.
  ///   - clock: the time since 1970.
  package init(
    _ store: any StripCatalogue, every interval: Duration, memory: Int = 512 << 20,
    clock: @escaping @Sendable () -> Duration
  ) {
    precondition(interval > .zero, "The interval must be positive.")
    self.store = store
    self.interval = interval
    self.clock = clock
    let lifetime = Int((Duration.microseconds(Retention.microseconds) / interval).rounded(.up))
    strips = Mutex(PublishedStrips(memory: memory, lifetime: lifetime))
  }

  /// The number of the current interval.
  private var present: Int { Int((clock() / interval).rounded(.down)) }

  /// The time before which the published revision of an interval was made, in microseconds since 1970.
  ///
  /// This is a little before the interval begins, because a revision gets its time before its commit.
  /// The clocks of servers and store may differ by as much.
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

  package func newestRevision(of name: String) throws(CatalogueError) -> Int64 {
    while true {
      let interval = present
      if let published = strips.withLock({ $0.find(name, during: interval) }) {
        return published.number
      }
      let revision =
        if let settled = try revision(of: name, during: interval) { settled } else {
          try store.newestRevision(of: name)
        }
      if strips.withLock({ $0.publish(revision, of: name, during: interval) }) { return revision }
    }
  }

  private func newest(_ name: String) throws(CatalogueError) -> Edition {
    var attempts = 0
    while true {
      let interval = present
      let published = strips.withLock { $0.find(name, during: interval) }
      if let edition = published?.edition { return edition }
      do {
        let revision =
          if let published { published.number } else { try revision(of: name, during: interval) }
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
          strips.withLock { $0.forget(name) }
          guard published != nil else { throw error }
        case .revisionGone, .revisionUnknown:
          // The strip may have been removed and created again: what was published of it is gone.
          strips.withLock { $0.forget(name) }
          attempts += 1
          guard attempts < 8 else { throw error }
        default: throw error
        }
      }
    }
  }

  /// The revision to publish, from the store. Nil while the store cannot tell: then the newest one in
  /// memory is published.
  private func revision(
    of name: String, during interval: Int
  ) throws(CatalogueError) -> Int64? {
    guard silence.withLock({ $0 }) <= clock() else { return nil }
    do throws(CatalogueError) {
      return try store.revision(of: name, before: end(before: interval))
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

  /// Chooses the published revisions again, too.
  package func refresh() throws(CatalogueError) {
    try store.refresh()
    strips.withLock { $0.forgetAll() }
  }

  /// Changes with the store's count, and with each interval.
  package var changeCount: Int? {
    store.changeCount.map { $0 << 32 | present & 0xffff_ffff }
  }
}
