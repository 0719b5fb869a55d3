import Catalogue
import Windowing

/// Changes to the rows of one strip within a transaction, many with each statement: what they take
/// out goes to the past, and what becomes of the layout is noted.
struct RowChanges {
  private let session: Session
  private let strip: StripRow
  private var kinds: KindTable
  /// How many items of each kind there are, once all that were admitted are there.
  private var counts: [Int]
  private var succession: RevisionWriter
  /// What became of the positions that were touched.
  private var layout = LayoutDifference()

  init(_ session: Session, of strip: StripRow, _ succession: RevisionWriter) {
    self.session = session
    self.strip = strip
    self.succession = succession
    kinds = KindTable(names: strip.kinds)
    counts = strip.totals.kinds
  }

  /// The names of the strip's kinds by now, by number.
  var kindNames: [String] { kinds.names }

  /// How many positions were touched.
  var count: Int { layout.changes.count }

  /// By how much the sums over the strip's items have changed.
  var difference: StripTotals { layout.totals }

  /// Prepares for an item, or none, that is to be put in the place of another, or of none.
  ///
  /// - Throws: `.invalid` for an item of a 65th kind.
  mutating func admit(_ item: Item?, inPlaceOf former: Item?) throws {
    if let former { counts[try number(of: former.kind)] -= 1 }
    if let item { counts[try number(of: item.kind)] += 1 }
  }

  /// Whether an item of this kind can be admitted in the place of another now.
  func hasRoom(for kind: String, inPlaceOf former: Item) -> Bool {
    kinds.hasRoom(for: kind) { counts[$0] == (kinds.names[$0] == former.kind ? 1 : 0) }
  }

  /// The items at some positions, by their positions.
  func items(at positions: [Int64]) throws -> [Int64: Item] {
    try session.items(at: positions, in: strip, kinds: kinds.names)
  }

  /// Takes out the items at some positions.
  ///
  /// - Returns: the items, by their positions.
  mutating func take(_ positions: [Int64]) throws -> [Int64: Item] {
    let gone = try succession.supersede(positions, kinds: kinds.names)
    for (position, item) in gone { layout.note(position, from: try state(of: item), to: nil) }
    return Dictionary(uniqueKeysWithValues: gone.map { ($0.position, $0.item) })
  }

  /// Puts items where none are, which were admitted.
  mutating func put(_ items: [(position: Int64, item: Item)]) throws {
    guard !items.isEmpty else { return }
    let states = try items.map { try state(of: $0.item) }
    for ((position, _), state) in zip(items, states) { layout.note(position, from: nil, to: state) }
    try session.run(
      """
      INSERT INTO item (strip, since, position, id, kind, aspect, width, "group", fields)
      SELECT $1, $2, position, id, kind, aspect, width, "group", convert_from(fields, 'UTF8')::json
      FROM unnest($3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[],
        $9::bytea[]) AS new (position, id, kind, aspect, width, "group", fields)
      """,
      [
        .integer(strip.number), .integer(succession.revision), .integers(items.map(\.position)),
        .texts(items.map(\.item.id)),
        .integers(try items.map { Int64(try number(of: $0.item.kind)) }),
        .integers(items.map { $0.item.aspect.map { Int64($0.units) } }),
        .integers(items.map { $0.item.width?.units }), .texts(items.map(\.item.group)),
        .byteStrings(items.map(\.item.fields.json)),
      ])
  }

  /// Keeps what became of the layout, and gives the step that is to be the next revision.
  mutating func finish() throws -> RevisionWriter {
    try session.write(kinds.names, to: strip)
    try succession.keep(layout.step)
    return succession
  }

  private mutating func state(of item: Item) throws -> LayoutChange.State {
    LayoutChange.State(item, kind: try number(of: item.kind))
  }

  private mutating func number(of kind: String) throws -> Int {
    try kinds.number(of: kind) { counts[$0] == 0 }
  }
}
