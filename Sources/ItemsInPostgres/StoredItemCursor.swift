import Catalogue

/// The items that a strip has, in order, for as long as those that come are the same.
///
/// - Complexity: O(1) an item, and a statement for a thousand; so many are held, and ten bytes for each
///   that has come.
struct StoredItemCursor: FormerItems {
  private let session: Session
  private let strip: StripRow
  private var read: ArraySlice<Item> = []
  /// Of the last item that was read.
  private var position = Int64.min
  private var hasReadAll = false
  /// How many have come.
  private(set) var count = 0
  /// The ids of those.
  private(set) var seen = SeenIds()
  /// Their kinds.
  private(set) var seenKinds = KindTable()

  /// So many are read at once.
  private static let batchSize = 1000

  /// - Parameter strip: as it is, locked.
  init(_ session: Session, of strip: StripRow) throws {
    self.session = session
    self.strip = strip
    try readOn()
  }

  var isAtEnd: Bool { read.isEmpty }

  mutating func passes(_ item: Item) throws -> Bool {
    guard item == read.first else { return false }
    count += 1
    seen.add(item.id)
    _ = try seenKinds.number(of: item.kind)
    read.removeFirst()
    if read.isEmpty { try readOn() }
    return true
  }

  private mutating func readOn() throws {
    guard !hasReadAll else { return }
    let rows = try session.run(
      """
      SELECT position, id, fields, kind, aspect, width, "group" FROM item
      WHERE strip = $1 AND position > $2 ORDER BY position LIMIT $3
      """, [.integer(strip.number), .integer(position), .integer(Int64(Self.batchSize))]
    ).map {
      (position: try StoredItem.position($0), item: try StoredItem.item($0, kinds: strip.kinds))
    }
    position = rows.last?.position ?? position
    hasReadAll = rows.count < Self.batchSize
    read = rows.map(\.item)[...]
  }
}
