import Catalogue
import GRDB

/// Brings the chunks of a layout up to the newest revision, a few at a time.
///
/// Changes may be made between two steps: a chunk then says what it was when the folding began, and
/// the changes since are still in the table. Only when all chunks are done does the strip's row say
/// up to where they are.
struct Folding {
  private let strip: Int64
  /// How far the chunks were when this began: another command may fold them first.
  private let folded: Int64
  private let target: Int64
  private let changes: LayoutChanges
  /// How many of the changes are in their chunks.
  private var done = 0

  /// Nil where there is nothing to fold.
  init?(_ row: StripRow, _ db: Database) throws {
    guard row.folded < row.revision else { return nil }
    strip = row.number
    folded = row.folded
    target = row.revision
    changes = try row.steps(after: folded, upTo: target, db).forward
  }

  /// Folds everything at once.
  static func fold(_ row: StripRow, _ db: Database) throws {
    guard var folding = try Folding(row, db) else { return }
    while try folding.step(db, chunks: .max) {}
  }

  /// Writes some chunks, in the caller's transaction.
  ///
  /// - Returns: whether there is more to do.
  /// - Complexity: O(`chunks` x 1000).
  mutating func step(_ db: Database, chunks: Int) throws -> Bool {
    let now = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT folded FROM strip WHERE number = ?"), arguments: [strip])
    guard now == folded else { return false }
    var written = 0
    while done < changes.count, written < chunks {
      try fold(db)
      written += 1
    }
    guard done == changes.count else { return true }
    try db.cachedStatement(sql: "UPDATE strip SET folded = ? WHERE number = ?")
      .execute(arguments: [target, strip])
    // What is folded is kept as long as a revision before it is held.
    try db.cachedStatement(
      sql: """
        DELETE FROM change WHERE strip = ?1 AND revision <= min(?2,
          ifnull((SELECT min(until) FROM past_strip WHERE strip = ?1), ?2))
        """
    ).execute(arguments: [strip, target])
    return false
  }

  /// Brings the chunk of the next change up to date, and with it all others that it holds.
  private mutating func fold(_ db: Database) throws {
    let rows = LayoutRows(db, strip: strip)
    let position = changes[done].position
    let stored = try rows.chunk(upTo: position) ?? rows.chunk(after: position)
    let end = try stored.flatMap { try rows.chunk(after: $0.place.first) }?.place.first ?? .max
    let start = done
    while done < changes.count, changes[done].position < end { done += 1 }
    var entries = stored?.entries ?? []
    entries.apply(changes, start..<done)
    if let stored { try rows.delete(stored) }
    if let first = entries.first, entries.count < LayoutChunk.capacity / 4,
      let before = try rows.chunk(upTo: first.position - 1),
      before.place.count + entries.count <= LayoutChunk.capacity
    {
      try rows.delete(before)
      entries = before.entries + entries
    }
    let pieces = (entries.count + LayoutChunk.capacity - 1) / LayoutChunk.capacity
    for piece in 0..<pieces {
      var made = LayoutChunk()
      let (start, end) = (piece * entries.count, (piece + 1) * entries.count)
      for entry in entries[start / pieces..<end / pieces] {
        made.append(entry.state, at: entry.position)
      }
      try rows.insert(made)
    }
  }
}

/// An item of a chunk.
private struct ChunkEntry {
  let position: Int64
  let state: LayoutChange.State
}

extension StoredChunk {
  fileprivate var entries: [ChunkEntry] {
    zip(zip(place.positions, sizes), groups).map {
      ChunkEntry(position: $0.0.0, state: LayoutChange.State($0.0.1, group: $0.1))
    }
  }
}

extension [ChunkEntry] {
  /// Merges changes into the entries, both in the order of their positions.
  fileprivate mutating func apply(_ changes: LayoutChanges, _ range: Range<Int>) {
    var merged: [ChunkEntry] = []
    merged.reserveCapacity(count + range.count)
    var next = startIndex
    for place in range {
      let change = changes[place]
      while next < endIndex, self[next].position < change.position {
        merged.append(self[next])
        next += 1
      }
      if next < endIndex, self[next].position == change.position { next += 1 }
      if let after = change.after {
        merged.append(ChunkEntry(position: change.position, state: after))
      }
    }
    merged += self[next...]
    self = merged
  }
}
