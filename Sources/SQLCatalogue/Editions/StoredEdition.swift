package import Catalogue
import Windowing

/// What editions of a database's strips share: the database, and the cache of what items say.
package struct EditionReader: Sendable {
  let database: any SQLDatabase
  /// Nil if the database reads windows at once.
  let contents: ItemContentCache?
  /// Of all strips, or of one.
  var memory: MemoryBudget

  package init(
    _ database: any SQLDatabase, contentMemory: Int, memory: MemoryBudget = MemoryBudget()
  ) {
    self.database = database
    self.memory = memory
    contents = database.windowReader == nil ? ItemContentCache(limit: contentMemory) : nil
  }

  /// For a strip that is loaded; nil if there is no cache.
  func touchedPositions() -> ChangedKeys? {
    contents == nil ? nil : ChangedKeys(of: memory)
  }
}

/// A strip in memory at one revision: the edition that readers get, and what the next one is made from.
package final class StoredEdition: Sendable {
  package let edition: Edition
  package let number: Int64
  private let placed: KeyedStrip
  /// Nil if there is no cache that needs it.
  private let touched: ChangedKeys?
  private let memory: Memory

  /// What an edition counts for.
  private struct Memory {
    /// The layout at its present size, which all editions of the strip share.
    let layout: MemoryReservation
    /// The positions, as the layout. Views retain them.
    let positions: MemoryReservation
    /// What the edition does not share with the one that it was made from.
    let own: MemoryReservation
    let ownPositions: MemoryReservation

    /// Of an edition that is to be loaded. Evicts others.
    ///
    /// - Parameter count: of items. A damaged row can have any count.
    init(count: Int, of budget: MemoryBudget) {
      let count = max(0, min(count, SharedColumns.longestStrip))
      layout = MemoryReservation(KeyedStrip.cost(ofItems: count), of: budget)
      positions = MemoryReservation(2 * count, of: budget)
      own = MemoryReservation(0, of: budget)
      ownPositions = MemoryReservation(0, of: budget)
      budget.evict()
    }

    func resize(to placed: KeyedStrip) {
      layout.resize(to: placed.cost)
      positions.resize(to: placed.positions.cost)
    }

    /// - Parameter isNewest: whether the edition replaces the one that it was made from. An earlier edition
    ///   shares the memory of the newest one, and can be smaller.
    init(
      _ placed: KeyedStrip, from old: KeyedStrip, _ memory: Memory, changeCount: Int,
      isNewest: Bool = true
    ) {
      (layout, positions) = (memory.layout, memory.positions)
      own = MemoryReservation(
        min(KeyedStrip.cost(ofChanges: changeCount), placed.cost), of: layout.budget)
      ownPositions = MemoryReservation(
        placed.positions.cost(beside: old.positions), of: layout.budget)
      if isNewest { resize(to: placed) }
    }
  }

  var revision: Int64 { edition.revision }

  private init(
    _ row: StripRow, _ placed: KeyedStrip, arrangements: SharedArrangements, columns: SharedColumns,
    touched: ChangedKeys?, _ memory: Memory, _ reader: EditionReader
  ) {
    number = row.number
    self.placed = placed
    self.touched = touched
    self.memory = memory
    edition = Edition(
      name: row.name, settings: row.settings, revision: row.revision, strip: placed.strip,
      source: StoredItems(
        reader: reader, strip: row, positions: placed.positions, touched: touched,
        memory: [memory.positions, memory.ownPositions]), arrangements: arrangements,
      columns: columns, memory: [memory.layout, memory.own])
  }

  /// The bytes of the layout and the positions, about.
  var cost: Int { memory.layout.bytes + memory.positions.bytes }

  /// The bytes that the edition takes beside another edition of the strip, about.
  var ownCost: Int { memory.own.bytes + memory.ownPositions.bytes }

  /// So many touched positions are remembered before the cached contents of a strip are dropped.
  private static let touchedLimit = 100_000

  /// Reads the layout of a strip.
  ///
  /// - Parameters:
  ///   - earlier: the strip at an earlier revision, to be read instead.
  /// - Complexity: O(*n*).
  static func load(
    _ row: StripRow, at earlier: StripRow? = nil, progress: LoadProgress? = nil,
    with others: [any ParallelSQLReader] = [], _ reader: EditionReader, _ session: any SQLSession
  ) throws -> StoredEdition {
    let memory = Memory(count: row.totals.count, of: reader.memory)
    let itemWidth = (earlier ?? row).settings.itemWidth
    var placed = try LayoutLoader.load(
      row, itemWidth: itemWidth, progress: progress, with: others, session)
    if let earlier {
      try placed.undo(row.changes(after: earlier.revision, session), itemWidth: itemWidth)
      try placed.rename(kinds: earlier.kinds)
    }
    memory.resize(to: placed)
    return StoredEdition(
      earlier ?? row, placed, arrangements: SharedArrangements(memory: reader.memory),
      columns: SharedColumns(at: (earlier ?? row).revision, memory: reader.memory),
      touched: reader.touchedPositions(), memory, reader)
  }

  /// The strip at its newest revision, made from this edition and the log.
  ///
  /// - Returns: nil if the layout has to be read whole.
  /// - Complexity: O(chunks + *k* log *n*) for *k* changed items.
  func following(
    to row: StripRow, _ reader: EditionReader, _ session: any SQLSession
  ) throws -> StoredEdition? {
    // A database that was replaced by an older copy does not have the revision.
    guard row.number == number,
      let log = try row.changes(after: revision, upTo: row.revision, session)
    else {
      return nil
    }
    let next = try following(to: row, log, reader) { placed, appendedFrom in
      try LayoutChunkStore(session, of: row).forEach(from: appendedFrom) {
        try placed.append($0, from: appendedFrom, itemWidth: row.settings.itemWidth)
      }
    }
    try next?.cacheContents(of: log.merged, row, reader, session)
    return next
  }

  /// Caches a few changed items. Cached windows then stay available at this revision while the database is
  /// unreachable.
  private func cacheContents(
    of changes: LayoutChanges, _ row: StripRow, _ reader: EditionReader, _ session: any SQLSession
  ) throws {
    guard let contents = reader.contents, let touched,
      1...CommittedRevision.contentLimit ~= changes.count
    else { return }
    let positions = (0..<changes.count).map { changes[$0] }.filter { $0.after != nil }
      .map(\.position)
    do {
      try session.run(
        "SELECT \(ItemRows.columnList) FROM item WHERE strip = $1 AND position = $2",
        forEach: positions.map { [.integer(number), .integer($0)] }
      ) { index, item in
        let entry = ItemContentCache.Entry(
          content: try item.content(of: row), firstRevision: try item.integer(1),
          lastRevision: revision, isSuperseded: false)
        contents.store([entry], at: [positions[index]], touched)
      }
    } catch CatalogueError.corrupt {
      // The reader who asks for the item gets the error.
    }
  }

  /// The strip after a revision that was committed on top of this edition; nil if it was not.
  func following(
    _ change: CommittedRevision, _ reader: EditionReader
  ) throws -> StoredEdition? {
    guard change.previous.number == number, change.previous.revision == revision,
      change.row.number == number
    else { return nil }
    let next = try following(to: change.row, [change.changes], reader) { _, _ in
      preconditionFailure("An edit does not append chunks.")
    }
    if let next, let touched = next.touched {
      let entries = change.contents.map {
        ItemContentCache.Entry(
          content: $0.content, firstRevision: next.revision, lastRevision: next.revision,
          isSuperseded: false)
      }
      reader.contents?.store(entries, at: change.contents.map(\.position), touched)
    }
    return next
  }

  private func following(
    to row: StripRow, _ log: [LayoutChanges], _ reader: EditionReader,
    appendingFrom append: (inout KeyedStrip, _ appendedFrom: Int64) throws -> Void
  ) throws -> StoredEdition? {
    let itemWidth = row.settings.itemWidth
    guard itemWidth == edition.settings.itemWidth, row.kinds.starts(with: placed.strip.kinds)
    else { return nil }
    var placed = placed
    placed.addKinds(row.kinds)
    if let appendedFrom = log.appendedFrom {
      placed.truncate(at: appendedFrom)
      try append(&placed, appendedFrom)
    }
    let changes = log.merged
    try placed.apply(changes, itemWidth: itemWidth)
    // Before a reader can ask for this revision.
    touched?.add((0..<changes.count).lazy.map { changes[$0].position }, at: row.revision)
    edition.columns.record(
      (0..<changes.count).map { changes[$0].position }, appendedFrom: log.appendedFrom,
      at: row.revision)
    if row.settings.filterable != edition.settings.filterable
      || row.settings.searchable != edition.settings.searchable
    {
      edition.columns.requireStoring()
    }
    let isFull = touched.map { $0.count > Self.touchedLimit } ?? false
    return StoredEdition(
      row, placed, arrangements: edition.arrangements, columns: edition.columns,
      touched: isFull ? reader.touchedPositions() : touched,
      Memory(placed, from: self.placed, memory, changeCount: changes.count), reader)
  }

  /// The strip, of which this is the newest edition, at an earlier revision.
  ///
  /// - Parameter row: the strip at this edition.
  /// - Complexity: O(chunks + *k* log *n*) for *k* changed items; O(*n*) if kinds came since, or the width
  ///   of items without a size changed.
  func earlier(
    _ earlier: StripRow, before row: StripRow, _ reader: EditionReader, _ session: any SQLSession
  ) throws -> StoredEdition {
    let itemWidth = earlier.settings.itemWidth
    guard itemWidth == edition.settings.itemWidth else {
      return try .load(row, at: earlier, reader, session)
    }
    let log = try row.changes(after: earlier.revision, session)
    var placed = placed
    try placed.undo(log, itemWidth: itemWidth)
    try placed.rename(kinds: earlier.kinds)
    return StoredEdition(
      earlier, placed, arrangements: edition.arrangements, columns: edition.columns,
      touched: touched,
      Memory(
        placed, from: self.placed, memory, changeCount: log.reduce(0) { $0 + $1.count },
        isNewest: false), reader)
  }
}
