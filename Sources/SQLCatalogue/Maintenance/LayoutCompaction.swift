package import Catalogue

/// Writes a new generation of a strip's layout. It contains the changes that were logged after the current
/// generation was written.
///
///     generation 4   ████ ████ ████ ████      chunks at revision 900
///     log                               901 902 ... 1900
///     generation 5   ████ ████ ██..           written a few chunks at a time, beside edits
///
/// One short transaction makes the new generation current, and drops the old one and its log. Edits
/// continue: they append to the log. Imports continue too: they append items to the old generation, and
/// the compaction copies them as they are. A compaction that finds another generation current discards
/// its own. So two processes can never mix their chunks.
package struct LayoutCompaction {
  private let strip: StripRow
  private let changes: LayoutChanges
  private let generation: Int64
  /// The first change that is not merged yet.
  private var nextChange = 0
  /// The position of the last item that was read.
  private var position = Int64.min
  private var chunk = LayoutChunk.Builder()

  /// A log of so many changed items is compacted: a server that loads the strip applies them in a tenth of
  /// the time that it takes to read the layout.
  static func isDue(_ row: StripRow) -> Bool {
    row.uncompactedChanges > max(1000, row.totals.count / 100)
  }

  /// The changes that a compaction of the strip merges into its chunks.
  ///
  /// They are read before the compaction begins, beside edits. Later changes stay in the log.
  package static func changes(of strip: StripRow, _ session: any SQLSession) throws -> LayoutChanges
  {
    try strip.changes(after: strip.layoutRevision, upTo: strip.revision, session).merged
  }

  /// Begins to compact a strip, in the caller's transaction.
  package init(of strip: StripRow, _ changes: LayoutChanges, _ session: any SQLSession) throws {
    self.strip = strip
    self.changes = changes
    generation = try session.nextNumber()
    try session.run(
      "INSERT INTO compaction (generation, strip, last_step) VALUES ($1, $2, $3)",
      [.integer(generation), .integer(strip.number), .integer(try session.clock())])
  }

  /// Merges some chunks into the new generation, in a transaction of its own.
  ///
  /// - Returns: whether there is more to do.
  /// - Complexity: O(`chunks` x 1000).
  package mutating func step(chunks count: Int, _ session: any SQLSession) throws -> Bool {
    guard try isCurrent(session) else {
      try discard(session)
      return false
    }
    var written: [LayoutChunk.Columns] = []
    let isAtEnd = try read(chunks: count, session, into: &written)
    guard isAtEnd else {
      try LayoutChunkStore(session: session, generation: generation).insert(written)
      return true
    }
    // No items are appended to a strip that is locked. Some may have been since the last statement.
    guard let row = try StripRow.lock(session, name: strip.name), try isCurrent(session) else {
      try discard(session)
      return false
    }
    while try !read(chunks: count, session, into: &written) {}
    while nextChange < changes.count { appendChange(to: &written) }
    append(chunk.columns, to: &written)
    try LayoutChunkStore(session: session, generation: generation).insert(written)
    try finish(row, session)
    return false
  }

  /// Deletes what this has written, unless it is finished or discarded: for a compaction that fails, or
  /// loses the race.
  func discard(_ session: any SQLSession) throws {
    let count = try session.run(
      "DELETE FROM compaction WHERE generation = $1", [.integer(generation)])
    if count > 0 { try Purge.add(generation: generation, session) }
  }

  /// Appends the items of the next chunks as the changes leave them.
  ///
  /// An import can have appended items to the last chunk after it was read. So that chunk is read again.
  ///
  /// - Returns: whether there were no more chunks.
  private mutating func read(
    chunks count: Int, _ session: any SQLSession, into written: inout [LayoutChunk.Columns]
  ) throws -> Bool {
    let old = LayoutChunkStore(session: session, generation: strip.generation)
    let next = position == .min ? position : position + 1
    let chunks = try old.chunks(from: next, limit: count + 1)
    for chunk in chunks where chunk.positions.count > 0 {
      let last = chunk.positions[chunk.positions.count - 1]
      guard last >= next else { continue }
      merge(chunk, from: chunk.positions.offset(notBefore: next), upTo: last, into: &written)
      position = last
    }
    return chunks.count <= count
  }

  /// Appends the items of a chunk from the offset `first` on, as the changes up to `last` leave them.
  private mutating func merge(
    _ stored: LayoutChunk, from first: Int, upTo last: Int64,
    into written: inout [LayoutChunk.Columns]
  ) {
    var next = first
    while nextChange < changes.count, changes[nextChange].position <= last {
      let position = changes[nextChange].position
      let offset = stored.positions.offset(notBefore: position)
      append(stored, next..<offset, to: &written)
      next = stored.positions[offset] == position ? offset + 1 : offset
      appendChange(to: &written)
    }
    append(stored, next..<stored.positions.count, to: &written)
  }

  private mutating func appendChange(to written: inout [LayoutChunk.Columns]) {
    let change = changes[nextChange]
    nextChange += 1
    guard let state = change.after else { return }
    chunk.append(state, at: change.position)
    endChunkIfFull(&written)
  }

  private mutating func append(
    _ stored: LayoutChunk, _ items: Range<Int>, to written: inout [LayoutChunk.Columns]
  ) {
    var rest = items
    while !rest.isEmpty {
      let part = rest.prefix(LayoutChunk.capacity - chunk.count)
      chunk.append(stored, part)
      endChunkIfFull(&written)
      rest = rest.dropFirst(part.count)
    }
  }

  private mutating func endChunkIfFull(_ written: inout [LayoutChunk.Columns]) {
    guard chunk.count == LayoutChunk.capacity else { return }
    append(chunk.columns, to: &written)
    chunk = LayoutChunk.Builder()
  }

  private func append(
    _ columns: LayoutChunk.Columns?, to written: inout [LayoutChunk.Columns]
  ) {
    if let columns { written.append(columns) }
  }

  /// Makes the new generation current, with the strip locked.
  private func finish(_ row: StripRow, _ session: any SQLSession) throws {
    var row = row
    row.generation = generation
    row.layoutRevision = max(row.layoutRevision, strip.revision)
    row.uncompactedChanges -= strip.uncompactedChanges
    // No server has stored newer columns since the last compaction. They must not keep the log for ever.
    if let columns = row.columns, columns.revision < strip.layoutRevision {
      try row.dropColumns(session)
    }
    try row.store(session)
    try session.run("DELETE FROM compaction WHERE generation = $1", [.integer(generation)])
    try Purge.add(generation: strip.generation, session)
    try RevisionWriter.deleteLog(of: row, session)
  }

  /// Whether the strip has the generation that this began from, and no process has discarded this one.
  /// Until the transaction ends, none does.
  private func isCurrent(_ session: any SQLSession) throws -> Bool {
    try session.run(
      """
      UPDATE compaction SET last_step = $1 WHERE generation = $2 AND EXISTS (
        SELECT 1 FROM strip WHERE strip.number = $3 AND strip.generation = $4)
      """,
      [
        .integer(try session.clock()), .integer(generation), .integer(strip.number),
        .integer(strip.generation),
      ]) == 1
  }

  /// Whether a process compacts the strip, or stores its columns, now. Two at once are no fault, but twice the work.
  static func isUnderWay(_ row: StripRow, _ session: any SQLSession) throws -> Bool {
    try session.first(
      "SELECT count(*) FROM compaction WHERE strip = $1", [.integer(row.number)]
    ) { try $0.integer(0) } ?? 0 > 0
  }

  /// In microseconds. A step takes milliseconds, or seconds if it waits for a lock.
  private static let longestStep: Int64 = 30_000_000

  /// Discards generations that a process has left behind: those without a step for so long.
  static func discardAbandoned(_ session: any SQLSession) throws {
    let generations = try session.map(
      "DELETE FROM compaction WHERE last_step < $1 RETURNING generation",
      [.integer(try session.clock() - longestStep)]
    ) { try $0.integer(0) }
    for generation in generations { try Purge.add(generation: generation, session) }
  }
}
