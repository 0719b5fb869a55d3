import Catalogue
import GRDB
import Windowing

/// A row of `strip`: everything about a strip but its items.
struct StripRow {
  var number: Int64
  var place: Int64
  var name: String
  var settings: StripSettings
  var firstRevision: Int64
  var revision: Int64
  /// The revision up to which all changes are in the chunks of the layout.
  var folded: Int64
  var totals = StripTotals()

  /// The strip of this name; without a name the first.
  static func fetch(_ db: Database, name: String?) throws -> StripRow? {
    let row =
      if let name {
        try Row.fetchOne(
          db.cachedStatement(sql: "SELECT * FROM strip WHERE name = ?"), arguments: [name])
      } else {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM strip ORDER BY place LIMIT 1"))
      }
    return try row.map(StripRow.init)
  }

  init(_ row: Row) throws {
    number = try row.required("number")
    place = try row.required("place")
    name = try row.required("name")
    firstRevision = try row.required("first_revision")
    revision = try row.required("revision")
    folded = try row.required("folded")
    totals = try row.totals()
    do {
      settings = try row.settings()
    } catch {
      throw CatalogueError.corrupt("\(error)")
    }
  }

  /// A strip that is not stored yet.
  init(name: String, place: Int64, settings: StripSettings, revision: Int64) {
    number = 0
    self.place = place
    self.name = name
    self.settings = settings
    firstRevision = revision
    self.revision = revision
    folded = revision
  }

  /// Stores a new strip behind all others, with a revision above the last that its name had.
  static func make(
    _ name: String, settings: StripSettings? = nil, _ db: Database
  ) throws -> StripRow {
    let place =
      try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(place) FROM strip")) ?? -1
    let former = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT revision FROM former WHERE name = ?"), arguments: [name])
    var row = StripRow(
      name: name, place: place + 1, settings: settings ?? StripSettings(title: name),
      revision: Revision.making(clock: WallClock.now, former: former))
    try row.insert(db)
    return row
  }

  /// Stores the row as a new one, under a number never used before.
  mutating func insert(_ db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO strip (place, name, title, height, gap, inset, loop, snap, item_width,
          first_revision, revision, folded, changed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      place, name, settings.title, settings.height.units, settings.gap.units,
      settings.inset.units, settings.loop, settings.snap.rawValue, settings.itemWidth.units,
      firstRevision, revision, folded, try Changes.next(db),
    ])
    number = db.lastInsertedRowID
  }

  /// Stores settings, revisions and totals of a row that is there.
  func update(_ db: Database) throws {
    try db.cachedStatement(
      sql: """
        UPDATE strip SET title = ?, height = ?, gap = ?, inset = ?, loop = ?, snap = ?,
          item_width = ?, revision = ?, folded = ?, count = ?, aspects = ?, widths = ?, bare = ?,
          kind_counts = ?, changed = ? WHERE number = ?
        """
    ).execute(arguments: [
      settings.title, settings.height.units, settings.gap.units, settings.inset.units,
      settings.loop, settings.snap.rawValue, settings.itemWidth.units, revision, folded,
      totals.count, totals.aspects, totals.widths, totals.bare, totals.kindText,
      try Changes.next(db), number,
    ])
  }

  /// Deletes the strip for good; only its last revision is kept.
  func remove(_ db: Database) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO former (name, revision, changed) VALUES (?, ?, ?)",
      arguments: [name, revision, try Changes.next(db)])
    try db.cachedStatement(sql: "DELETE FROM once WHERE strip = ?").execute(arguments: [name])
    try delete(db)
  }

  /// Deletes the row; the items and all that was are deleted later, a few at a time.
  func delete(_ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM strip WHERE number = ?").execute(arguments: [number])
    try db.cachedStatement(sql: "INSERT INTO forgotten (strip) VALUES (?)")
      .execute(arguments: [number])
  }

  /// Puts a strip without items in the place of this one, at the row's revision.
  mutating func makeAnew(_ db: Database) throws {
    try delete(db)
    totals = StripTotals()
    folded = revision
    try insert(db)
  }

  /// The names of the strip's kinds, by number.
  func kinds(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db.cachedStatement(sql: "SELECT name FROM kind WHERE strip = ? ORDER BY number"),
      arguments: [number])
  }
}

extension Row {
  /// The settings in the columns of `strip` or `past_strip`.
  func settings() throws -> StripSettings {
    var settings = StripSettings(title: try required("title"))
    settings.height = Length(units: try required("height"))
    settings.gap = Length(units: try required("gap"))
    settings.inset = Length(units: try required("inset"))
    settings.loop = try required("loop")
    settings.snap = StripSettings.Snap(rawValue: try required("snap")) ?? .none
    settings.itemWidth = Length(units: try required("item_width"))
    try settings.check()
    return settings
  }

  /// The value in a column that is never empty.
  ///
  /// - Throws: `.corrupt` where it is, or holds something else.
  func required<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
    let stored: DatabaseValue = self[column]
    guard let value = Value.fromDatabaseValue(stored) else {
      throw CatalogueError.corrupt("column \"\(column)\" holds \(stored)")
    }
    return value
  }

  /// The value in a column that may be empty: nil there.
  ///
  /// - Throws: `.corrupt` where it holds something else.
  func optional<Value: DatabaseValueConvertible>(_ column: String) throws -> Value? {
    let stored: DatabaseValue = self[column]
    return stored.isNull ? nil : try required(column)
  }
}
