import Catalogue
import Synchronization
import Windowing

/// The editions of one strip that are held: the newest, and those before it as long as what their
/// items say is in the store.
final class CachedStrip: Weighed {
  private struct Held {
    var newest: StoredStrip
    /// From old to new.
    var former: [Edition] = []

    /// The edition at `revision`, or the newest; nil where it is not held.
    func edition(at revision: Int64?) -> Edition? {
      let newest = newest.edition
      guard let revision, revision != newest.revision else { return newest }
      return former.last { $0.revision == revision }
    }
  }

  /// The contract's number of revisions to hold.
  private static let limit = 64

  private let name: String
  private let database: SQLiteReaders
  private let changes: ChangeCounter
  private let held = Mutex<Held?>(nil)
  /// Held while a layout is read, so that two readings do not overtake one another.
  private let refreshing = Mutex(())
  let weight = MemoryCost()

  init(name: String, database: SQLiteReaders, changes: ChangeCounter) {
    self.name = name
    self.database = database
    self.changes = changes
  }

  /// The edition at `revision`, or the newest. Reads the layout the first time; who else asks for
  /// the strip meanwhile waits, if there is the mode.
  func edition(at revision: Int64?, mode: ReadMode) throws(CatalogueError) -> Edition {
    // Looked for where it is held: copying all that is takes as long as the rest of the question.
    if let edition = held.withLock({ $0?.edition(at: revision) }) { return edition }
    if let edition = try loaded(mode).edition(at: revision) { return edition }
    guard mode == .mayBlock, let revision else { throw .wouldBlock }
    return try past(revision)
  }

  /// Reads the layout, unless it has been read, with companions that nobody else has meanwhile.
  func load(_ progress: LoadProgress, with companions: [ParallelReader]) throws(CatalogueError) {
    _ = try loaded(.mayBlock, progress, companions)
  }

  /// Begins to make what a change that is not committed yet will leave; nil where that is not worth
  /// it, or cannot be told from what is in memory.
  func coming(
    _ row: StripRow, after former: StripRow, _ step: LayoutStep, kinds: [String]
  ) -> PendingEdition? {
    guard step.changes.count >= PendingEdition.leastCount, step.tail == nil,
      let newest = held.withLock({ $0?.newest }), newest.number == former.number,
      newest.edition.revision == former.revision, kinds.starts(with: newest.edition.strip.kinds),
      newest.edition.settings.itemWidth == row.settings.itemWidth
    else { return nil }
    return PendingEdition(row, after: newest, step, kinds: kinds, database: database)
  }

  /// Reads the strip again if it has changed; readers go on with the edition before until then.
  ///
  /// - Parameter coming: the strip after a change that has been committed; nothing is read then.
  /// - Returns: whether there is still such a strip.
  func refresh(with coming: PendingEdition? = nil) throws(CatalogueError) -> Bool {
    try refreshing.withLock { _ throws(CatalogueError) in
      guard let known = held.withLock({ $0?.newest }) else { return true }
      switch try change(of: known, with: coming) {
      case .none: return true
      case .gone: return false
      case .new(let strip):
        held.withLock { held in
          var former: [Edition] = []
          // The rows of a strip that was made anew are gone, and with them what its items said.
          if strip.number == known.number { former = (held?.former ?? []) + [known.edition] }
          let changed = Held(newest: strip, former: former.suffix(Self.limit - 1))
          held = changed
          weight.set(changed.newest.placed, former: changed.former.count)
        }
        changes.count()
        return true
      }
    }
  }

  private enum Change {
    case none, gone
    case new(StoredStrip)
  }

  private func change(
    of known: StoredStrip, with coming: PendingEdition?
  ) throws(CatalogueError) -> Change {
    if let strip = coming?.strip(after: known) { return .new(strip) }
    return try database.read { db in
      guard let row = try StripRow.fetch(db, name: name) else { return .gone }
      if row.revision == known.edition.revision, row.number == known.number { return .none }
      return .new(
        try known.following(to: row, database: database, db)
          ?? .load(row, database: database, db))
    }
  }

  private func loaded(
    _ mode: ReadMode, _ progress: LoadProgress? = nil, _ companions: [ParallelReader] = []
  ) throws(CatalogueError) -> Held {
    if let held = held.withLock({ $0 }) { return held }
    guard mode == .mayBlock else { throw .wouldBlock }
    return try refreshing.withLock { _ throws(CatalogueError) in
      if let held = held.withLock({ $0 }) { return held }
      for companion in companions { companion.look() }
      let newest = try database.read { db -> StoredStrip? in
        guard let row = try StripRow.fetch(db, name: name) else { return nil }
        return try .load(row, progress: progress, with: companions, database: database, db)
      }
      guard let newest else { throw .noSuchStrip(name) }
      let loaded = Held(newest: newest)
      held.withLock { $0 = loaded }
      weight.set(newest.placed, former: 0)
      return loaded
    }
  }

  /// The edition at a revision that was not in memory: made by others, or before this server began.
  private func past(_ revision: Int64) throws(CatalogueError) -> Edition {
    while true {
      guard try refresh(), let newest = held.withLock({ $0?.newest }) else {
        throw .noSuchStrip(name)
      }
      if revision == newest.edition.revision { return newest.edition }
      let found = try database.read { db -> Found in
        guard let row = try StripRow.fetch(db, name: name), row.number == newest.number,
          row.revision == newest.edition.revision
        else { return .overtaken }
        guard let past = try row.held(at: revision, db) else {
          return .none(try row.absence(of: revision, db))
        }
        return .edition(
          try newest.goingBack(to: past, from: row, database: database, db).edition)
      }
      switch found {
      case .overtaken: continue
      case .none(let why): throw why
      case .edition(let edition):
        held.withLock { held in
          guard let newest = held?.newest.edition.revision, newest > revision else { return }
          held?.former.append(edition)
          held?.former.sort { $0.revision < $1.revision }
          if held?.former.count ?? 0 >= Self.limit { held?.former.removeFirst() }
          if let held { weight.set(held.newest.placed, former: held.former.count) }
        }
        changes.count()
        return edition
      }
    }
  }

  private enum Found {
    case overtaken
    case none(CatalogueError)
    case edition(Edition)
  }
}
