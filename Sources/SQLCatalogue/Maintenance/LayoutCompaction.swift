import Catalogue

/// Writes a new generation of a strip's layout, which holds what the log holds behind the current one.
///
///     generation 4   ████ ████ ████ ████      chunks at revision 900
///     log                               901 902 ... 1900
///     generation 5   ████ ████ ██..           written a few chunks at a time, beside edits
///
/// One short transaction makes the new generation current, and drops the old one and its log. Edits
/// continue: they append to the log. A compaction that finds another generation current, or items
/// appended to the old one, discards its own. So two processes can never mix their chunks.
struct LayoutCompaction {
  private let strip: StripRow
  private let changes: LayoutChanges
  private let generation: Int64
  /// The first change that is not merged yet.
  private var nextChange = 0
  /// The first position of the last chunk that was read.
  private var position = Int64.min
  private var chunk = LayoutChunk.Builder()

  /// A log of so many changed items is compacted: a server that loads the strip applies them in a tenth of
  /// the time that it takes to read the layout.
  static func isDue(_ row: StripRow) -> Bool { row.pending > max(1000, row.totals.count / 100) }

  /// The changes that a compaction of the strip merges into its chunks.
  ///
  /// They are read before the compaction begins, beside edits. What is committed later stays in the log.
  static func changes(of strip: StripRow, _ session: any SQLSession) throws -> LayoutChanges {
    try strip.changes(after: strip.layoutRevision, upTo: strip.revision, session).merged
  }

  /// Begins to compact a strip, in the caller's transaction.
  init(of strip: StripRow, _ changes: LayoutChanges, _ session: any SQLSession) throws {
    self.strip = strip
    self.changes = changes
    generation = try session.nextNumber()
    try session.run(
      "INSERT INTO compaction (generation, strip, begun) VALUES ($1, $2, $3)",
      [.integer(generation), .integer(strip.number), .integer(try session.clock())])
  }

  /// Merges some chunks into the new generation, in a transaction of its own.
  ///
  /// - Returns: whether there is more to do.
  /// - Complexity: O(`chunks` x 1000).
  mutating func step(chunks count: Int, _ session: any SQLSession) throws -> Bool {
    guard try isCurrent(session) else {
      try discard(session)
      return false
    }
    let old = LayoutChunkStore(session: session, generation: strip.generation)
    let read = try old.chunks(behind: position, limit: count + 1)
    var written: [LayoutChunk.Columns] = []
    for (place, stored) in read.prefix(count).enumerated() {
      position = stored.place.first
      let end = place + 1 < read.count ? read[place + 1].place.first : .max
      merge(stored, before: end, into: &written)
    }
    let isAtEnd = read.count <= count
    if isAtEnd {
      merge(nil, before: .max, into: &written)
      append(chunk.columns, to: &written)
    }
    try LayoutChunkStore(session: session, generation: generation).insert(written)
    if isAtEnd { try finish(session) }
    return !isAtEnd
  }

  /// Deletes what this has written: for a compaction that lost the race.
  private func discard(_ session: any SQLSession) throws {
    try session.run(
      "DELETE FROM compaction WHERE generation = $1", [.integer(generation)])
    try Purge.add(generation: generation, session)
  }

  /// Appends the items of a chunk as the changes before `end` leave them.
  private mutating func merge(
    _ stored: LayoutChunk?, before end: Int64, into written: inout [LayoutChunk.Columns]
  ) {
    var next = 0
    while nextChange < changes.count, changes[nextChange].position < end {
      let change = changes[nextChange]
      if let stored {
        let place = stored.place.place(of: change.position)
        append(stored, next..<place, to: &written)
        let isStored = place < stored.place.count && stored.place[place] == change.position
        next = isStored ? place + 1 : place
      }
      if let state = change.after {
        chunk.append(state, at: change.position)
        endChunkIfFull(&written)
      }
      nextChange += 1
    }
    if let stored { append(stored, next..<stored.place.count, to: &written) }
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
  private func finish(_ session: any SQLSession) throws {
    guard var row = try StripRow.lock(session, name: strip.name), try isCurrent(session) else {
      return try discard(session)
    }
    let isAppended = try row.changes(after: strip.revision, upTo: row.revision, session).tail != nil
    guard !isAppended else { return try discard(session) }
    row.generation = generation
    row.layoutRevision = max(row.layoutRevision, strip.revision)
    row.pending -= strip.pending
    try row.store(session)
    try session.run("DELETE FROM compaction WHERE generation = $1", [.integer(generation)])
    try Purge.add(generation: strip.generation, session)
    try RevisionWriter.deleteLog(of: row, session)
  }

  /// Whether the strip has the generation that this began from, and nothing has deleted this one.
  private func isCurrent(_ session: any SQLSession) throws -> Bool {
    try session.first(
      """
      SELECT count(*) FROM strip, compaction
      WHERE strip.number = $1 AND strip.generation = $2 AND compaction.generation = $3
      """, [.integer(strip.number), .integer(strip.generation), .integer(generation)]
    ) { try $0.integer(0) } == 1
  }

  /// Whether a process compacts the strip now. Two at once are no fault, but twice the work.
  static func isUnderWay(_ row: StripRow, _ session: any SQLSession) throws -> Bool {
    try session.first(
      "SELECT count(*) FROM compaction WHERE strip = $1", [.integer(row.number)]
    ) { try $0.integer(0) } ?? 0 > 0
  }

  /// Discards compactions that a process has left behind: those begun over ten minutes ago.
  static func discardAbandoned(_ session: any SQLSession) throws {
    let end = try session.clock() - 600_000_000
    let generations = try session.map(
      "SELECT generation FROM compaction WHERE begun < $1", [.integer(end)]
    ) { try $0.integer(0) }
    for generation in generations {
      try session.run("DELETE FROM compaction WHERE generation = $1", [.integer(generation)])
      try Purge.add(generation: generation, session)
    }
  }
}
