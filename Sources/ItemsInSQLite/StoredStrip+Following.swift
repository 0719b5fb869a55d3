import Catalogue
import GRDB
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
    if let tail = steps.tail {
      placed.truncate(at: tail)
      let chunks = try LayoutRows(db, strip: row.number).all(from: tail)
      while let chunk = try chunks() {
        try placed.append(chunk, from: tail, itemWidth: itemWidth)
      }
    }
    try placed.apply(steps.forward, itemWidth: itemWidth)
    return StoredStrip(row, placed: placed, pools: edition.pools, database: database)
  }

  /// This strip with a change that makes its next revision.
  ///
  /// - Complexity: O(chunks + *k* log *n*) for *k* changed items.
  func after(
    _ step: LayoutStep, _ row: StripRow, kinds: [String], database: SQLiteReaders
  ) throws -> StoredStrip {
    var placed = placed
    placed.addKinds(kinds)
    try placed.apply(step.changes, itemWidth: row.settings.itemWidth)
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
