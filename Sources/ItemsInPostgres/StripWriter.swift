import Items
import Windowing

/// Writes the items of one strip, in order, and with them its layout: copied in pieces, in the
/// transaction that the caller has begun.
struct StripWriter {
  private let session: Session
  private let strip: StripRow
  private let revision: Int64
  private var kinds: KindTable
  private var ids: WrittenIds
  private var chunk = LayoutChunk()
  private var items = Copying()
  private var layout = Copying()
  /// The position of the next item.
  private var position: Int64
  /// Where the first item goes that is written.
  let tail: Int64

  /// Bytes that are gathered before they are sent.
  private static let pieceSize = 1 << 20

  /// The sums over the items that were written.
  private(set) var added = StripTotals()

  /// Writes behind the items that the strip has.
  ///
  /// - Precondition: Its layout is folded.
  init(_ session: Session, strip: StripRow, revision: Int64) throws {
    self.session = session
    self.strip = strip
    self.revision = revision
    kinds = KindTable(names: strip.kinds)
    ids = WrittenIds(session, of: strip)
    guard strip.totals.count > 0 else {
      (position, tail) = (Spacing.step, Spacing.step)
      return
    }
    let last =
      try session.run(
        "SELECT max(position) FROM item WHERE strip = $1", [.integer(strip.number)]
      ).first { try $0.optionalInteger(0) } ?? nil
    position = (last ?? 0) + Spacing.step
    tail = position
    try takeUpLastChunk()
  }

  /// The names of all kinds by now, by number.
  var kindNames: [String] { kinds.names }

  /// - Throws: `.invalid` for an id that is there already or a 65th kind; nothing is written then.
  mutating func add(_ item: Item) throws {
    if try ids.mayHold(item.id) {
      try send()
      guard try !ids.holds(item.id) else {
        throw CatalogueError.invalid("id: \"\(item.id)\" is there already")
      }
    }
    let kind = try kinds.number(of: item.kind)
    ids.add(item.id)
    items.add(9) { row in
      row.field(strip.number)
      row.field(position)
      row.field(revision)
      row.field(Int16(kind))
      if let aspect = item.aspect { row.field(Int32(aspect.units)) } else { row.noField() }
      if let width = item.width { row.field(Int32(width.units)) } else { row.noField() }
      row.field(item.id.utf8)
      if let group = item.group { row.field(group.utf8) } else { row.noField() }
      row.field(item.fields.json)
    }
    let state = LayoutChange.State(item, kind: kind)
    added.add(state.item)
    chunk.append(state, at: position)
    position += Spacing.step
    if chunk.count == LayoutChunk.capacity { finishChunk() }
    if items.bytes.count > Self.pieceSize { try send() }
  }

  /// Writes what is still held back.
  mutating func finish() throws {
    finishChunk()
    try send()
    try session.add(kinds.names[strip.kinds.count...], to: strip)
  }

  private mutating func send() throws {
    try session.copy(
      items,
      """
      COPY item (strip, position, since, kind, aspect, width, id, "group", fields)
      FROM STDIN (FORMAT binary)
      """)
    try session.copy(
      layout,
      "COPY layout (strip, position, count, step, sizes, groups, positions) FROM STDIN (FORMAT binary)"
    )
    items.removeAll()
    layout.removeAll()
  }

  private mutating func finishChunk() {
    guard let made = chunk.row else { return }
    layout.add(7) { row in
      row.field(strip.number)
      row.field(made.position)
      row.field(Int32(made.count))
      row.field(made.step)
      row.field(made.sizes)
      if let groups = made.groups { row.field(groups) } else { row.noField() }
      if let positions = made.positions { row.field(positions) } else { row.noField() }
    }
    chunk = LayoutChunk()
  }

  /// Takes the last chunk of the layout out of the table when it has room, so that many small
  /// imports do not make many small chunks.
  private mutating func takeUpLastChunk() throws {
    let chunks = Chunks(session: session, strip: strip.number)
    guard let last = try chunks.chunk(holding: .max), last.place.count < LayoutChunk.capacity
    else { return }
    for (position, (item, group)) in zip(last.place.positions, zip(last.packed, last.groups)) {
      chunk.append(LayoutChange.State(item, group: group), at: position)
    }
    try chunks.delete(at: last.place.first)
  }
}
