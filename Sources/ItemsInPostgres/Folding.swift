import Items
import Windowing

/// Brings the rows of a strip's layout up to its newest revision, so that who loads it has few
/// changes to make.
///
/// - Complexity: O(1000) for each chunk that was touched since the last time.
struct Folding {
  private let chunks: Chunks
  private let changes: LayoutChanges
  /// How many of the changes are in their chunks.
  private var done = 0

  /// So many changes are made by who loads a strip, before they are folded.
  static let patience: Int64 = 10_000

  /// How many changes of a strip are not in its chunks yet.
  static func pending(_ row: StripRow, _ session: Session) throws -> Int64 {
    try session.run(
      "SELECT coalesce(sum(count), 0)::bigint FROM change WHERE strip = $1 AND revision > $2",
      [.integer(row.number), .integer(row.folded)]
    ).first { try $0.integer(0) } ?? 0
  }

  /// Folds everything; the row of the strip is locked and says so itself.
  static func fold(_ row: inout StripRow, _ session: Session) throws {
    guard row.folded < row.revision else { return }
    var folding = Folding(
      chunks: Chunks(session: session, strip: row.number),
      changes: try row.steps(after: row.folded, upTo: row.revision, session).forward)
    while folding.done < folding.changes.count { try folding.foldChunk() }
    row.folded = row.revision
    try session.run(
      "UPDATE strip SET folded = $1 WHERE number = $2",
      [.integer(row.folded), .integer(row.number)])
  }

  private init(chunks: Chunks, changes: LayoutChanges) {
    self.chunks = chunks
    self.changes = changes
  }

  /// Brings the chunk of the next change up to date, and with it all others that it holds.
  private mutating func foldChunk() throws {
    let stored = try chunks.chunk(holding: changes[done].position)
    let end =
      try stored.flatMap { try chunks.read(after: $0.place.first, limit: 1).first }?.place.first
      ?? .max
    var merged = Merged(stored)
    while done < changes.count, changes[done].position < end {
      merged.take(changes[done])
      done += 1
    }
    merged.takeRest()
    if let stored { try chunks.delete(at: stored.place.first) }
    // A chunk that has become short goes to the one before it, so that removals do not leave many.
    if let first = merged.entries.first, merged.entries.count < LayoutChunk.capacity / 4,
      let before = try chunks.chunk(holding: first.position), before.place.first < first.position,
      before.place.count + merged.entries.count <= LayoutChunk.capacity
    {
      try chunks.delete(at: before.place.first)
      merged.put(before)
    }
    for row in merged.rows { try chunks.insert(row) }
  }
}

/// The items of a chunk, and what changes make of them.
private struct Merged {
  private(set) var entries: [(position: Int64, state: LayoutChange.State)] = []
  private var old: ArraySlice<(position: Int64, state: LayoutChange.State)>

  init(_ chunk: StoredChunk?) { old = (chunk?.entries ?? [])[...] }

  /// Takes a change, which stands behind all taken before.
  mutating func take(_ change: LayoutChange) {
    while let next = old.first, next.position < change.position {
      entries.append(next)
      old.removeFirst()
    }
    if old.first?.position == change.position { old.removeFirst() }
    if let after = change.after { entries.append((change.position, after)) }
  }

  mutating func takeRest() {
    entries += old
    old = []
  }

  /// Puts the items of a chunk before all others.
  mutating func put(_ chunk: StoredChunk) { entries = chunk.entries + entries }

  /// Rows of a fair size.
  var rows: [LayoutRow] {
    let pieces = (entries.count + LayoutChunk.capacity - 1) / LayoutChunk.capacity
    return (0..<pieces).compactMap { piece in
      var made = LayoutChunk()
      let (start, end) = (piece * entries.count, (piece + 1) * entries.count)
      for entry in entries[start / pieces..<end / pieces] {
        made.append(entry.state, at: entry.position)
      }
      return made.row
    }
  }
}

extension StoredChunk {
  fileprivate var entries: [(position: Int64, state: LayoutChange.State)] {
    zip(place.positions, zip(packed, groups)).map {
      ($0, LayoutChange.State($1.0, group: $1.1))
    }
  }
}
