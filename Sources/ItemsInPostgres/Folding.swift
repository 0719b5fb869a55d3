import Catalogue

/// Brings the rows of a strip's layout up to a later revision, so that who loads it has few changes
/// to make: at once, or a few rows at a time.
///
/// Edits may come between two steps: a row then says what it was when the folding began, and the
/// changes since are still in the log, to be made again by who loads it. Only when all rows are
/// done does the strip's say up to where they are. So there must not be two foldings of one strip.
struct Folding {
  private let strip: StripRow
  private let changes: LayoutChanges
  /// How many of the changes are in their rows.
  private var done = 0

  /// So many changes are made by who loads a strip, before an edit folds some itself.
  static let patience = 100_000
  /// So many changes are folded with as many statements as one.
  private static let batchSize = 256

  /// - Parameter strip: as it is.
  init(of strip: StripRow, _ session: Session) throws {
    self.strip = strip
    changes = try strip.steps(after: strip.folded, upTo: strip.revision, session).forward
  }

  /// Writes some rows, in the caller's transaction.
  ///
  /// - Returns: whether there is more to do.
  /// - Complexity: O(`rows` x 1000).
  mutating func step(rows: Int, _ session: Session) throws -> Bool {
    guard var now = try StripRow.lock(session, name: strip.name), now.number == strip.number,
      now.folded == strip.folded
    else { return false }
    let chunks = Chunks(session: session, strip: strip.number)
    var stored: [(chunk: StoredChunk, next: Int64?)] = []
    var end = done
    while end < changes.count, stored.count < rows {
      let found = try chunks.holding([changes[end].position])
      stored += found
      let next = found.first?.next ?? .max
      while end < changes.count, changes[end].position < next { end += 1 }
    }
    try fold(done..<end, in: stored, chunks)
    done = end
    guard done == changes.count else { return true }
    now.folded = strip.revision
    now.pending -= strip.pending
    try now.store(session)
    return false
  }

  /// Folds everything; the row of the strip is locked.
  static func fold(_ row: inout StripRow, _ session: Session) throws {
    try fold(&row, upTo: row.revision, session)
    row.pending = 0
  }

  /// Folds the oldest changes, where too many wait: as many as keeps an edit from taking long.
  static func foldSome(_ row: inout StripRow, _ session: Session) throws {
    guard row.pending > patience else { return }
    let some = try session.run(
      """
      SELECT revision, sum FROM (
        SELECT revision, sum(count) OVER (ORDER BY revision) FROM change
        WHERE strip = $1 AND revision > $2) AS so_far
      WHERE sum >= $3 ORDER BY revision LIMIT 1
      """, [.integer(row.number), .integer(row.folded), .integer(Int64(batchSize))]
    ).first { (revision: try $0.integer(0), count: Int(try $0.integer(1))) }
    guard let some else { return try fold(&row, session) }
    try fold(&row, upTo: some.revision, session)
    row.pending -= some.count
  }

  private static func fold(
    _ row: inout StripRow, upTo revision: Int64, _ session: Session
  ) throws {
    guard row.folded < revision else { return }
    var target = row
    target.revision = revision
    let folding = try Folding(of: target, session)
    let chunks = Chunks(session: session, strip: row.number)
    for start in stride(from: 0, to: folding.changes.count, by: batchSize) {
      let range = start..<min(start + batchSize, folding.changes.count)
      let stored = try chunks.holding(range.map { folding.changes[$0].position })
      try folding.fold(range, in: stored, chunks)
    }
    row.folded = revision
  }

  /// Brings the rows up to date that hold these changes.
  ///
  /// - Parameter stored: those rows, and where the one behind each begins.
  private func fold(
    _ range: Range<Int>, in stored: [(chunk: StoredChunk, next: Int64?)], _ chunks: Chunks
  ) throws {
    var merged: [ChunkEntries] = []
    var next = range.lowerBound
    for place in 0..<max(1, stored.count) {
      var entries = ChunkEntries()
      let end = place + 1 < stored.count ? stored[place + 1].chunk.place.first : .max
      let start = next
      while next < range.upperBound, changes[next].position < end { next += 1 }
      entries.merge(stored.isEmpty ? nil : stored[place].chunk, changes, start..<next)
      // What has become short goes to the chunk before, so that removals do not leave many.
      if place > 0, stored[place - 1].next == stored[place].chunk.place.first,
        let last = merged.indices.last, entries.isShort, merged[last].hasRoom(for: entries)
      {
        merged[last].append(entries)
      } else {
        merged.append(entries)
      }
    }
    try chunks.delete(at: stored.map(\.chunk.place.first))
    try chunks.insert(merged.flatMap(\.rows))
  }
}

/// The items of a chunk, each with its position.
private struct ChunkEntries {
  private var entries: [(position: Int64, state: LayoutChange.State)] = []

  /// Appends the items of a chunk, the way that changes leave them, both in order.
  mutating func merge(_ chunk: StoredChunk?, _ changes: LayoutChanges, _ range: Range<Int>) {
    var old: [(position: Int64, state: LayoutChange.State)] = []
    if let chunk {
      old = zip(chunk.place.positions, zip(chunk.sizes, chunk.groups)).map {
        ($0, LayoutChange.State($1.0, group: $1.1))
      }
    }
    var next = 0
    for place in range {
      let change = changes[place]
      while next < old.count, old[next].position < change.position {
        entries.append(old[next])
        next += 1
      }
      if next < old.count, old[next].position == change.position { next += 1 }
      if let after = change.after { entries.append((change.position, after)) }
    }
    entries += old[next...]
  }

  mutating func append(_ other: ChunkEntries) { entries += other.entries }

  var isShort: Bool { entries.count < LayoutChunk.capacity / 4 }

  func hasRoom(for other: ChunkEntries) -> Bool {
    entries.count + other.entries.count <= LayoutChunk.capacity
  }

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
