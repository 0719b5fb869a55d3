import Catalogue
import Items
import Views
import Windowing

/// Appends items to a strip, and their geometry.
struct BulkLoader {
  private let session: any SQLSession
  private let bulk: any SQLBulkWriter
  private let strip: StripRow
  private let revision: Int64
  private var kinds: KindTable
  private var chunk = GeometryChunk.Builder()
  private var added = StripTotals()
  private var sortKey: Int64
  /// The sort key of the first item that is written.
  let appendedFrom: Int64

  /// - Parameters:
  ///   - bulk: has no buffered rows of this strip.
  ///   - revision: the revision that writes the items.
  init(
    _ session: any SQLSession, _ bulk: any SQLBulkWriter, strip: StripRow, at revision: Int64
  ) throws {
    self.session = session
    self.bulk = bulk
    self.strip = strip
    self.revision = revision
    kinds = KindTable(names: strip.kinds)
    sortKey = strip.lastSortKey + SortKeyAllocator.step
    appendedFrom = sortKey
    try bulk.begin(strip: strip.number, count: strip.totals.count)
    try reopenLastChunk()
  }

  /// - Throws: `.invalid` for an id that the strip has, or a 65th kind. Then nothing is written.
  mutating func append(_ item: Item) throws {
    var kinds = kinds
    let kind = try kinds.number(of: item.kind) {
      strip.totals.kinds[$0] + added.kinds[$0] == 0
    }
    let row = ItemRow(
      item, kind: kind, strip: strip.number, sortKey: sortKey, firstRevision: revision)
    guard try bulk.insert(row) else { throw CatalogueError.idExists(item.id) }
    self.kinds = kinds
    let state = GeometryChange.State(item, kind: kind)
    added.add(state.item)
    chunk.append(state, at: sortKey)
    sortKey += SortKeyAllocator.step
    if chunk.count == GeometryChunk.capacity { try closeChunk() }
  }

  /// The caller stores the row.
  mutating func finish(_ row: inout StripRow) throws {
    try closeChunk()
    bulk.end(strip: strip.number)
    row.kinds = kinds.names
    row.totals += added
    row.lastSortKey = sortKey - SortKeyAllocator.step
  }

  private mutating func closeChunk() throws {
    if let columns = chunk.columns { try bulk.insert(columns, generation: strip.generation) }
    chunk = GeometryChunk.Builder()
  }

  /// Continues the last chunk if it has room, so that small imports do not make small chunks.
  private mutating func reopenLastChunk() throws {
    guard strip.lastSortKey > 0 else { return }
    let store = GeometryChunkStore(session, of: strip)
    guard let last = try store.chunk(upTo: .max), last.sortKeys.count < GeometryChunk.capacity
    else {
      return
    }
    chunk = GeometryChunk.Builder(last)
    try store.delete(at: last.sortKeys.first)
  }
}
