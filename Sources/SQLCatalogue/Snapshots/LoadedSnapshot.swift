import Catalogue
package import Items
package import Views
import Windowing

/// The database and the caches that all its snapshots share.
package struct SnapshotReader: Sendable {
  let database: any SQLDatabase
  /// Nil if the database reads windows without blocking.
  let contents: ItemContentCache?
  /// The budget of all strips, or the part of one strip.
  var memory: MemoryBudget

  package init(
    _ database: any SQLDatabase, contentMemory: Int, memory: MemoryBudget = MemoryBudget()
  ) {
    self.database = database
    self.memory = memory
    contents = database.windowReader == nil ? ItemContentCache(limit: contentMemory) : nil
  }

  func changedSortKeys() -> ChangedSortKeys? {
    contents == nil ? nil : ChangedSortKeys(of: memory)
  }
}

/// A strip in memory at one revision: the snapshot that readers get, and the data from which the next one is made.
package final class LoadedSnapshot: Sendable {
  package let snapshot: Snapshot
  package let number: Int64
  /// The oldest readable revision of the strip when this snapshot was made.
  let oldestRevision: Int64
  private let indexed: IndexedStrip
  private let changedSortKeys: ChangedSortKeys?
  private let memory: Memory

  private struct Memory {
    /// The present geometry, which all snapshots of the strip share.
    let geometry: MemoryReservation
    /// The present keys, shared too. Views retain them.
    let sortKeys: MemoryReservation
    /// The parts of the geometry and of the sort keys that the snapshot before this one does not have.
    let unsharedGeometry: MemoryReservation
    let unsharedSortKeys: MemoryReservation

    /// Reserves the memory of a snapshot that is to be loaded, and evicts others.
    ///
    /// - Parameter count: the number of items. A damaged row can have any number.
    init(count: Int, of budget: MemoryBudget) {
      let count = max(0, min(count, ColumnCache.longestStrip))
      geometry = MemoryReservation(IndexedStrip.cost(ofItems: count), of: budget)
      sortKeys = MemoryReservation(2 * count, of: budget)
      unsharedGeometry = MemoryReservation(0, of: budget)
      unsharedSortKeys = MemoryReservation(0, of: budget)
      budget.evict()
    }

    func resize(to indexed: IndexedStrip) {
      geometry.resize(to: indexed.cost)
      sortKeys.resize(to: indexed.sortKeys.cost)
    }

    /// - Parameter isNewest: false for an earlier snapshot, which can be smaller. It shares the newest one's memory.
    init(
      _ indexed: IndexedStrip, from old: IndexedStrip, _ memory: Memory, changeCount: Int,
      isNewest: Bool = true
    ) {
      (geometry, sortKeys) = (memory.geometry, memory.sortKeys)
      unsharedGeometry = MemoryReservation(
        min(IndexedStrip.cost(ofChanges: changeCount), indexed.cost), of: geometry.budget)
      unsharedSortKeys = MemoryReservation(
        indexed.sortKeys.cost(beside: old.sortKeys), of: geometry.budget)
      if isNewest { resize(to: indexed) }
    }
  }

  var revision: Int64 { snapshot.revision }

  private init(
    _ row: StripRow, _ indexed: IndexedStrip, layouts: SharedLayoutCache,
    columns: ColumnCache,
    changedSortKeys: ChangedSortKeys?, _ memory: Memory, _ reader: SnapshotReader
  ) {
    number = row.number
    oldestRevision = row.oldestRevision
    self.indexed = indexed
    self.changedSortKeys = changedSortKeys
    self.memory = memory
    snapshot = Snapshot(
      name: row.name, settings: row.settings, revision: row.revision, strip: indexed.strip,
      source: SQLItemSource(
        reader: reader, strip: row, sortKeys: indexed.sortKeys, changedSortKeys: changedSortKeys,
        memory: [memory.sortKeys, memory.unsharedSortKeys]), layouts: layouts,
      columns: columns, memory: [memory.geometry, memory.unsharedGeometry])
  }

  /// The bytes of the geometry and of the sort keys.
  var cost: Int { memory.geometry.bytes + memory.sortKeys.bytes }

  /// The bytes that this snapshot does not share with another snapshot of the strip.
  var unsharedCost: Int { memory.unsharedGeometry.bytes + memory.unsharedSortKeys.bytes }

  /// Beyond this number of changed keys, the cached contents of the strip are dropped.
  private static let changedSortKeyLimit = 100_000

  /// - Parameter earlier: the row at an earlier revision, if that revision is to be loaded.
  /// - Complexity: O(*n*).
  static func load(
    _ row: StripRow, at earlier: StripRow? = nil, progress: LoadProgress? = nil,
    _ reader: SnapshotReader, _ session: any SQLSession
  ) throws -> LoadedSnapshot {
    let memory = Memory(count: row.totals.count, of: reader.memory)
    let itemWidth = (earlier ?? row).settings.itemWidth
    var indexed = try GeometryLoader.load(
      row, itemWidth: itemWidth, progress: progress, session)
    if let earlier {
      try indexed.undo(row.changes(after: earlier.revision, session), itemWidth: itemWidth)
      try indexed.rename(kinds: earlier.kinds)
    }
    memory.resize(to: indexed)
    return LoadedSnapshot(
      earlier ?? row, indexed, layouts: SharedLayoutCache(memory: reader.memory),
      columns: ColumnCache(at: (earlier ?? row).revision, memory: reader.memory),
      changedSortKeys: reader.changedSortKeys(), memory, reader)
  }

  /// The strip at its newest revision, made from this snapshot and the change log. Nil if the whole geometry has to be read.
  ///
  /// - Complexity: O(chunks + *k* log *n*) for *k* changed items.
  func applyingChangeLog(
    to row: StripRow, _ reader: SnapshotReader, _ session: any SQLSession
  ) throws -> LoadedSnapshot? {
    // An older copy of the database does not have the revision.
    guard row.number == number,
      let changeLog = try row.changes(after: revision, upTo: row.revision, session)
    else { return nil }
    // This can fail, so it comes before `applying`, which makes the views of this snapshot stale.
    let contents = try changedContents(of: changeLog.merged, row, reader, session)
    let next = try applying(changeLog, of: row, reader) { indexed, appendedFrom in
      try GeometryChunkStore(session, of: row).forEach(from: appendedFrom) {
        try indexed.append($0, from: appendedFrom, itemWidth: row.settings.itemWidth)
      }
    }
    if let changedSortKeys = next?.changedSortKeys {
      reader.contents?.store(contents.map(\.entry), at: contents.map(\.sortKey), changedSortKeys)
    }
    return next
  }

  /// A few changed items for the cache, so that cached windows stay available while the database is unreachable.
  private func changedContents(
    of changes: GeometryChanges, _ row: StripRow, _ reader: SnapshotReader,
    _ session: any SQLSession
  ) throws -> [(sortKey: Int64, entry: ItemContentCache.Entry)] {
    guard reader.contents != nil, 1...ChangeSet.contentLimit ~= changes.count
    else { return [] }
    var contents: [(sortKey: Int64, entry: ItemContentCache.Entry)] = []
    let sortKeys = (0..<changes.count).map { changes[$0] }.filter { $0.after != nil }
      .map(\.sortKey)
    do {
      try session.run(
        "SELECT \(ItemRows.columnList) FROM item WHERE strip = $1 AND sort_key = $2",
        forEach: sortKeys.map { [.integer(number), .integer($0)] }
      ) { index, item in
        let entry = ItemContentCache.Entry(
          content: try item.content(of: row), firstRevision: try item.integer(.firstRevision),
          lastRevision: row.revision, isSuperseded: false)
        contents.append((sortKeys[index], entry))
      }
    } catch CatalogueError.corrupt {
    }
    return contents
  }

  /// The strip after a commit of this process; nil if it did not follow this snapshot.
  func applying(
    _ change: ChangeSet, _ reader: SnapshotReader
  ) throws -> LoadedSnapshot? {
    guard change.previous.number == number, change.previous.revision == revision,
      change.row.number == number
    else { return nil }
    let next = try applying([change.changes], of: change.row, reader) { _, _ in
      preconditionFailure("An edit does not append chunks.")
    }
    if let next, let changedSortKeys = next.changedSortKeys {
      let entries = change.contents.map {
        ItemContentCache.Entry(
          content: $0.content, firstRevision: next.revision, lastRevision: next.revision,
          isSuperseded: false)
      }
      reader.contents?.store(entries, at: change.contents.map(\.sortKey), changedSortKeys)
    }
    return next
  }

  private func applying(
    _ changeLog: [GeometryChanges], of row: StripRow, _ reader: SnapshotReader,
    appendingFrom append: (inout IndexedStrip, _ appendedFrom: Int64) throws -> Void
  ) throws -> LoadedSnapshot? {
    let itemWidth = row.settings.itemWidth
    guard itemWidth == snapshot.settings.itemWidth, row.kinds.starts(with: indexed.strip.kinds)
    else { return nil }
    var indexed = indexed
    indexed.addKinds(row.kinds)
    if let appendedFrom = changeLog.appendedFrom {
      indexed.truncate(at: appendedFrom)
      try append(&indexed, appendedFrom)
    }
    let changes = changeLog.merged
    try indexed.apply(changes, itemWidth: itemWidth)
    // Before a reader can ask for this revision.
    changedSortKeys?.add((0..<changes.count).lazy.map { changes[$0].sortKey }, at: row.revision)
    snapshot.columns.record(
      (0..<changes.count).map { changes[$0].sortKey }, appendedFrom: changeLog.appendedFrom,
      at: row.revision)
    if row.settings.filterable != snapshot.settings.filterable
      || row.settings.searchable != snapshot.settings.searchable
    {
      snapshot.columns.requirePreparation()
    }
    let isFull = changedSortKeys.map { $0.count > Self.changedSortKeyLimit } ?? false
    return LoadedSnapshot(
      row, indexed, layouts: snapshot.layouts, columns: snapshot.columns,
      changedSortKeys: isFull ? reader.changedSortKeys() : changedSortKeys,
      Memory(indexed, from: self.indexed, memory, changeCount: changes.count), reader)
  }

  /// The strip at an earlier revision. This snapshot is the newest, and `row` its row.
  ///
  /// - Complexity: O(chunks + *k* log *n*) for *k* changed items; O(*n*) after a new kind, or another width of items
  ///   without a size.
  func earlier(
    _ earlier: StripRow, before row: StripRow, _ reader: SnapshotReader, _ session: any SQLSession
  ) throws -> LoadedSnapshot {
    let itemWidth = earlier.settings.itemWidth
    guard itemWidth == snapshot.settings.itemWidth else {
      return try .load(row, at: earlier, reader, session)
    }
    let changeLog = try row.changes(after: earlier.revision, session)
    var indexed = indexed
    try indexed.undo(changeLog, itemWidth: itemWidth)
    try indexed.rename(kinds: earlier.kinds)
    return LoadedSnapshot(
      earlier, indexed, layouts: snapshot.layouts, columns: snapshot.columns,
      changedSortKeys: changedSortKeys,
      Memory(
        indexed, from: self.indexed, memory, changeCount: changeLog.reduce(0) { $0 + $1.count },
        isNewest: false), reader)
  }
}
