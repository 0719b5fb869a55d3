package import Catalogue
import Foundation
package import Items
import Synchronization
package import Views

/// The strips of a database, with every change that any process commits to it.
///
/// The first request for a strip reads its geometry. After a reported change, the newest snapshot is made from the previous
/// one and the change log.
package final class SQLStripCatalogue: StripCatalogue {
  package let database: any SQLDatabase
  private let reader: SnapshotReader
  private let strips: Mutex<BoundedCache<String, SnapshotCache>>
  private let budget: MemoryBudget
  private let observesChanges: Bool
  /// The items of strips whose columns are being prepared.
  private let pending = Atomic(0)
  private let first = Mutex(FirstStrip())
  /// The time of the last report of the database, whether it reported a change or none.
  private let lastContact = Mutex(ContinuousClock.now)
  private let size = Mutex<StoreSize?>(nil)
  /// Reads geometries that the change log does not lead to: a few at a time, so that requests find free connections.
  private let refreshes = OperationQueue()
  /// Builds columns. It has each strip at most once, so it needs no other limit.
  private let preparations = WorkQueue<Never>(threads: 1, limit: .max, priority: .lowest)
  /// Strips to update again, because the database could not be read.
  private let outdated = Mutex<Set<String>>([])
  private let unrecordedUses = Mutex<Set<ListUse>>([])
  /// Waits for the writer, so that the observer of changes does not.
  private let listUses = WorkQueue<Never>(threads: 1, limit: 1)

  /// - Parameters:
  ///   - memory, contentMemory: the approximate bytes for strips, and for cached contents of items.
  ///   - observesChanges: whether the database reports changes, as a server needs.
  /// - Throws: `.unavailable` if the database cannot be used; a server waits for one that cannot be reached.
  package init(
    _ database: any SQLDatabase, memory: Int = 512 << 20, contentMemory: Int = 256 << 20,
    observesChanges: Bool = true
  ) throws(CatalogueError) {
    self.database = database
    budget = MemoryBudget(limit: memory)
    reader = SnapshotReader(database, contentMemory: contentMemory, memory: budget)
    self.observesChanges = observesChanges
    refreshes.maxConcurrentOperationCount = 4
    strips = Mutex(BoundedCache(budget))
    let evicting = Mutex(())
    budget.addCache { [weak self] in
      // One thread at a time evicts, and holds this lock until the last evicted strip is freed. Readers do not need it.
      evicting.withLock { _ in
        var isAnyDropped = false
        while self?.strips.withLock({ $0.evictOne() }) != nil { isAnyDropped = true }
        return isAnyDropped
      }
    }
    let reason = try database.unavailabilityReason()
    guard observesChanges else {
      if let reason { throw .unavailable(reason) }
      return
    }
    try database.observe { [weak self] notification in
      try self?.handle(notification)
      self?.lastContact.withLock { $0 = .now }
    }
  }

  func close() { database.close() }
  package var memory: MemoryBudget? { budget }

  package var status: StoreStatus? {
    StoreStatus(
      strips: (strips.withLock { $0.count }, budget.used, budget.limit),
      contactAge: lastContact.withLock { .now - $0 }, walBytes: database.walBytes,
      size: size.withLock(\.self), pageCacheLimit: database.pageCacheLimit,
      pendingItems: pending.load(ordering: .relaxed),
      damagedRows: SQLCatalogue.damagedRows.load(ordering: .relaxed))
  }

  // MARK: - Strips

  package func summaries(after: String?, limit: Int) throws(CatalogueError) -> [StripSummary] {
    try database.read { session in
      try StripRow.fetch(session, after: StripRow.place(of: after, session), limit: limit).map {
        StripSummary(
          name: $0.name, settings: $0.settings, revision: $0.revision,
          totals: $0.totals.totals(itemWidth: $0.settings.itemWidth),
          kinds: $0.totals.kinds(of: $0.kinds))
      }
    }
  }

  package func cachedSnapshot(
    of name: String?, at revision: Int64?
  ) throws(CatalogueError) -> Snapshot? {
    guard let name = name ?? first.withLock({ $0.current }) else { return nil }
    return strips.withLock { $0.find(name) }?.cachedSnapshot(at: revision)
  }

  package func snapshot(of name: String?, at revision: Int64?) throws(CatalogueError) -> Snapshot {
    guard let name else { return try snapshot(of: firstName(), at: revision) }
    let strip = cached(name)
    // A strip that is read for a revision that is gone is loaded, too.
    defer { if observesChanges { prepareViews(of: [strip]) } }
    do throws(CatalogueError) {
      let snapshot = try strip.snapshot(at: revision)
      budget.evict()
      return snapshot
    } catch {
      // While the database cannot be reached, names of missing strips must not fill the memory.
      if strip.revision == nil || error == .noSuchStrip(strip.name) { forget(strip) }
      throw error
    }
  }

  package func newestRevisions(of names: [String]) throws(CatalogueError) -> [String: Int64] {
    var newest = strips.withLock { strips in
      names.reduce(into: [:]) { $0[$1] = strips.peek($1)?.revision }
    }
    let others = names.filter { newest[$0] == nil }
    if !others.isEmpty { newest.merge(try storedRevisions(of: others)) { known, _ in known } }
    return newest
  }

  private func storedRevisions(of names: [String]) throws(CatalogueError) -> [String: Int64] {
    try database.read { session in
      var found: [String: Int64] = [:]
      try session.run(
        "SELECT name, revision FROM strip WHERE name = $1", forEach: names.map { [.text($0)] }
      ) { _, row in found[try row.text(0)] = try row.integer(1) }
      return found
    }
  }

  package func list(_ name: String, of strip: String) throws(CatalogueError) -> ItemList? {
    let found = try database.read { session in
      try withStripContext(of: strip) { try ListRows.fetch(name, of: strip, session) }
    }
    guard let found else { return nil }
    if found.mustRecordUse {
      unrecordedUses.withLock { _ = $0.insert(ListUse(strip: strip, name: name)) }
    }
    // In a server, a read does not write. The next notification or the maintenance of lists records the use.
    if !observesChanges { try? recordUses() }
    return found.list
  }

  /// Records the uses of lists that were read since the last call.
  func recordUses() throws(CatalogueError) {
    let uses = unrecordedUses.withLock { $0 }
    guard !uses.isEmpty else { return }
    try database.maintain { session in
      for use in uses { try ListRows.recordUse(of: use.name, of: use.strip, session) }
    }
    unrecordedUses.withLock { $0.subtract(uses) }
  }

  private struct ListUse: Hashable {
    let strip: String
    let name: String
  }

  private func firstName() throws(CatalogueError) -> String {
    let known = first.withLock { $0 }
    if let current = known.current { return current }
    do throws(CatalogueError) {
      guard let name = try storedFirstName() else { throw .noStrips }
      first.withLock { $0.set(name, readAt: known.changeCount) }
      return name
    } catch {
      guard error.isStoreUnavailable, let name = known.name else { throw error }
      return name
    }
  }

  private struct FirstStrip {
    private(set) var name: String?
    /// How often the list of strips has changed.
    private(set) var changeCount = 0
    private var isOutdated = false

    var current: String? { isOutdated ? nil : name }

    /// Has no effect if the list has changed since the name was read: a newer name can be known.
    mutating func set(_ name: String, readAt count: Int) {
      guard changeCount == count else { return }
      self.name = name
      isOutdated = false
    }

    mutating func expire() {
      changeCount += 1
      isOutdated = true
    }
  }

  private func storedFirstName() throws(CatalogueError) -> String? {
    try database.read { session in
      try session.first("SELECT name FROM strip ORDER BY place LIMIT 1", []) { try $0.text(0) }
    }
  }

  // MARK: - Loading

  package func load(_ progress: LoadProgress) throws(CatalogueError) {
    while let reason = try database.unavailabilityReason() {
      progress.unavailabilityReason = reason
      Thread.sleep(forTimeInterval: 0.2)
    }
    progress.unavailabilityReason = nil
    let long = try database.read { session in
      try session.map(
        "SELECT name, count FROM strip WHERE count >= $1 ORDER BY place",
        [.integer(SnapshotCache.asyncLoadThreshold)]
      ) { (name: try $0.text(0), count: Int(try $0.integer(1))) }
    }
    // The strips made first, as far as there is room.
    var room = budget.limit / 2
    let loaded = long.prefix { strip in
      room -= IndexedStrip.cost(ofItems: strip.count)
      return room >= 0
    }
    for strip in loaded { progress.expect(strip.count) }
    // Also if the database is lost before the last strip.
    defer {
      prepareViews(of: loaded.compactMap { strip in strips.withLock { $0.peek(strip.name) } })
    }
    var failure: CatalogueError?
    for (name, _) in loaded {
      let strip = cached(name)
      do throws(CatalogueError) {
        try strip.refresh(progress)
        budget.evict()
      } catch {
        forget(strip)
        if error.isStoreUnavailable { throw error }
        // A strip can be removed before its turn. A damaged strip does not stop the loading of others.
        if case .noSuchStrip = error { continue }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// Builds the columns of long strips in advance, if that is due. If that fails, the first view builds them. A strip that is
  /// evicted while it waits is dropped.
  private func prepareViews(of strips: [SnapshotCache]) {
    for strip in strips {
      guard let count = strip.beginPreparation(memory: budget.limit / 2) else { continue }
      pending.wrappingAdd(count, ordering: .relaxed)
      let isAdded = preparations.add { [weak self, weak strip] in
        let snapshot = strip?.newest?.snapshot
        let isPrepared = snapshot.map { (try? $0.columns.prepare($0)) != nil } ?? false
        self?.budget.evict()
        self?.endPreparation(of: strip, count: count)
        // Other changes may have been committed, or another strip of this name.
        guard let strip, isPrepared || strip.revision != snapshot?.revision else { return }
        self?.prepareViews(of: [strip])
      }
      if !isAdded { endPreparation(of: strip, count: count) }
    }
  }

  private func endPreparation(of strip: SnapshotCache?, count: Int) {
    pending.wrappingSubtract(count, ordering: .relaxed)
    strip?.endPreparation()
  }

  // MARK: - Changes

  package func refresh(_ strip: String) throws(CatalogueError) {
    try checkFirst()
    try update(strip, waits: true)
  }

  package func refresh(waits: Bool = true) throws(CatalogueError) {
    try checkFirst()
    // A strip that is being loaded has no revision yet. The geometry that is read can be older than the change.
    let known = strips.withLock { $0.all }.mapValues(\.revision)
    let newest = try storedRevisions(of: known.keys.sorted())
    for (name, revision) in known where newest[name] != revision { try update(name, waits: waits) }
  }

  func apply(_ change: ChangeSet) {
    updateOrRetry(change.row.name) { strip throws(CatalogueError) in
      if !strip.apply(change) { try applyChangeLogOrScheduleRefresh(of: strip) }
    }
  }

  func applyRemoval(of name: String) {
    _ = strips.withLock { $0.remove(name) }
  }

  /// Updates a strip, or tries again after a few seconds if it cannot be read: a change is reported only once.
  private func updateOrRetry(
    _ name: String, _ body: (SnapshotCache) throws(CatalogueError) -> Void
  ) {
    do throws(CatalogueError) {
      try update(name, body)
    } catch {
      outdated.withLock { _ = $0.insert(name) }
    }
  }

  /// - Parameter waits: whether a loaded strip has the new snapshot on return. Else another thread may read the geometry.
  /// - Throws: `.unavailable` or `.busy` if the database cannot be asked.
  package func update(_ name: String, waits: Bool = false) throws(CatalogueError) {
    try update(name) { strip throws(CatalogueError) in
      if waits, strip.revision != nil {
        try strip.refresh()
      } else {
        try applyChangeLogOrScheduleRefresh(of: strip)
      }
    }
  }

  /// Takes milliseconds: another thread reads a long geometry.
  private func applyChangeLogOrScheduleRefresh(of strip: SnapshotCache) throws(CatalogueError) {
    guard try !strip.applyChangeLog(), strip.scheduleRefresh() else { return }
    refreshes.addOperation { [weak self] in
      self?.updateOrRetry(strip.name) { strip throws(CatalogueError) in
        try strip.refreshAsScheduled()
      }
    }
  }

  func forgetFirst() {
    first.withLock { $0.expire() }
  }

  private func checkFirst() throws(CatalogueError) {
    guard let known = first.withLock({ $0.current }) else { return }
    if try storedFirstName() != known { forgetFirst() }
  }

  /// Drops a strip that is damaged or gone: its next reader gets the error.
  private func update(
    _ name: String, _ body: (SnapshotCache) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    guard let strip = strips.withLock({ $0.peek(name) }) else { return }
    do throws(CatalogueError) {
      try body(strip)
      budget.evict()
      prepareViews(of: [strip])
    } catch {
      if error.isStoreUnavailable { throw error }
      forget(strip)
    }
  }

  private func handle(_ notification: ChangeNotification) throws(CatalogueError) {
    switch notification {
    case .strip(let name): try update(name)
    case .catalogueChanged: forgetFirst()
    case .resync:
      measure()
      try refresh(waits: false)
    case .periodic:
      measure()
      evictIdle()
      for name in outdated.withLock({ exchange(&$0, with: []) }) { try update(name) }
      _ = listUses.add { [weak self] in try? self?.recordUses() }
    }
  }

  /// Measures the store for the metrics. A damaged table does not stop the server from observing changes.
  private func measure() {
    let found = try? database.read { session in
      let deletions = try session.first("SELECT count(*) FROM garbage") { try $0.integer(0) }
      return try session.first(session.dialect.size) { row in
        StoreSize(
          bytes: Int(try row.integer(0)), freeBytes: try row.optionalInteger(1).map { Int($0) },
          pendingDeletions: Int(deletions ?? 0))
      }
    }
    if let found { size.withLock { $0 = found } }
  }

  // MARK: - Memory

  /// Evicts strips that had no reader for five to ten minutes. A long one stays until others need its memory, because
  /// it takes long to load.
  private func evictIdle() {
    strips.withLock { $0.removeIdle(before: .now - .seconds(300), unless: \.isLarge) }
  }

  package func cached(_ name: String) -> SnapshotCache {
    let (strip, isNew) = strips.withLock { strips in
      if let known = strips.find(name) { return (known, false) }
      let strip = SnapshotCache(name: name, reader)
      strips.insert(strip, for: name)
      return (strip, true)
    }
    if isNew { budget.evict() }
    return strip
  }

  private func forget(_ strip: SnapshotCache) {
    strips.withLock { _ = $0.remove(strip.name, where: { $0 === strip }) }
  }
}
