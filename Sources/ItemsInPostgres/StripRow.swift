import Catalogue

/// A row of `strip`: everything about a strip but its items.
struct StripRow {
  var number: Int64
  var place: Int64
  var name: String
  var settings: StripSettings
  var firstRevision: Int64
  var revision: Int64
  /// Up to which revision the rows of its layout hold everything.
  var folded: Int64
  /// How many changes have been made of the layout since then.
  var pending: Int
  /// The names of its kinds, by number.
  var kinds: [String]
  /// The sums over its items.
  var totals: StripTotals

  /// The strip of this name.
  static func fetch(_ session: Session, name: String) throws -> StripRow? {
    try session.run(
      """
      SELECT number, place, name, title, height, gap, inset, loop, snap, item_width,
        first_revision, revision, folded, pending, count, aspects, widths, bare, kind_counts,
        (SELECT string_agg(kind.name, ',' ORDER BY kind.number) FROM kind
          WHERE kind.strip = strip.number)
      FROM strip WHERE name = $1
      """, [.text(name)]
    ).first(StripRow.init)
  }

  /// Strips in the order of their making: those behind a place, at most `limit`.
  ///
  /// - Complexity: O(log strips + `limit`), whatever they hold.
  static func fetch(_ session: Session, behind place: Int64, limit: Int) throws -> [StripRow] {
    try session.run(
      """
      SELECT number, place, name, title, height, gap, inset, loop, snap, item_width,
        first_revision, revision, folded, pending, count, aspects, widths, bare, kind_counts,
        (SELECT string_agg(kind.name, ',' ORDER BY kind.number) FROM kind
          WHERE kind.strip = strip.number)
      FROM strip WHERE place > $1 ORDER BY place LIMIT $2
      """, [.integer(place), .integer(Int64(limit))]
    ).map(StripRow.init)
  }

  /// The strip of this name, held against all who would change it until the transaction ends.
  static func lock(_ session: Session, name: String) throws -> StripRow? {
    // A strip that was replaced while this waited has another row then: it is looked for again.
    for _ in 0..<2 {
      let number = try session.run(
        "SELECT number FROM strip WHERE name = $1 FOR NO KEY UPDATE", [.text(name)]
      ).first { try $0.integer(0) }
      // What is read after the lock is had is what the last writer left.
      if number != nil, let row = try fetch(session, name: name) { return row }
    }
    return nil
  }

  /// Makes a strip behind all others, with a revision above the last that its name had; nil where
  /// another has just come to be.
  ///
  /// - Parameter clock: microseconds since 1970.
  static func make(
    _ session: Session, name: String, settings: StripSettings? = nil, clock: Int64
  ) throws -> StripRow? {
    let former = try session.run("SELECT revision FROM former WHERE name = $1", [.text(name)])
      .first { try $0.integer(0) }
    let settings = settings ?? StripSettings(title: name)
    let revision = Revision.making(clock: clock, former: former)
    return try session.run(
      """
      INSERT INTO strip (place, name, title, height, gap, inset, loop, snap, item_width,
        first_revision, revision, folded)
      VALUES (nextval('place'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $9)
      ON CONFLICT (name) DO NOTHING RETURNING number, place
      """,
      [.text(name)] + settings.parameters + [.integer(revision)]
    ).first { made in
      StripRow(
        number: try made.integer(0), place: try made.integer(1), name: name, settings: settings,
        firstRevision: revision, revision: revision, folded: revision, pending: 0, kinds: [],
        totals: StripTotals())
    }
  }

  /// Gives the strip a number never used before, with nothing in it, at a revision above its own.
  ///
  /// The rows of its items stay under the old number, until `deleteItems` is called for that.
  mutating func renew(_ session: Session) throws {
    let strip = Parameter.integer(number)
    try session.run("DELETE FROM kind WHERE strip = $1", [strip])
    try session.run("DELETE FROM layout WHERE strip = $1", [strip])
    try session.run("DELETE FROM change WHERE strip = $1", [strip])
    try session.run("DELETE FROM past_strip WHERE strip = $1", [strip])
    let new = try session.run(
      "UPDATE strip SET number = DEFAULT WHERE number = $1 RETURNING number", [strip]
    ).first { try $0.integer(0) }
    guard let new else { throw CatalogueError.failed("the strip \"\(name)\" is gone") }
    number = new
    kinds = []
    totals = StripTotals()
    (folded, pending) = (revision, 0)
  }

  /// Stores settings, revision and sums of a row that is there, and tells all servers.
  func update(_ session: Session) throws {
    try store(session)
    try session.notify(of: [name])
  }

  /// The same, where servers are told later.
  func store(_ session: Session) throws {
    try session.run(
      """
      UPDATE strip SET title = $1, height = $2, gap = $3, inset = $4, loop = $5, snap = $6,
        item_width = $7, revision = $8, folded = $9, pending = $10, count = $11, aspects = $12,
        widths = $13, bare = $14, kind_counts = $15
      WHERE number = $16
      """,
      settings.parameters + [.integer(revision), .integer(folded), .integer(Int64(pending))]
        + totals.parameters
        + [.integer(number)])
  }

  /// Deletes the strip for good; only its last revision is kept.
  func remove(_ session: Session) throws {
    try session.run(
      """
      INSERT INTO former (name, revision) VALUES ($1, $2)
      ON CONFLICT (name) DO UPDATE SET revision = excluded.revision
      """, [.text(name), .integer(revision)])
    try session.run("DELETE FROM once WHERE strip = $1", [.text(name)])
    try Self.deleteItems(of: number, session)
    try session.run("DELETE FROM strip WHERE number = $1", [.integer(number)])
    try session.notify(of: [name])
    try session.notifyOfList()
  }

  /// Deletes what was stored of a strip's items under a number.
  static func deleteItems(of number: Int64, _ session: Session) throws {
    try session.run("DELETE FROM item WHERE strip = $1", [.integer(number)])
    try session.run("DELETE FROM past_item WHERE strip = $1", [.integer(number)])
  }
}
