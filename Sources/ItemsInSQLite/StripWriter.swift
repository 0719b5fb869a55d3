import Catalogue
import Foundation
import GRDB
import Windowing

/// Writes the items of one strip, in order, and with them its layout.
///
///     var writer = try StripWriter(db, strip: row)
///     for item in items { try writer.add(item) }
///     try writer.finish()
///     row.totals += writer.added
///
/// Both are written here and nowhere else, in one transaction, so that they cannot differ.
struct StripWriter {
  private let db: Database
  private let strip: Int64
  private let insertion: ItemInsertion
  /// The sums over the items that were added.
  private(set) var added = StripTotals()
  private var kinds: StoredKinds
  /// How many items of each kind there were before.
  private let formerCounts: [Int]
  /// Where the first item goes that is written.
  let tail: Int64
  private var chunk = LayoutChunk()
  /// The position of the next item.
  private var position: Int64

  /// Writes behind the items that the strip has.
  ///
  /// - Precondition: Its layout is folded.
  init(_ db: Database, strip: StripRow) throws {
    self.db = db
    self.strip = strip.number
    kinds = try StoredKinds(db, of: strip)
    formerCounts = strip.totals.kinds
    insertion = try ItemInsertion(db)
    let last = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT max(position) FROM item WHERE strip = ?"),
      arguments: [strip.number])
    position = (last ?? 0) + PositionAllocator.step
    tail = position
    try takeUpLastChunk()
  }

  /// - Throws: `.invalid` for an id that is there already or a 65th kind; nothing is written then.
  mutating func add(_ item: Item) throws {
    let kind = try kinds.number(of: item.kind) { formerCounts[$0] + added.kinds[$0] == 0 }
    do {
      try insertion.insert(item, at: position, kind: kind, strip: strip)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      guard error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE else { throw error }
      throw CatalogueError.invalid("id: \"\(item.id)\" is there already")
    }
    let packed = StoredSize(aspect: item.aspect, width: item.width, kind: kind)
    added.add(packed)
    chunk.append(LayoutChange.State(packed, group: item.group), at: position)
    position += PositionAllocator.step
    if chunk.count == LayoutChunk.capacity { try finish() }
  }

  /// Writes what is still held back of the layout.
  mutating func finish() throws {
    try LayoutRows(db, strip: strip).insert(chunk)
    chunk = LayoutChunk()
  }

  /// Takes the last chunk of the layout out of the table when it has room, so that many small
  /// imports do not make many small chunks.
  private mutating func takeUpLastChunk() throws {
    let rows = LayoutRows(db, strip: strip)
    guard let last = try rows.chunk(upTo: .max), last.place.count < LayoutChunk.capacity else {
      return
    }
    chunk = LayoutChunk(last)
    try rows.delete(last)
  }
}
