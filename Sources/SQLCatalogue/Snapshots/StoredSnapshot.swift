import Catalogue
package import Items
package import Views
import Windowing

/// What the snapshots of a database share.
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

  func changedKeys() -> ChangedKeys? {
    contents == nil ? nil : ChangedKeys(of: memory)
  }
}

/// A strip in memory at one revision: the snapshot that readers get, and what the next one is made from.
package final class StoredSnapshot: Sendable {
  package let snapshot: Snapshot
  package let number: Int64
  /// The oldest readable revision of the strip when this snapshot was made.
  let oldestRevision: Int64
  private let keyed: IndexedStrip
  private let changedKeys: ChangedKeys?
  private let memory: Memory

  private struct Memory {
    /// The present layout, which all snapshots of the strip share.
    let layout: MemoryReservation
    /// The present keys, shared too. Views retain them.
    let keys: MemoryReservation
    /// What the snapshot does not share with the one before.
    let own: MemoryReservation
    let ownKeys: MemoryReservation

    /// Reserves the memory of a snapshot that is to be loaded, and evicts others.
    ///
    /// - Parameter count: the number of items. A damaged row can have any number.
    init(count: Int, of budget: MemoryBudget) {
      let count = max(0, min(count, SharedColumns.longestStrip))
      layout = MemoryReservation(IndexedStrip.cost(ofItems: count), of: budget)
      keys = MemoryReservation(2 * count, of: budget)
      own = MemoryReservation(0, of: budget)
      ownKeys = MemoryReservation(0, of: budget)
      budget.evict()
    }

    func resize(to keyed: IndexedStrip) {
      layout.resize(to: keyed.cost)
      keys.resize(to: keyed.keys.cost)
    }

    /// - Parameter isNewest: false for an earlier snapshot, which can be smaller. It shares the newest one's memory.
    init(
      _ keyed: IndexedStrip, from old: IndexedStrip, _ memory: Memory, changeCount: Int,
      isNewest: Bool = true
    ) {
      (layout, keys) = (memory.layout, memory.keys)
      own = MemoryReservation(
        min(IndexedStrip.cost(ofChanges: changeCount), keyed.cost), of: layout.budget)
      ownKeys = MemoryReservation(
        keyed.keys.cost(beside: old.keys), of: layout.budget)
      if isNewest { resize(to: keyed) }
    }
  }

  var revision: Int64 { snapshot.revision }

  private init(
    _ row: StripRow, _ keyed: IndexedStrip, arrangements: SharedArrangements,
    columns: SharedColumns,
    changedKeys: ChangedKeys?, _ memory: Memory, _ reader: SnapshotReader
  ) {
    number = row.number
    oldestRevision = row.oldestRevision
    self.keyed = keyed
    self.changedKeys = changedKeys
    self.memory = memory
    snapshot = Snapshot(
      name: row.name, settings: row.settings, revision: row.revision, strip: keyed.strip,
      source: StoredItems(
        reader: reader, strip: row, keys: keyed.keys, changedKeys: changedKeys,
        memory: [memory.keys, memory.ownKeys]), arrangements: arrangements,
      columns: columns, memory: [memory.layout, memory.own])
  }

  /// In bytes, of the layout and the keys.
  var cost: Int { memory.layout.bytes + memory.keys.bytes }

  /// In bytes, apart from what it shares with another snapshot of the strip.
  var ownCost: Int { memory.own.bytes + memory.ownKeys.bytes }

  /// Beyond this number of changed keys, the cached contents of the strip are dropped.
  private static let changedKeyLimit = 100_000

  /// - Parameter earlier: the strip at an earlier revision, to read instead.
  /// - Complexity: O(*n*).
  static func load(
    _ row: StripRow, at earlier: StripRow? = nil, progress: LoadProgress? = nil,
    with others: [any ParallelSQLReader] = [], _ reader: SnapshotReader, _ session: any SQLSession
  ) throws -> StoredSnapshot {
    let memory = Memory(count: row.totals.count, of: reader.memory)
    let itemWidth = (earlier ?? row).settings.itemWidth
    var keyed = try LayoutLoader.load(
      row, itemWidth: itemWidth, progress: progress, with: others, session)
    if let earlier {
      try keyed.undo(row.changes(after: earlier.revision, session), itemWidth: itemWidth)
      try keyed.rename(kinds: earlier.kinds)
    }
    memory.resize(to: keyed)
    return StoredSnapshot(
      earlier ?? row, keyed, arrangements: SharedArrangements(memory: reader.memory),
      columns: SharedColumns(at: (earlier ?? row).revision, memory: reader.memory),
      changedKeys: reader.changedKeys(), memory, reader)
  }

  /// The strip at its newest revision, made from this snapshot and the log. Nil if the whole layout has to be read.
  ///
  /// - Complexity: O(chunks + *k* log *n*) for *k* changed items.
  func applyingLog(
    to row: StripRow, _ reader: SnapshotReader, _ session: any SQLSession
  ) throws -> StoredSnapshot? {
    // An older copy of the database does not have the revision.
    guard row.number == number,
      let log = try row.changes(after: revision, upTo: row.revision, session)
    else {
      return nil
    }
    // What can fail comes first: views are stale only when there is a next snapshot.
    let contents = try changedContents(of: log.merged, row, reader, session)
    let next = try applying(log, of: row, reader) { keyed, appendedFrom in
      try LayoutChunkStore(session, of: row).forEach(from: appendedFrom) {
        try keyed.append($0, from: appendedFrom, itemWidth: row.settings.itemWidth)
      }
    }
    if let changedKeys = next?.changedKeys {
      reader.contents?.store(contents.map(\.entry), at: contents.map(\.position), changedKeys)
    }
    return next
  }

  /// A few changed items for the cache, so that cached windows stay available while the database is unreachable.
  private func changedContents(
    of changes: LayoutChanges, _ row: StripRow, _ reader: SnapshotReader, _ session: any SQLSession
  ) throws -> [(position: Int64, entry: ItemContentCache.Entry)] {
    guard reader.contents != nil, 1...ChangeSet.contentLimit ~= changes.count
    else { return [] }
    var contents: [(position: Int64, entry: ItemContentCache.Entry)] = []
    let keys = (0..<changes.count).map { changes[$0] }.filter { $0.after != nil }
      .map(\.position)
    do {
      try session.run(
        "SELECT \(ItemRows.columnList) FROM item WHERE strip = $1 AND position = $2",
        forEach: keys.map { [.integer(number), .integer($0)] }
      ) { index, item in
        let entry = ItemContentCache.Entry(
          content: try item.content(of: row), firstRevision: try item.integer(1),
          lastRevision: row.revision, isSuperseded: false)
        contents.append((keys[index], entry))
      }
    } catch CatalogueError.corrupt {
    }
    return contents
  }

  /// The strip after a commit of this process; nil if it did not follow this snapshot.
  func applying(
    _ change: ChangeSet, _ reader: SnapshotReader
  ) throws -> StoredSnapshot? {
    guard change.previous.number == number, change.previous.revision == revision,
      change.row.number == number
    else { return nil }
    let next = try applying([change.changes], of: change.row, reader) { _, _ in
      preconditionFailure("An edit does not append chunks.")
    }
    if let next, let changedKeys = next.changedKeys {
      let entries = change.contents.map {
        ItemContentCache.Entry(
          content: $0.content, firstRevision: next.revision, lastRevision: next.revision,
          isSuperseded: false)
      }
      reader.contents?.store(entries, at: change.contents.map(\.position), changedKeys)
    }
    return next
  }

  private func applying(
    _ log: [LayoutChanges], of row: StripRow, _ reader: SnapshotReader,
    appendingFrom append: (inout IndexedStrip, _ appendedFrom: Int64) throws -> Void
  ) throws -> StoredSnapshot? {
    let itemWidth = row.settings.itemWidth
    guard itemWidth == snapshot.settings.itemWidth, row.kinds.starts(with: keyed.strip.kinds)
    else { return nil }
    var keyed = keyed
    keyed.addKinds(row.kinds)
    if let appendedFrom = log.appendedFrom {
      keyed.truncate(at: appendedFrom)
      try append(&keyed, appendedFrom)
    }
    let changes = log.merged
    try keyed.apply(changes, itemWidth: itemWidth)
    // Before a reader can ask for this revision.
    changedKeys?.add((0..<changes.count).lazy.map { changes[$0].position }, at: row.revision)
    snapshot.columns.record(
      (0..<changes.count).map { changes[$0].position }, appendedFrom: log.appendedFrom,
      at: row.revision)
    if row.settings.filterable != snapshot.settings.filterable
      || row.settings.searchable != snapshot.settings.searchable
    {
      snapshot.columns.requirePreparation()
    }
    let isFull = changedKeys.map { $0.count > Self.changedKeyLimit } ?? false
    return StoredSnapshot(
      row, keyed, arrangements: snapshot.arrangements, columns: snapshot.columns,
      changedKeys: isFull ? reader.changedKeys() : changedKeys,
      Memory(keyed, from: self.keyed, memory, changeCount: changes.count), reader)
  }

  /// The strip at an earlier revision. This snapshot is the newest, and `row` its row.
  ///
  /// - Complexity: O(chunks + *k* log *n*) for *k* changed items; O(*n*) after a new kind, or another width of items
  ///   without a size.
  func earlier(
    _ earlier: StripRow, before row: StripRow, _ reader: SnapshotReader, _ session: any SQLSession
  ) throws -> StoredSnapshot {
    let itemWidth = earlier.settings.itemWidth
    guard itemWidth == snapshot.settings.itemWidth else {
      return try .load(row, at: earlier, reader, session)
    }
    let log = try row.changes(after: earlier.revision, session)
    var keyed = keyed
    try keyed.undo(log, itemWidth: itemWidth)
    try keyed.rename(kinds: earlier.kinds)
    return StoredSnapshot(
      earlier, keyed, arrangements: snapshot.arrangements, columns: snapshot.columns,
      changedKeys: changedKeys,
      Memory(
        keyed, from: self.keyed, memory, changeCount: log.reduce(0) { $0 + $1.count },
        isNewest: false), reader)
  }
}
