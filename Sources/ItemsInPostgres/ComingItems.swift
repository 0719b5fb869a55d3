import Items

/// Items that wait to be put into a strip, each at a place: in a table that is gone with the
/// transaction.
struct ComingItems {
  private let session: Session

  init(_ session: Session) throws {
    self.session = session
    try session.runAll(
      """
      CREATE TEMPORARY TABLE coming (
        place bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, item bytea NOT NULL
      ) ON COMMIT DROP
      """)
  }

  /// Adds items, each with its place.
  func add(_ items: [(place: Int, item: Item)]) throws {
    var rows = Copying()
    for (place, item) in items {
      rows.add(3) { row in
        row.field(Int64(place))
        row.field(item.id.utf8)
        row.field(item.json)
      }
    }
    try session.copy(&rows, "COPY pg_temp.coming (place, id, item) FROM STDIN (FORMAT binary)")
  }

  /// Whether there is an item of this id.
  func holds(_ id: String) throws -> Bool {
    try session.run("SELECT FROM coming WHERE id = $1", [.text(id)]).count > 0
  }

  /// The items at these places, in order.
  func items(_ places: [Int]) throws -> [Item] {
    let items = try session.run(
      "SELECT item FROM coming WHERE place = ANY($1) ORDER BY place",
      [.integers(places.map { Int64($0) })]
    ).map { try Item(json: $0.bytes(0)) }
    precondition(items.count == places.count, "What is asked for has been added.")
    return items
  }
}
