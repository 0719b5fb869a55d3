package import Catalogue
import Synchronization

/// The editions of one strip that are in memory: the newest, and earlier ones that can still be read.
package final class CachedStrip: Sendable {
  private struct Editions {
    var newest: StoredEdition
    var earlier = EarlierEditions(limit: Int(Retention.revisions) - 1)
    /// Made from the log for a reader that named the revision.
    var rebuilt = EarlierEditions(limit: 16)

    func find(_ revision: Int64?) -> StoredEdition? {
      guard let revision, revision != newest.revision else { return newest }
      return earlier.find(revision) ?? rebuilt.find(revision)
    }
  }

  let name: String
  private let reader: EditionReader
  private let ownMemory: MemoryReservation
  private let editions = Mutex<Editions?>(nil)
  /// Locked while a thread reads the database, so that no older edition replaces a newer one. Contains the last failure to
  /// reach the database and its time, so that threads that have waited for the lock fail at once.
  private let reading = Mutex<(end: ContinuousClock.Instant, error: CatalogueError)?>(nil)

  /// The last revision that this process has committed. A load that began before can end with an older one.
  private let committed = Atomic<Int64>(0)

  private let isRefreshScheduled = Atomic(false)

  private let isPreparing = Atomic(false)

  /// Shorter strips are read at their first request, which takes a millisecond or two.
  package static let longCount = 50_000

  var isLong: Bool { newest.map { $0.edition.source.keys.count >= Self.longCount } ?? false }

  package init(name: String, _ reader: EditionReader) {
    self.name = name
    var reader = reader
    reader.memory = MemoryBudget(within: reader.memory)
    self.reader = reader
    ownMemory = MemoryReservation(500, of: reader.memory)
  }

  package var memory: MemoryBudget { reader.memory }

  package var newest: StoredEdition? { editions.withLock { $0?.newest } }

  package var revision: Int64? { newest?.revision }

  /// Begins the preparation of columns, which the caller ends with `endPreparation`.
  ///
  /// - Returns: the number of items. Nil if no columns are due, or another thread prepares them.
  package func beginPreparation(memory: Int) -> Int? {
    guard let newest else { return nil }
    let count = newest.edition.source.keys.count
    guard count >= Self.longCount, SharedColumns.declares(newest.edition, memory: memory),
      isPreparing.compareExchange(
        expected: false, desired: true, ordering: .sequentiallyConsistent
      ).exchanged
    else { return nil }
    if newest.edition.columns.isPreparationDue(count: count) { return count }
    endPreparation()
    return nil
  }

  package func endPreparation() { isPreparing.store(false, ordering: .sequentiallyConsistent) }

  func cachedEdition(at revision: Int64?) -> Edition? {
    let edition = editions.withLock { $0?.find(revision)?.edition }
    guard revision == nil, let edition else { return edition }
    return edition.revision >= committed.load(ordering: .sequentiallyConsistent) ? edition : nil
  }

  /// The edition at a revision; the newest for nil. Reads the layout if the strip is not in memory.
  ///
  /// - Throws: `.noSuchStrip`, `.revisionGone`, `.revisionUnknown`; `.revisionNotLoaded` for a later revision while
  ///   the database is unreachable.
  package func edition(at revision: Int64?) throws(CatalogueError) -> Edition {
    if let edition = cachedEdition(at: revision) { return edition }
    let newest: StoredEdition
    do throws(CatalogueError) {
      newest = try refresh()
    } catch {
      guard error.isStoreUnavailable, let revision, isBehind(revision) else { throw error }
      throw .revisionNotLoaded(revision)
    }
    guard let revision else { return newest.edition }
    if let edition = cachedEdition(at: revision) { return edition }
    return try rebuild(revision, from: newest)
  }

  private func isBehind(_ revision: Int64) -> Bool { self.revision.map { $0 < revision } ?? false }

  /// Reads the newest edition from the database.
  ///
  /// - Throws: `.noSuchStrip` if the strip was removed.
  @discardableResult
  package func refresh(
    _ progress: LoadProgress? = nil, with others: [any ParallelSQLReader] = []
  ) throws(CatalogueError) -> StoredEdition {
    let asked = ContinuousClock.now
    return try reading.withLock { failure throws(CatalogueError) in
      if let failure, asked < failure.end { throw failure.error }
      do throws(CatalogueError) {
        guard let newest = try read(progress, others) else { throw .noSuchStrip(name) }
        return newest
      } catch {
        if error.isStoreUnavailable { failure = (.now, error) }
        throw error
      }
    }
  }

  /// Reads the newest edition from the database if this takes milliseconds.
  ///
  /// - Returns: false if another thread reads, or a long layout has to be read whole.
  package func advance() throws(CatalogueError) -> Bool {
    try reading.withLockIfAvailable { _ throws(CatalogueError) in
      guard revision != nil else { return true }
      return try read(onlyShort: true) != nil
    } ?? false
  }

  /// - Returns: false if a refresh is already queued. That one reads at least as new a revision.
  func scheduleRefresh() -> Bool {
    !isRefreshScheduled.exchange(true, ordering: .sequentiallyConsistent)
  }

  func refreshAsScheduled() throws(CatalogueError) {
    isRefreshScheduled.store(false, ordering: .sequentiallyConsistent)
    try refresh()
  }

  /// - Returns: the newest edition, which is that of the database. Nil with `onlyShort`, if a long layout has to be
  ///   read whole.
  private func read(
    _ progress: LoadProgress? = nil, _ others: [any ParallelSQLReader] = [],
    onlyShort: Bool = false
  ) throws(CatalogueError) -> StoredEdition? {
    let known = editions.withLock { $0?.newest }
    var isReplaced = false
    let newest = try query { session -> StoredEdition? in
      guard let row = try StripRow.fetch(session, name: name) else {
        throw CatalogueError.noSuchStrip(name)
      }
      if let known, row.number == known.number, row.revision == known.revision { return known }
      if let next = try known?.advanced(to: row, reader, session) { return next }
      isReplaced =
        try known.map {
          try row.changes(after: $0.revision, upTo: row.revision, session) == nil
        } ?? false
      guard !onlyShort || row.totals.count < Self.longCount else { return nil }
      return try .load(row, progress: progress, with: others, reader, session)
    }
    if isReplaced {
      editions.withLock { $0 = newest.map { Editions(newest: $0) } }
    } else if let newest, newest !== known {
      append(newest)
    }
    return newest
  }

  /// Errors of damage name the strip.
  private func query<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try reader.database.read { session in
      try SQLCatalogue.reading(of: name) { try body(session) }
    }
  }

  /// Takes up a revision of this process. Reads the database if it is not the next one here.
  func advance(to change: CommittedRevision) throws(CatalogueError) {
    committed.max(change.row.revision, ordering: .sequentiallyConsistent)
    guard revision != nil else { return }
    let isNext = reading.withLock { _ in
      guard let known = editions.withLock({ $0?.newest }),
        let fresh = try? known.advanced(to: change, reader)
      else { return false }
      append(fresh)
      return true
    }
    if !isNext { try refresh() }
  }

  private func append(_ fresh: StoredEdition) {
    editions.withLock { editions in
      // The rows of a strip that was emptied are gone, and with them the contents of its items.
      guard let known = editions?.newest, known.number == fresh.number else {
        editions = Editions(newest: fresh)
        return
      }
      editions?.earlier.append(known)
      editions?.earlier.removeAll(before: fresh.oldestRevision)
      editions?.rebuilt.removeAll(before: fresh.oldestRevision)
      editions?.newest = fresh
    }
  }

  private func rebuild(
    _ revision: Int64, from newest: StoredEdition
  ) throws(CatalogueError) -> Edition {
    var newest = newest
    for _ in 0..<Self.attempts {
      let rebuilt = try query { session -> StoredEdition? in
        guard let row = try StripRow.fetch(session, name: name), row.number == newest.number,
          row.revision == newest.revision
        else { return nil }
        guard let earlier = try row.earlier(at: revision, session) else {
          throw try row.absence(of: revision, session)
        }
        return try newest.earlier(earlier, before: row, reader, session)
      }
      guard let rebuilt else {
        // Another change was committed in between.
        newest = try refresh()
        if let edition = cachedEdition(at: revision) { return edition }
        continue
      }
      editions.withLock { editions in
        guard let known = editions, known.newest.number == rebuilt.number,
          known.find(revision) == nil
        else { return }
        editions?.rebuilt.append(rebuilt)
      }
      return rebuilt.edition
    }
    throw .revisionNotLoaded(revision)
  }

  /// The most attempts to read a strip that changes during each of them.
  private static let attempts = 8
}

private struct EarlierEditions {
  /// In bytes. All earlier editions together take at most this, or as much as the newest of them.
  private static let leastMemory = 32 << 20

  let limit: Int
  private var editions: [StoredEdition] = []
  /// In bytes, apart from what they share with the newest edition.
  private var cost = 0

  init(limit: Int) { self.limit = limit }

  func find(_ revision: Int64) -> StoredEdition? { editions.last { $0.revision == revision } }

  mutating func append(_ edition: StoredEdition) {
    editions.append(edition)
    cost += edition.ownCost
    let memory = max(Self.leastMemory, edition.cost)
    while editions.count > limit || cost > memory { cost -= editions.removeFirst().ownCost }
  }

  /// Removes the revisions that are no longer held.
  mutating func removeAll(before oldest: Int64) {
    editions.removeAll { edition in
      guard edition.revision < oldest else { return false }
      cost -= edition.ownCost
      return true
    }
  }
}
