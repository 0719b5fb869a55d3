package import Catalogue
import Views

/// Writes a new generation of a strip's geometry, a few chunks at a time: the chunks of the current generation with the
/// changes that were logged since.
///
/// During a compaction, edits append to the change log, and imports append items to the old generation. Both are copied too. A
/// last short transaction makes the new generation current. If another process has replaced the old one, this process
/// discards its own.
package struct GeometryCompaction {
  private let strip: StripRow
  private let changes: GeometryChanges
  private let lease: CompactionLease
  /// The first change that is not merged yet.
  private var nextChange = 0
  private var sortKey = Int64.min
  private var chunk = GeometryChunk.Builder()
  /// Chunks to insert.
  private var full: [GeometryChunk.Columns] = []

  /// Whether a tenth of the time to load the strip would go to its change log.
  static func isDue(_ row: StripRow) -> Bool {
    row.uncompactedChanges > max(1000, row.totals.count / 100)
  }

  /// Read before the compaction begins. Later changes stay in the change log.
  package static func changes(
    of strip: StripRow, _ session: any SQLSession
  ) throws -> GeometryChanges {
    try strip.changes(after: strip.layoutRevision, session).merged
  }

  package init(of strip: StripRow, _ changes: GeometryChanges, _ session: any SQLSession) throws {
    self.strip = strip
    self.changes = changes
    lease = try CompactionLease(of: strip.number, session)
  }

  /// Merges some chunks into the new generation, in a transaction of its own.
  ///
  /// - Returns: whether there is more to do.
  /// - Complexity: O(`chunks` x 1000).
  package mutating func step(chunks count: Int, _ session: any SQLSession) throws -> Bool {
    guard try lease.renew(session) else { return false }
    guard try read(chunks: count, session) else {
      try insert(session)
      return true
    }
    // While the strip is locked, no items are appended. Reads the items that were appended before the lock.
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

  func discard(_ session: any SQLSession) throws { try lease.discard(session) }

  /// Copies the next chunks, with the logged changes applied. It reads the last chunk again, because an import can have
  /// appended items to this chunk.
  ///
  /// - Returns: whether there were no more chunks.
  private mutating func read(chunks count: Int, _ session: any SQLSession) throws -> Bool {
    let old = GeometryChunkStore(session, of: strip)
    let next = sortKey == .min ? sortKey : sortKey + 1
    let chunks = try old.chunks(from: next, limit: count + 1)
    for chunk in chunks where chunk.sortKeys.count > 0 {
      let last = chunk.sortKeys[chunk.sortKeys.count - 1]
      guard last >= next else { continue }
      merge(chunk, from: chunk.sortKeys.offset(notBefore: next), upTo: last)
      sortKey = last
    }
    return chunks.count <= count
  }

  /// Copies the items of a chunk from the offset `first` on, with the changes up to `last`.
  private mutating func merge(_ stored: GeometryChunk, from first: Int, upTo last: Int64) {
    var next = first
    while nextChange < changes.count, changes[nextChange].sortKey <= last {
      let sortKey = changes[nextChange].sortKey
      let offset = stored.sortKeys.offset(notBefore: sortKey)
      append(stored, next..<offset)
      next = stored.sortKeys[offset] == sortKey ? offset + 1 : offset
      appendChange()
    }
    append(stored, next..<stored.sortKeys.count)
  }

  private mutating func appendChange() {
    let change = changes[nextChange]
    nextChange += 1
    guard let state = change.after else { return }
    chunk.append(state, at: change.sortKey)
    if chunk.count == GeometryChunk.capacity { endChunk() }
  }

  private mutating func append(_ stored: GeometryChunk, _ items: Range<Int>) {
    var rest = items
    while !rest.isEmpty {
      let part = rest.prefix(GeometryChunk.capacity - chunk.count)
      chunk.append(stored, part)
      if chunk.count == GeometryChunk.capacity { endChunk() }
      rest = rest.dropFirst(part.count)
    }
  }

  private mutating func endChunk() {
    if let columns = chunk.columns { full.append(columns) }
    chunk = GeometryChunk.Builder()
  }

  private mutating func insert(_ session: any SQLSession) throws {
    try GeometryChunkStore(session, of: strip, generation: lease.generation).insert(full)
    full = []
  }

  /// Makes the new generation current. The strip is locked.
  private func finish(_ row: StripRow, _ session: any SQLSession) throws {
    var row = row
    row.generation = lease.generation
    row.layoutRevision = max(row.layoutRevision, strip.revision)
    row.uncompactedChanges -= strip.uncompactedChanges
    try row.store(session)
    _ = try lease.end(session)
    try DeletionQueue.add(generation: strip.generation, session)
    try RevisionWriter.deleteLog(of: row, session)
  }
}
