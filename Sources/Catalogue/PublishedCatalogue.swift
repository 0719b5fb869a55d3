import Synchronization

/// A catalogue whose newest revisions come at intervals: all edits that are made during one are one
/// step for those who read.
///
///     edits            8 9 10        11
///     intervals   |          |          |          |
///     newest      7          10         11
///
/// Each read at no revision stands at the one that was the newest when the interval began, and so do
/// streams of events: intervals begin at whole multiples since 1970, the store tells what was made
/// before, and so all servers of one store say the same. Whoever names a revision, as one does who has
/// just made it, reads it at once. A strip that is younger than the interval is read as it was first.
///
/// - Complexity: what the store takes, and a look in a dictionary; in each interval the store is asked
///   once for a strip that is read. The editions of the last minute are held, which share all but what
///   was edited.
package final class PublishedCatalogue: StripCatalogue {
  private let store: any StripCatalogue
  private let interval: Duration
  private let clock: @Sendable () -> Duration
  private let strips: Mutex<PublishedStrips>
  /// Until when the store is not asked what was the newest, for it could not say: to find that out may
  /// take long.
  private let silence = Mutex(Duration.zero)

  /// - Parameters:
  ///   - store: where edits are seen as they are made.
  ///   - interval: how long a revision is the newest at least; less than the minute for which the
  ///     store holds it afterwards.
  ///   - memory: bytes that the strips may take which are held, about.
  ///   - clock: the time since 1970.
  package init(
    _ store: any StripCatalogue, every interval: Duration, memory: Int = 512 << 20,
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

  /// Before when what is published in an interval was made, in microseconds since 1970.
  ///
  /// That is a little before the interval begins: a revision has its time before it is committed, and
  /// no server may ask in between. The clocks of servers and store may differ by as much.
  private func end(before present: Int) -> Int64 {
    let (seconds, attoseconds) =
      (interval * present - min(interval / 8, .milliseconds(250))).components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }

  package func edition(
    of name: String?, at revision: Int64?, mode: ReadMode
  ) throws(CatalogueError) -> Edition {
    guard let name else {
      let first = try store.edition(of: nil, at: nil, mode: mode).name
      return try edition(of: first, at: revision, mode: mode)
    }
    guard let revision else { return try newest(name, mode) }
    if let held = strips.withLock({ $0.find(name, at: revision)?.editions[mode] }) {
      return held
    }
    return try store.edition(of: name, at: revision, mode: mode)
  }

  private func newest(_ name: String, _ mode: ReadMode) throws(CatalogueError) -> Edition {
    var attempts = 0
    while true {
      let interval = present
      let published = strips.withLock { $0.find(name, during: interval) }
      if let edition = published?.editions[mode] { return edition }
      do {
        let revision =
          if let published { published.number } else {
            try revision(of: name, during: interval, mode)
          }
        let found = try store.edition(of: name, at: revision, mode: mode)
        // Another may have been faster, and published another one.
        if strips.withLock({ $0.publish(found, mode, during: interval) }) { return found }
      } catch {
        switch error {
        case .noSuchStrip:
          strips.withLock { $0.forget(name) }
          guard published != nil else { throw error }
        case .revisionGone, .revisionUnknown:
          // The strip may have been made anew: then what was published of it is gone.
          strips.withLock { $0.forget(name) }
          attempts += 1
          guard attempts < 8 else { throw error }
        default: throw error
        }
      }
    }
  }

  /// What the store says is to be published; nil, for what is at hand, while it cannot say.
  private func revision(
    of name: String, during interval: Int, _ mode: ReadMode
  ) throws(CatalogueError) -> Int64? {
    guard silence.withLock({ $0 }) <= clock() else { return nil }
    do throws(CatalogueError) {
      return try store.revision(of: name, before: end(before: interval), mode: mode)
    } catch {
      guard error.isOfTheStore else { throw error }
      silence.withLock { $0 = clock() + .seconds(10) }
      return nil
    }
  }

  package func names(
    after: String?, limit: Int, mode: ReadMode
  ) throws(CatalogueError) -> [String] {
    try store.names(after: after, limit: limit, mode: mode)
  }

  /// Strips that nobody has asked for in this interval are as the store has them.
  package func summaries(
    after: String?, limit: Int, mode: ReadMode
  ) throws(CatalogueError) -> [StripSummary] {
    let summaries = try store.summaries(after: after, limit: limit, mode: mode)
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
