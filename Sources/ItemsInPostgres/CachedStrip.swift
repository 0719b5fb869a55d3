import Catalogue
import Foundation
import Synchronization

/// The editions of one strip that are held: the newest, and those before it.
final class CachedStrip: Weighed {
  fileprivate struct Held {
    var newest: StoredStrip
    /// From old to new.
    var former: [StoredStrip] = []
  }

  /// The contract's number of revisions to hold.
  private static let limit = 64

  private let name: String
  private let database: PostgresReader
  private let held = Mutex<Held?>(nil)
  /// Held while the database is asked for the strip, so that two readings do not overtake one
  /// another: when the database was last found to be away, and the error that says so.
  private let reading = Mutex<(end: ContinuousClock.Instant, error: CatalogueError)?>(nil)
  let weight = MemoryCost()

  init(name: String, database: PostgresReader) {
    self.name = name
    self.database = database
  }

  /// The revision of the newest edition that is held.
  var revision: Int64? { held.withLock { $0?.newest.revision } }

  /// The edition at `revision`, or the newest. Reads the layout the first time; who else asks for
  /// the strip meanwhile waits, if there is the mode.
  func edition(at revision: Int64?, mode: ReadMode) throws(CatalogueError) -> Edition {
    if let found = held.withLock({ $0?.find(revision) }) { return found.edition(mode) }
    guard mode == .mayBlock else { throw .wouldBlock }
    try reach(revision)
    guard let revision else {
      guard let newest = held.withLock({ $0?.newest }) else { throw .noSuchStrip(name) }
      return newest.edition(mode)
    }
    return try past(revision).edition(mode)
  }

  /// Takes in what the database has. While that cannot be asked, a revision that is later than what
  /// is known is waited for up to a second.
  private func reach(_ revision: Int64?) throws(CatalogueError) {
    let end = ContinuousClock.now + .seconds(1)
    while true {
      do throws(CatalogueError) {
        return try refresh()
      } catch {
        guard error.isOfTheStore, let revision, let known = self.revision, known < revision
        else { throw error }
        guard ContinuousClock.now < end else { throw .behind(revision) }
        Thread.sleep(forTimeInterval: 0.05)
      }
    }
  }

  /// Takes in what the database has of the strip by now; who reads goes on with the edition before
  /// until then. Who waits while the database is found to be away is told so as well, and does not try
  /// anew.
  ///
  /// - Parameter progress: is told how many items have been read, where the layout is read.
  /// - Throws: `.noSuchStrip` where there is none any more.
  func refresh(_ progress: LoadProgress? = nil) throws(CatalogueError) {
    let asked = ContinuousClock.now
    try reading.withLock { failure throws(CatalogueError) in
      if let failure, asked < failure.end { throw failure.error }
      do throws(CatalogueError) {
        try read(progress)
      } catch {
        if error.isOfTheStore { failure = (.now, error) }
        throw error
      }
    }
  }

  private func read(_ progress: LoadProgress?) throws(CatalogueError) {
    let known = held.withLock { $0?.newest }
    let fresh = try database.sessions.read { session -> StoredStrip? in
      try session.reading {
        guard let row = try StripRow.fetch(session, name: name) else {
          throw CatalogueError.noSuchStrip(name)
        }
        if let known, row.revision == known.revision, row.number == known.number { return nil }
        return try known?.following(to: row, database, session)
          ?? .load(row, progress: progress, database, session)
      }
    }
    guard let fresh else { return }
    held.withLock { held in
      // The rows of a strip that was made anew are gone, and with them what its items said.
      let former =
        fresh.number == known?.number ? (held?.former ?? []) + [known].compactMap(\.self) : []
      hold(Held(newest: fresh, former: former.suffix(Self.limit - 1)), in: &held)
    }
    database.changes.count()
  }

  /// The strip at a revision that was not in memory: made by others, or before this server began.
  private func past(_ revision: Int64) throws(CatalogueError) -> StoredStrip {
    while true {
      guard let held = held.withLock({ $0 }) else { throw .noSuchStrip(name) }
      if let found = held.find(revision) { return found }
      let newest = held.newest
      let found = try database.sessions.read { session -> Found in
        try session.reading {
          guard let row = try StripRow.fetch(session, name: name), row.number == newest.number,
            row.revision == newest.revision
          else { return .overtaken }
          guard let past = try row.held(at: revision, session) else {
            return .none(try row.absence(of: revision, session))
          }
          return .strip(try newest.goingBack(to: past, from: row, database, session))
        }
      }
      switch found {
      case .overtaken: try refresh()
      case .none(let why): throw why
      case .strip(let strip):
        self.held.withLock { held in
          guard var kept = held else { return }
          kept.keep(strip, limit: Self.limit)
          hold(kept, in: &held)
        }
        database.changes.count()
        return strip
      }
    }
  }

  private enum Found {
    case overtaken
    case none(CatalogueError)
    case strip(StoredStrip)
  }

  private func hold(_ strips: Held, in held: inout Held?) {
    held = strips
    weight.set(strips.newest.placed, former: strips.former.count)
  }
}

extension CachedStrip.Held {
  /// The strip at a revision, or the newest.
  fileprivate func find(_ revision: Int64?) -> StoredStrip? {
    guard let revision, revision != newest.revision else { return newest }
    return former.last { $0.revision == revision }
  }

  /// Keeps a former revision, in its place among the others.
  fileprivate mutating func keep(_ strip: StoredStrip, limit: Int) {
    guard strip.number == newest.number, strip.revision < newest.revision,
      !former.contains(where: { $0.revision == strip.revision })
    else { return }
    former.append(strip)
    former.sort { $0.revision < $1.revision }
    if former.count >= limit { former.removeFirst() }
  }
}
