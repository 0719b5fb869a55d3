import Catalogue
import Windowing

/// Rows of items, kinds and layouts on their way into their tables, of whatever strips: sent
/// together, so that a row of many small strips takes no longer than one of a long strip.
final class RowBuffer {
  private let session: Session
  private var items = Copying()
  private var kinds = Copying()
  private var layout: [(strip: Int64, row: LayoutRow)] = []

  /// Bytes that are gathered before they are sent.
  private static let pieceSize = 1 << 20

  init(_ session: Session) { self.session = session }

  /// - Parameter since: the revision that brings the item.
  func add(_ item: Item, kind: Int, to strip: Int64, at position: Int64, since: Int64) throws {
    items.add(9) { row in
      row.field(strip)
      row.field(position)
      row.field(since)
      row.field(Int16(kind))
      if let aspect = item.aspect { row.field(Int32(aspect.units)) } else { row.noField() }
      if let width = item.width { row.field(Int32(width.units)) } else { row.noField() }
      row.field(item.id.utf8)
      if let group = item.group { row.field(group.utf8) } else { row.noField() }
      row.field(item.fields.json)
    }
    if items.bytes.count > Self.pieceSize { try send() }
  }

  func add(_ chunk: LayoutRow, to strip: Int64) { layout.append((strip, chunk)) }

  func addKind(_ name: String, number: Int, to strip: Int64) {
    kinds.add(3) { row in
      row.field(strip)
      row.field(Int16(number))
      row.field(name.utf8)
    }
  }

  /// Writes all that is held back.
  func send() throws {
    try session.copy(
      &items,
      """
      COPY item (strip, position, since, kind, aspect, width, id, "group", fields)
      FROM STDIN (FORMAT binary)
      """)
    try session.copy(&kinds, "COPY kind (strip, number, name) FROM STDIN (FORMAT binary)")
    try session.insert(layout)
    layout = []
  }
}
