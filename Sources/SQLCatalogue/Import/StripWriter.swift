import Catalogue
import Windowing

/// Writes items after those of a strip, in order, and with them its layout.
///
///     var writer = try StripWriter(session, bulk, strip: row, at: revision)
///     for item in items { try writer.append(item) }
///     try writer.finish(&row)
struct StripWriter {
  private let session: any SQLSession
  private let bulk: any SQLBulkWriter
  private let strip: StripRow
  private let revision: Int64
  private var kinds: KindTable
  private var chunk = LayoutChunk.Builder()
  private var added = StripTotals()
  /// The position of the next item.
  private var position: Int64
  /// The position of the first item that is written.
  let appendedFrom: Int64

  /// - Parameters:
  ///   - bulk: buffers no rows of this strip.
  ///   - revision: the one that brings the items.
  init(
    _ session: any SQLSession, _ bulk: any SQLBulkWriter, strip: StripRow, at revision: Int64
  ) throws {
    self.session = session
    self.bulk = bulk
    self.strip = strip
    self.revision = revision
    kinds = KindTable(names: strip.kinds)
    position = strip.lastPosition + PositionAllocator.step
    appendedFrom = position
    try bulk.begin(strip: strip.number, count: strip.totals.count)
    try reopenLastChunk()
  }

  /// - Throws: `.invalid` for an id that the strip has, or a 65th kind; nothing is written then.
  mutating func append(_ item: Item) throws {
    var kinds = kinds
    let kind = try kinds.number(of: item.kind) {
      strip.totals.kinds[$0] + added.kinds[$0] == 0
    }
    let row = ItemRow(
      item, kind: kind, strip: strip.number, position: position, firstRevision: revision)
    guard try bulk.insert(row) else { throw CatalogueError.idExists(item.id) }
    self.kinds = kinds
    let state = LayoutChange.State(item, kind: kind)
    added.add(state.item)
    chunk.append(state, at: position)
    position += PositionAllocator.step
    if chunk.count == LayoutChunk.capacity { try closeChunk() }
  }

  /// Writes the last chunk, and updates the strip's row in memory. The caller stores the row.
  mutating func finish(_ row: inout StripRow) throws {
    try closeChunk()
    bulk.end(strip: strip.number)
    row.kinds = kinds.names
    row.totals += added
    row.lastPosition = position - PositionAllocator.step
  }

  private mutating func closeChunk() throws {
    if let columns = chunk.columns { try bulk.insert(columns, generation: strip.generation) }
    chunk = LayoutChunk.Builder()
  }

  /// Continues the last chunk if it has room, so that many small imports do not make many small chunks.
  private mutating func reopenLastChunk() throws {
    guard strip.lastPosition > 0 else { return }
    let store = LayoutChunkStore(session, of: strip)
    guard let last = try store.chunk(upTo: .max), last.positions.count < LayoutChunk.capacity else {
      return
    }
    chunk = LayoutChunk.Builder(last)
    try store.delete(at: last.positions.first)
  }
}

extension CatalogueError {
  /// An id that comes a second time in a strip.
  static func idExists(_ id: String) -> CatalogueError {
    .invalid("id: \"\(id)\" exists already")
  }
}
