package import Catalogue
package import Items
import Synchronization
package import Views

/// The snapshots of one strip that are in memory: the newest, and earlier ones that can still be read.
package final class SnapshotCache: Sendable {
  private struct Snapshots {
    var newest: LoadedSnapshot
    var recent = SnapshotHistory(limit: Int(Retention.revisions) - 1)
    /// Made from the change log for a reader that named the revision.
    var reconstructed = SnapshotHistory(limit: 16)

    func find(_ revision: Int64?) -> LoadedSnapshot? {
      guard let revision, revision != newest.revision else { return newest }
      return recent.find(revision) ?? reconstructed.find(revision)
    }
  }

  let name: String
  private let reader: SnapshotReader
  private let ownMemory: MemoryReservation
  private let snapshots = Mutex<Snapshots?>(nil)
  /// Locked while a thread reads the database, so that no older snapshot replaces a newer one. Contains the last failure to
  /// reach the database and its time, so that threads that have waited for the lock fail at once.
  private let reading = Mutex<(end: ContinuousClock.Instant, error: CatalogueError)?>(nil)

  /// The last revision that this process has committed. A load that began before can end with an older one.
  private let committed = Atomic<Int64>(0)

  private let isRefreshScheduled = Atomic(false)

  /// Locked while a thread asks whether a preparation is due: a change in that moment is not missed.
  private let isPreparing = Mutex(false)

  /// Shorter strips are read at their first request, which takes a millisecond or two.
  package static let asyncLoadThreshold = 50_000

  var isLarge: Bool {
    newest.map { $0.snapshot.source.sortKeys.count >= Self.asyncLoadThreshold } ?? false
  }

  package init(name: String, _ reader: SnapshotReader) {
    self.name = name
    var reader = reader
    reader.memory = MemoryBudget(within: reader.memory)
    self.reader = reader
    ownMemory = MemoryReservation(500, of: reader.memory)
  }

  package var memory: MemoryBudget { reader.memory }

  package var newest: LoadedSnapshot? { snapshots.withLock { $0?.newest } }

  package var revision: Int64? { newest?.revision }

  /// Begins the preparation of columns, which the caller ends with `endPreparation`.
  ///
  /// - Returns: the number of items. Nil if no columns are due, or another thread prepares them.
  package func beginPreparation(memory: Int) -> Int? {
    guard let newest else { return nil }
    let count = newest.snapshot.source.sortKeys.count
    guard count >= Self.asyncLoadThreshold, ColumnCache.declares(newest.snapshot, memory: memory)
    else {
      return nil
    }
    return isPreparing.withLock { isPreparing in
      guard !isPreparing, newest.snapshot.columns.isPreparationDue(of: newest.snapshot)
      else { return nil }
      isPreparing = true
      return count
    }
  }

  package func endPreparation() { isPreparing.withLock { $0 = false } }

  func cachedSnapshot(at revision: Int64?) -> Snapshot? {
    let snapshot = snapshots.withLock { $0?.find(revision)?.snapshot }
    guard revision == nil, let snapshot else { return snapshot }
    return snapshot.revision >= committed.load(ordering: .sequentiallyConsistent) ? snapshot : nil
  }

  /// The snapshot at a revision, or the newest one for nil. Reads the geometry if the strip is not in memory. While the database
  /// cannot be reached, the snapshot for nil is the newest in memory. It can lack changes that this process has committed.
  ///
  /// - Throws: `.noSuchStrip`, `.revisionGone`, `.revisionUnknown`; `.revisionNotLoaded` for a later revision while
  ///   the database is unreachable.
  package func snapshot(at revision: Int64?) throws(CatalogueError) -> Snapshot {
    if let snapshot = cachedSnapshot(at: revision) { return snapshot }
    let newest: LoadedSnapshot
    do throws(CatalogueError) {
      newest = try refresh()
    } catch {
      guard error.isStoreUnavailable, let known = self.newest else { throw error }
      guard let revision else { return known.snapshot }
      throw known.revision < revision ? .revisionNotLoaded(revision) : error
    }
    guard let revision else { return newest.snapshot }
    if let snapshot = cachedSnapshot(at: revision) { return snapshot }
    return try reconstruct(revision, from: newest)
  }

  /// Reads the newest snapshot from the database.
  ///
  /// - Throws: `.noSuchStrip` if the strip was removed.
  @discardableResult
  package func refresh(_ progress: LoadProgress? = nil) throws(CatalogueError) -> LoadedSnapshot {
    let asked = ContinuousClock.now
    return try reading.withLock { failure throws(CatalogueError) in
      if let failure, asked < failure.end { throw failure.error }
      do throws(CatalogueError) {
        guard let newest = try read(progress) else { throw .noSuchStrip(name) }
        return newest
      } catch {
        if error.isStoreUnavailable { failure = (.now, error) }
        throw error
      }
    }
  }

  /// Reads the newest snapshot from the database if this takes milliseconds.
  ///
  /// - Returns: false if another thread reads, or a long geometry has to be read whole.
  package func applyChangeLog() throws(CatalogueError) -> Bool {
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

  /// Reads the newest snapshot from the database.
  ///
  /// - Returns: the snapshot. Nil with `onlyShort`, if a long geometry has to be read whole.
  private func read(
    _ progress: LoadProgress? = nil, onlyShort: Bool = false
  ) throws(CatalogueError) -> LoadedSnapshot? {
    let known = snapshots.withLock { $0?.newest }
    let last = committed.load(ordering: .sequentiallyConsistent)
    let loaded = progress?.loaded ?? 0
    var hasDiverged = false
    let newest = try query { session -> LoadedSnapshot? in
      // If the connection is lost, this runs a second time.
      hasDiverged = false
      progress?.loaded = loaded
      guard let row = try StripRow.fetch(session, name: name) else {
        throw CatalogueError.noSuchStrip(name)
      }
      if let known, row.number == known.number, row.revision == known.revision { return known }
      if let next = try known?.applyingChangeLog(to: row, reader, session) { return next }
      hasDiverged =
        try known.map {
          try row.changes(after: $0.revision, upTo: row.revision, session) == nil
        } ?? false
      guard !onlyShort || row.totals.count < Self.asyncLoadThreshold else { return nil }
      return try .load(row, progress: progress, reader, session)
    }
    if hasDiverged {
      // The database has lost the later commits of this process. A commit during the read is not lost: `committed` is then
      // no longer `last`.
      _ = committed.compareExchange(
        expected: last, desired: newest?.revision ?? 0, ordering: .sequentiallyConsistent)
      replaceAll { _ in newest.map { Snapshots(newest: $0) } }
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
      try SQLCatalogue.withCorruptionContext(of: name) { try body(session) }
    }
  }

  /// Applies a change that this process has committed. From then on, readers get this revision or a later one.
  ///
  /// - Returns: false if the snapshot in memory must be read from the database: the change does not follow it, or another
  ///   thread reads it now.
  func apply(_ change: ChangeSet) -> Bool {
    committed.max(change.row.revision, ordering: .sequentiallyConsistent)
    guard revision != nil else { return true }
    return reading.withLockIfAvailable { _ in
      guard let known = snapshots.withLock({ $0?.newest }),
        let fresh = try? known.applying(change, reader)
      else { return false }
      append(fresh)
      return true
    } ?? false
  }

  private func append(_ fresh: LoadedSnapshot) {
    replaceAll { snapshots in
      // The rows of a strip that was emptied are gone, and with them the contents of its items.
      guard var snapshots, snapshots.newest.number == fresh.number else {
        return Snapshots(newest: fresh)
      }
      snapshots.recent.append(snapshots.newest, beside: fresh)
      snapshots.recent.removeAll(before: fresh.oldestRevision)
      snapshots.reconstructed.removeAll(before: fresh.oldestRevision)
      snapshots.newest = fresh
      return snapshots
    }
  }

  /// Frees the former snapshots without the lock: with millions of items, that takes long.
  private func replaceAll(by replacement: (Snapshots?) -> Snapshots?) {
    let former = snapshots.withLock { snapshots in
      let former = snapshots
      snapshots = replacement(former)
      return former
    }
    withExtendedLifetime(former) {}
  }

  private func reconstruct(
    _ revision: Int64, from newest: LoadedSnapshot
  ) throws(CatalogueError) -> Snapshot {
    var newest = newest
    for _ in 0..<Self.attempts {
      let reconstructed = try query { session -> LoadedSnapshot? in
        guard let row = try StripRow.fetch(session, name: name), row.number == newest.number,
          row.revision == newest.revision
        else { return nil }
        guard let earlier = try row.earlier(at: revision, session) else {
          throw try row.missingRevisionError(of: revision, session)
        }
        return try newest.earlier(earlier, before: row, reader, session)
      }
      guard let reconstructed else {
        // Another change was committed in between.
        newest = try refresh()
        if let snapshot = cachedSnapshot(at: revision) { return snapshot }
        continue
      }
      replaceAll { snapshots in
        guard var snapshots, snapshots.newest.number == reconstructed.number,
          snapshots.find(revision) == nil
        else { return snapshots }
        snapshots.reconstructed.append(reconstructed, beside: snapshots.newest)
        return snapshots
      }
      return reconstructed.snapshot
    }
    throw .revisionNotLoaded(revision)
  }

  /// The most attempts to read a strip that changes during each of them.
  private static let attempts = 8
}

private struct SnapshotHistory {
  /// In bytes. All earlier snapshots together take at most this number, or as much as the newest of them.
  private static let leastMemory = 8 << 20

  let limit: Int
  private var snapshots: [(snapshot: LoadedSnapshot, cost: Int)] = []
  /// The sum of the costs.
  private var cost = 0

  init(limit: Int) { self.limit = limit }

  func find(_ revision: Int64) -> LoadedSnapshot? {
    snapshots.last { $0.snapshot.revision == revision }?.snapshot
  }

  /// - Parameter newest: the newest snapshot. A snapshot of another load shares nothing with it, and costs all of its bytes.
  mutating func append(_ snapshot: LoadedSnapshot, beside newest: LoadedSnapshot) {
    let isShared = snapshot.snapshot.columns === newest.snapshot.columns
    snapshots.append((snapshot, isShared ? snapshot.unsharedCost : snapshot.cost))
    cost += snapshots[snapshots.count - 1].cost
    let memory = max(Self.leastMemory, snapshot.cost)
    while snapshots.count > limit || cost > memory { cost -= snapshots.removeFirst().cost }
  }

  /// Removes the snapshots before the revision `oldest`, because the store no longer holds them.
  mutating func removeAll(before oldest: Int64) {
    snapshots.removeAll { snapshot, snapshotCost in
      guard snapshot.revision < oldest else { return false }
      cost -= snapshotCost
      return true
    }
  }
}
