package import Catalogue

/// Writes a new generation of a strip's layout, a few chunks at a time: the chunks of the current generation with the
/// changes that were logged since.
///
/// Edits go on, and append to the log. Imports go on, and append items to the old generation: the compaction copies
/// them too. One short transaction then makes the new generation current, and drops the old one and its log. A
/// compaction that finds another generation current discards its own. So two processes never mix their chunks.
package struct LayoutCompaction {
  private let strip: StripRow
  private let changes: LayoutChanges
  private let generation: UnfinishedGeneration
  /// The first change that is not merged yet.
  private var nextChange = 0
  /// The position of the last item that was read.
  private var position = Int64.min
  private var chunk = LayoutChunk.Builder()
  /// Full chunks that are not inserted yet.
  private var full: [LayoutChunk.Columns] = []

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
    try strip.changes(after: strip.layoutRevision, session).merged
  }

  /// Begins to compact a strip, in the caller's transaction.
  package init(of strip: StripRow, _ changes: LayoutChanges, _ session: any SQLSession) throws {
    self.strip = strip
    self.changes = changes
    generation = try UnfinishedGeneration(of: strip.number, session)
  }

  /// Merges some chunks into the new generation, in a transaction of its own.
  ///
  /// - Returns: whether there is more to do.
  /// - Complexity: O(`chunks` x 1000).
  package mutating func step(chunks count: Int, _ session: any SQLSession) throws -> Bool {
    guard try generation.step(session) else { return false }
    guard try read(chunks: count, session) else {
      try insert(session)
      return true
    }
    // No items are appended to a strip that is locked. Some may have been since the last statement.
    guard let row = try StripRow.lock(session, name: strip.name),
      (row.number, row.generation) == (strip.number, strip.generation)
    else {
      try discard(session)
      return false
    }
    while try !read(chunks: count, session) {}
    while nextChange < changes.count { appendChange() }
    endChunk()
    try insert(session)
    try finish(row, session)
    return false
  }

  /// Deletes what this has written, unless it is finished or discarded.
  func discard(_ session: any SQLSession) throws { try generation.discard(session) }

  /// Appends the items of the next chunks as the changes leave them.
  ///
  /// An import can have appended items to the last chunk after it was read. So that chunk is read again.
  ///
  /// - Returns: whether there were no more chunks.
  private mutating func read(chunks count: Int, _ session: any SQLSession) throws -> Bool {
    let old = LayoutChunkStore(session, of: strip)
    let next = position == .min ? position : position + 1
    let chunks = try old.chunks(from: next, limit: count + 1)
    for chunk in chunks where chunk.positions.count > 0 {
      let last = chunk.positions[chunk.positions.count - 1]
      guard last >= next else { continue }
      merge(chunk, from: chunk.positions.offset(notBefore: next), upTo: last)
      position = last
    }
    return chunks.count <= count
  }

  /// Appends the items of a chunk from the offset `first` on, as the changes up to `last` leave them.
  private mutating func merge(_ stored: LayoutChunk, from first: Int, upTo last: Int64) {
    var next = first
    while nextChange < changes.count, changes[nextChange].position <= last {
      let position = changes[nextChange].position
      let offset = stored.positions.offset(notBefore: position)
      append(stored, next..<offset)
      next = stored.positions[offset] == position ? offset + 1 : offset
      appendChange()
    }
    append(stored, next..<stored.positions.count)
  }

  private mutating func appendChange() {
    let change = changes[nextChange]
    nextChange += 1
    guard let state = change.after else { return }
    chunk.append(state, at: change.position)
    if chunk.count == LayoutChunk.capacity { endChunk() }
  }

  private mutating func append(_ stored: LayoutChunk, _ items: Range<Int>) {
    var rest = items
    while !rest.isEmpty {
      let part = rest.prefix(LayoutChunk.capacity - chunk.count)
      chunk.append(stored, part)
      if chunk.count == LayoutChunk.capacity { endChunk() }
      rest = rest.dropFirst(part.count)
    }
  }

  private mutating func endChunk() {
    if let columns = chunk.columns { full.append(columns) }
    chunk = LayoutChunk.Builder()
  }

  private mutating func insert(_ session: any SQLSession) throws {
    try LayoutChunkStore(session, of: strip, generation: generation.number).insert(full)
    full = []
  }

  /// Makes the new generation current, with the strip locked.
  private func finish(_ row: StripRow, _ session: any SQLSession) throws {
    var row = row
    row.generation = generation.number
    row.layoutRevision = max(row.layoutRevision, strip.revision)
    row.uncompactedChanges -= strip.uncompactedChanges
    // No server has stored newer columns since the last compaction. They must not keep the log for ever.
    if let columns = row.columns, columns.revision < strip.layoutRevision {
      try row.dropColumns(session)
    }
    try row.store(session)
    _ = try generation.finish(session)
    try Purge.add(generation: strip.generation, session)
    try RevisionWriter.deleteLog(of: row, session)
  }
}
