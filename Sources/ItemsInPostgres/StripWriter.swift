import Catalogue
import Windowing

/// Writes the items of one strip, in order, and with them its layout, in the transaction that the
/// caller has begun.
struct StripWriter {
  private let session: Session
  private let rows: RowBuffer
  private let strip: StripRow
  private let revision: Int64
  private var kinds: KindTable
  private var ids: WrittenIds
  private var chunk = LayoutChunk()
  /// The position of the next item.
  private var position: Int64
  /// Where the first item goes that is written.
  let tail: Int64

  /// The sums over the items that were written.
  private(set) var added = StripTotals()

  /// Writes behind the items that the strip has.
  ///
  /// - Parameter rows: where the rows go, with none of this strip in it.
  /// - Precondition: Its layout is folded.
  init(_ session: Session, _ rows: RowBuffer, strip: StripRow, revision: Int64) throws {
    self.session = session
    self.rows = rows
    self.strip = strip
    self.revision = revision
    kinds = KindTable(names: strip.kinds)
    ids = WrittenIds(session, of: strip)
    guard strip.totals.count > 0 else {
      (position, tail) = (PositionAllocator.step, PositionAllocator.step)
      return
    }
    let last =
      try session.run(
        "SELECT max(position) FROM item WHERE strip = $1", [.integer(strip.number)]
      ).first { try $0.optionalInteger(0) } ?? nil
    position = (last ?? 0) + PositionAllocator.step
    tail = position
    try takeUpLastChunk()
  }

  /// The names of all kinds by now, by number.
  var kindNames: [String] { kinds.names }

  /// - Throws: `.invalid` for an id that is there already or a 65th kind; nothing is written then.
  mutating func add(_ item: Item) throws {
    if try ids.mayHold(item.id) {
      try rows.send()
      guard try !ids.holds(item.id) else {
        throw CatalogueError.invalid("id: \"\(item.id)\" is there already")
      }
    }
    let kind = try kinds.number(of: item.kind) {
      strip.totals.kinds[$0] + added.kinds[$0] == 0
    }
    ids.add(item.id)
    try rows.add(item, kind: kind, to: strip.number, at: position, since: revision)
    let state = LayoutChange.State(item, kind: kind)
    added.add(state.item)
    chunk.append(state, at: position)
    position += PositionAllocator.step
    if chunk.count == LayoutChunk.capacity { finishChunk() }
  }

  /// Hands over what is still held back; the caller has the rows sent.
  mutating func finish() throws {
    finishChunk()
    for number in try session.newKinds(kinds.names, of: strip) {
      rows.addKind(kinds.names[number], number: number, to: strip.number)
    }
  }

  private mutating func finishChunk() {
    if let made = chunk.row { rows.add(made, to: strip.number) }
    chunk = LayoutChunk()
  }

  /// Takes the last chunk of the layout out of the table when it has room, so that many small
  /// imports do not make many small chunks.
  private mutating func takeUpLastChunk() throws {
    let chunks = Chunks(session: session, strip: strip.number)
    guard let last = try chunks.chunk(holding: .max), last.place.count < LayoutChunk.capacity
    else { return }
    for (position, (item, group)) in zip(last.place.positions, zip(last.sizes, last.groups)) {
      chunk.append(LayoutChange.State(item, group: group), at: position)
    }
    try chunks.delete(at: [last.place.first])
  }
}
