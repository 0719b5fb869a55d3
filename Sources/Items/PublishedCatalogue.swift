import Synchronization

/// A catalogue whose newest revisions come at intervals: all edits that are made during one are one
/// step for those who read.
///
///     edits            8 9  10       11
///     intervals   |          |          |          |
///     newest      7          10         11
///
/// Each read at no revision stands at the one that was the newest when the strip was first asked for
/// in the interval; so do streams of events and lists. Intervals begin at whole multiples since 1970,
/// so that servers of one store publish at the same moments. Whoever names a revision, as one does
/// who has just made it, reads it at once.
///
/// - Complexity: what the store takes, and a look in a dictionary. The editions of the last minute
///   are held, which share all but what was edited.
package final class PublishedCatalogue: Catalogue {
  private let store: any Catalogue
  private let interval: Duration
  private let clock: @Sendable () -> Duration
  private let strips: Mutex<PublishedStrips>

  /// - Parameters:
  ///   - store: where edits are seen as they are made.
  ///   - interval: how long a revision is the newest at least; less than the minute for which the
  ///     store holds it afterwards.
  ///   - memory: bytes that the strips may take which are held, about.
  ///   - clock: the time since 1970.
  package init(
    _ store: any Catalogue, every interval: Duration, memory: Int = 512 << 20,
    clock: @escaping @Sendable () -> Duration
  ) {
    precondition(interval > .zero, "An interval takes time.")
    self.store = store
    self.interval = interval
    self.clock = clock
    let minute = Int((Duration.seconds(60) / interval).rounded(.up))
    strips = Mutex(PublishedStrips(memory: memory, lifetime: minute))
  }

  /// The number of the interval that this moment is in.
  private var present: Int { Int((clock() / interval).rounded(.down)) }

  package func edition(
    of name: String?, at revision: Int64?, patience: Patience
  ) throws(CatalogueError) -> Edition {
    guard let name else {
      let first = try store.edition(of: nil, at: nil, patience: patience).name
      return try edition(of: first, at: revision, patience: patience)
    }
    guard let revision else { return try newest(name, patience) }
    if let held = strips.withLock({ $0.find(name, at: revision)?.editions[patience] }) {
      return held
    }
    return try store.edition(of: name, at: revision, patience: patience)
  }

  private func newest(_ name: String, _ patience: Patience) throws(CatalogueError) -> Edition {
    while true {
      let interval = present
      let published = strips.withLock { $0.find(name, during: interval) }
      if let edition = published?.editions[patience] { return edition }
      do {
        let found = try store.edition(of: name, at: published?.number, patience: patience)
        // Another may have been faster, and published an older one.
        if strips.withLock({ $0.publish(found, patience, during: interval) }) { return found }
      } catch {
        switch error {
        case .noSuchStrip, .revisionGone, .revisionUnknown:
          strips.withLock { $0.forget(name) }
          // The strip may have been made anew: then what was published of it is gone.
          guard published != nil else { throw error }
        default: throw error
        }
      }
    }
  }

  package func names(
    after: String?, limit: Int, patience: Patience
  ) throws(CatalogueError) -> [String] {
    try store.names(after: after, limit: limit, patience: patience)
  }

  /// Strips that nobody has asked for in this interval are as the store has them.
  package func summaries(
    after: String?, limit: Int, patience: Patience
  ) throws(CatalogueError) -> [StripSummary] {
    let summaries = try store.summaries(after: after, limit: limit, patience: patience)
    let interval = present
    return strips.withLock { strips in
      summaries.map { summary in
        let published = strips.find(summary.name, during: interval)?.editions.values.first
        return published.map(StripSummary.init) ?? summary
      }
    }
  }

  package func load(_ progress: LoadProgress) throws(CatalogueError) { try store.load(progress) }

  /// Publishes anew, too: what was published is no longer to be read.
  package func refresh() throws(CatalogueError) {
    try store.refresh()
    strips.withLock { $0.forgetAll() }
  }

  /// Changes with the store's, and with each interval.
  package var changeCount: Int? {
    store.changeCount.map { $0 << 32 | present & 0xffff_ffff }
  }
}
