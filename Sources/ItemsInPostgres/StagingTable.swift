import Catalogue

/// Items that wait to be put into a strip, each at a place: in a table that is gone with the
/// transaction, and made when the first of them comes.
final class StagingTable {
  private let session: Session
  private var hasTable = false
  private var isEmpty = true

  init(_ session: Session) { self.session = session }

  /// Adds items, each with its place.
  func add(_ items: [(place: Int, item: Item)]) throws {
    guard !items.isEmpty else { return }
    try makeTable()
    var rows = Copying()
    for (place, item) in items {
      rows.add(3) { row in
        row.field(Int64(place))
        row.field(item.id.utf8)
        row.field(item.json)
      }
    }
    isEmpty = false
    try session.copy(&rows, "COPY pg_temp.coming (place, id, item) FROM STDIN (FORMAT binary)")
  }

  /// Whether there is an item of this id.
  func holds(_ id: String) throws -> Bool {
    guard !isEmpty else { return false }
    return try session.run("SELECT FROM coming WHERE id = $1", [.text(id)]).count > 0
  }

  /// The items at these places, in order.
  func items(_ places: [Int]) throws -> [Item] {
    guard !places.isEmpty else { return [] }
    let items = try session.run(
      "SELECT item FROM coming WHERE place = ANY($1) ORDER BY place",
      [.integers(places.map { Int64($0) })]
    ).map { try Item(json: $0.bytes(0)) }
    precondition(items.count == places.count, "What is asked for has been added.")
    return items
  }

  /// Lets go of all, so that those of another strip can come.
  func removeAll() throws {
    guard !isEmpty else { return }
    try session.run("TRUNCATE coming")
    isEmpty = true
  }

  private func makeTable() throws {
    guard !hasTable else { return }
    try session.runAll(
      """
      CREATE TEMPORARY TABLE coming (
        place bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, item bytea NOT NULL
      ) ON COMMIT DROP
      """)
    hasTable = true
  }
}
