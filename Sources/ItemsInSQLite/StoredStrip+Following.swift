import GRDB
import Items
import Windowing

extension StoredStrip {
  /// This strip at the newest revision, when it is at a former one that is still held: what differs
  /// is read, the rest is shared.
  ///
  /// - Returns: nil where there is no way but to read the layout whole.
  /// - Complexity: O(chunks + *k* log *n*) for *k* changed items.
  func following(
    to row: StripRow, database: SQLiteReaders, _ db: Database
  ) throws -> StoredStrip? {
    let itemWidth = row.settings.itemWidth
    let kinds = try row.kinds(db)
    guard row.number == number, itemWidth == edition.settings.itemWidth,
      kinds.starts(with: edition.strip.kinds),
      try row.held(at: edition.revision, db) != nil
    else { return nil }
    let steps = try row.steps(after: edition.revision, upTo: row.revision, db)
    var placed = placed
    placed.addKinds(kinds)
    // What was appended may stand where an item was taken away: in which order, the chunks do not say.
    if let tail = steps.tail, steps.contains(where: { $0.changes.reach(tail) }) { return nil }
    if let tail = steps.tail { try placed.append(from: tail, of: row, db) }
    try placed.apply(steps.forward, itemWidth: itemWidth)
    return StoredStrip(row, placed: placed, pools: edition.pools, database: database)
  }

  /// This strip, which is the newest, at a former revision that is held.
  ///
  /// - Parameter newest: the strip as it is here.
  /// - Complexity: O(chunks + *k* log *n*) for *k* changed items; where kinds have come or the width
  ///   of a bare item has changed O(*n*).
  func goingBack(
    to past: (row: StripRow, kinds: [String]), from newest: StripRow, database: SQLiteReaders,
    _ db: Database
  ) throws -> StoredStrip {
    let itemWidth = past.row.settings.itemWidth
    guard itemWidth == edition.settings.itemWidth else {
      return try .load(newest, asOf: past, database: database, db)
    }
    var placed = placed
    try placed.goBack(
      newest.steps(after: past.row.revision, upTo: newest.revision, db), itemWidth)
    placed.rename(kinds: past.kinds)
    return StoredStrip(past.row, placed: placed, pools: edition.pools, database: database)
  }
}

extension LayoutChanges {
  /// Whether one of them is at a position or behind it.
  fileprivate func reach(_ position: Int64) -> Bool {
    (0..<count).contains { self[$0].position >= position }
  }
}

extension PlacedStrip {
  /// Appends what the chunks of the layout have from a position on.
  fileprivate mutating func append(from tail: Int64, of row: StripRow, _ db: Database) throws {
    let chunks = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(StoredChunk.columns) FROM layout WHERE strip = ?1 AND position >= ifnull(
          (SELECT max(position) FROM layout WHERE strip = ?1 AND position <= ?2), ?2)
        ORDER BY position
        """, arguments: [row.number, tail])
    while let stored = try chunks.next() {
      let chunk = try StoredChunk(stored)
      let positions = chunk.place.positions
      let skipped = positions.prefix { $0 < tail }.count
      guard let place = Positions.Chunk(Array(positions[skipped...])) else { continue }
      let items = try chunk.items(itemWidth: row.settings.itemWidth, kinds: strip.kinds.count)
      let groups = chunk.runs.flatMap { repeatElement($0.title, count: $0.count) }
      append(Array(items[skipped...]), at: place, in: Array(groups[skipped...]))
    }
  }
}
