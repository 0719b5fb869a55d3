import Catalogue
package import Items
import Windowing

/// A row of `strip`: a strip without its items.
package struct StripRow: Sendable {
  /// The key of the strip's items. A strip whose items are all replaced gets a new number.
  var number: Int64
  /// Orders the list of strips.
  let place: Int64
  let name: String
  package var settings: StripSettings
  /// The names of its kinds, by number.
  var kinds: [String]
  let firstRevision: Int64
  var revision: Int64
  /// The oldest revision that can be read.
  var oldestRevision: Int64
  /// The number of the chunks that have the geometry of the strip.
  var generation: Int64
  /// The revision of the chunks. Later changes are in the change log.
  var layoutRevision: Int64
  /// The number of changed items in the change log after `layoutRevision`.
  var uncompactedChanges: Int
  /// The greatest sort key that an item of the strip has had.
  var lastSortKey: Int64
  var totals: StripTotals

  private enum Column: Int, TableColumn {
    case number, place, name, firstRevision, kinds, revision, oldestRevision, generation
    case layoutRevision, uncompactedChanges, lastSortKey, count, aspects, widths, unsized
    case kindCounts, settings, checksum
  }

  package static let columns = Column.names
  private static let columnList = columns.joined(separator: ", ")
  /// The number of columns at the start that never change.
  private static let fixedCount = 4
  private static let update = """
    UPDATE strip SET (\(columns[fixedCount...].joined(separator: ", ")))
      = (\(SQLValue.parameters(2...columns.count - fixedCount + 1))) WHERE number = $1
    """

  private func value(of column: Column) -> SQLValue {
    switch column {
    case .number: .integer(number)
    case .place: .integer(place)
    case .name: .text(name)
    case .firstRevision: .integer(firstRevision)
    case .kinds: .names(kinds)
    case .revision: .integer(revision)
    case .oldestRevision: .integer(oldestRevision)
    case .generation: .integer(generation)
    case .layoutRevision: .integer(layoutRevision)
    case .uncompactedChanges: .integer(uncompactedChanges)
    case .lastSortKey: .integer(lastSortKey)
    case .count: .integer(totals.count)
    case .aspects: .integer(totals.aspects)
    case .widths: .integer(totals.widths)
    case .unsized: .integer(totals.unsized)
    case .kindCounts: .text(totals.kindText)
    case .settings: .utf8(settings.json)
    case .checksum: .null
    }
  }

  private var values: [SQLValue] { Column.values(value) }

  private static func read(_ row: any SQLRow) throws -> StripRow {
    let row = TableRow<Column>(row: row)
    return try withCorruptionContext(of: (try? row.text(.name)) ?? "") {
      let read = try StripRow(row)
      try row.check()
      return read
    }
  }

  private init(_ row: TableRow<Column>) throws {
    number = try row.integer(.number)
    place = try row.integer(.place)
    name = try row.text(.name)
    firstRevision = try row.integer(.firstRevision)
    kinds = try row.names(.kinds)
    revision = try row.integer(.revision)
    oldestRevision = try row.integer(.oldestRevision)
    generation = try row.integer(.generation)
    layoutRevision = try row.integer(.layoutRevision)
    uncompactedChanges = Int(try row.integer(.uncompactedChanges))
    lastSortKey = try row.integer(.lastSortKey)
    totals = try StripTotals(
      count: Int(row.integer(.count)), aspects: Int(row.integer(.aspects)),
      widths: Int(row.integer(.widths)), unsized: Int(row.integer(.unsized)),
      kinds: row.text(.kindCounts))
    settings = try StripSettings(json: row.bytes(.settings))
    guard StripName.isValid(name) else {
      throw CatalogueError.corrupt("the number \(number) has no valid name")
    }
    guard totals.isValid, 0...1 << 40 ~= uncompactedChanges, lastSortKey.magnitude <= 1 << 62,
      0..<1 << 62 ~= revision, 0...revision ~= firstRevision, 0...revision ~= oldestRevision,
      0...revision ~= layoutRevision
    else { throw CatalogueError.corrupt("it has a number out of range") }
  }

  private init(
    number: Int64, name: String, settings: StripSettings, revision: Int64, generation: Int64
  ) {
    self.number = number
    place = number
    self.name = name
    self.settings = settings
    kinds = []
    firstRevision = revision
    self.revision = revision
    oldestRevision = revision
    self.generation = generation
    layoutRevision = revision
    uncompactedChanges = 0
    lastSortKey = 0
    totals = StripTotals()
  }
}

// MARK: - Reading

extension StripRow {
  package static func fetch(_ session: any SQLSession, name: String) throws -> StripRow? {
    try session.first("SELECT \(columnList) FROM strip WHERE name = $1", [.text(name)], read)
  }

  /// In the order of `place`.
  static func fetch(
    _ session: any SQLSession, after place: Int64, limit: Int
  ) throws -> [StripRow] {
    try session.map(
      "SELECT \(columnList) FROM strip WHERE place > $1 ORDER BY place LIMIT $2",
      [.integer(place), .integer(limit)], read)
  }

  /// Locks the strip against other writers until the end of the transaction.
  package static func lock(_ session: any SQLSession, name: String) throws -> StripRow? {
    let clause = session.dialect.lockClause
    guard !clause.isEmpty else { return try fetch(session, name: name) }
    // While this waits, another writer can replace the strip by another one of the same name.
    for _ in 0..<2 {
      let number = try session.first(
        "SELECT number FROM strip WHERE name = $1\(clause)", [.text(name)]
      ) { try $0.integer(0) }
      // The lock is held, so this row is the one that the last writer committed.
      if number != nil, let row = try fetch(session, name: name) { return row }
    }
    return nil
  }

  /// The place of `name` in the list, or -1 if `name` is nil.
  static func place(of name: String?, _ session: any SQLSession) throws -> Int64 {
    guard let name else { return -1 }
    let place = try session.first("SELECT place FROM strip WHERE name = $1", [.text(name)]) {
      try $0.integer(0)
    }
    guard let place else { throw CatalogueError.noSuchStrip(name) }
    return place
  }

  /// The error for a revision that `earlier(at:)` does not find: it is gone, or it never existed.
  ///
  /// Every number between the first and the newest revision counts as gone: the original of a restored copy can have used
  /// it. If a strip of this name was removed before, so does every number up to its last revision.
  func missingRevisionError(of revision: Int64, _ session: any SQLSession) throws -> CatalogueError
  {
    guard revision < firstRevision else {
      return revision < self.revision ? .revisionGone(revision) : .revisionUnknown(revision)
    }
    let removed = try session.first(
      "SELECT revision FROM removed_strip WHERE name = $1", [.text(name)]
    ) { try $0.integer(0) }
    return revision <= removed ?? -1 ? .revisionGone(revision) : .revisionUnknown(revision)
  }
}

// MARK: - Writing

extension StripRow {
  /// Makes a strip after all others, with a revision above those of a removed strip of its name.
  ///
  /// - Returns: nil if another writer has just made a strip of this name.
  static func create(
    _ session: any SQLSession, name: String, settings: StripSettings
  ) throws -> StripRow? {
    let removed = try session.first(
      "SELECT revision FROM removed_strip WHERE name = $1", [.text(name)]
    ) { try $0.integer(0) }
    let row = StripRow(
      number: try session.nextNumber(), name: name, settings: settings,
      revision: Revision.next(clock: try session.clock(), after: removed),
      generation: try session.nextNumber())
    let count = try session.run(
      """
      INSERT INTO strip (\(columnList)) VALUES (\(SQLValue.parameters(1...columns.count)))
      ON CONFLICT (name) DO NOTHING
      """, row.values)
    return count == 1 ? row : nil
  }

  func store(_ session: any SQLSession) throws {
    try session.run(Self.update, [.integer(number)] + values[Self.fixedCount...])
  }

  /// Empties the strip: it gets a new number, and `DeletionQueue` deletes the rows of the old one. Earlier
  /// revisions can no longer be read.
  mutating func truncate(_ session: any SQLSession) throws {
    let old = (number, generation)
    (number, generation) = (try session.nextNumber(), try session.nextNumber())
    try session.run(
      "UPDATE strip SET number = $2, generation = $3 WHERE number = $1",
      [.integer(old.0), .integer(number), .integer(generation)])
    try DeletionQueue.add(strip: old.0, generation: old.1, session)
    kinds = []
    totals = StripTotals()
    (oldestRevision, layoutRevision, uncompactedChanges, lastSortKey) = (revision, revision, 0, 0)
  }

  /// Deletes the strip, and keeps its last revision: reads of its revisions are 410, and a new strip of its name has
  /// later ones. Old numbers are deleted when the clock is past them.
  package func remove(_ session: any SQLSession) throws {
    try session.run(
      """
      INSERT INTO removed_strip (name, revision) VALUES ($1, $2)
      ON CONFLICT (name) DO UPDATE SET revision = excluded.revision
      """, [.text(name), .integer(revision)])
    try session.run(
      """
      DELETE FROM removed_strip WHERE revision < $1 AND revision <= (
        SELECT revision FROM removed_strip ORDER BY revision DESC LIMIT 1 OFFSET $2)
      """, [.integer(try session.clock()), .integer(Retention.removedStrips)])
    try session.run("DELETE FROM strip WHERE number = $1", [.integer(number)])
    try DeletionQueue.add(strip: number, generation: generation, session)
    try session.notify([.strip(name), .catalogueChanged])
  }
}

// MARK: - Columns

// No name of a kind has a comma.
extension SQLValue {
  static func names(_ names: [String]) -> SQLValue { .text(names.joined(separator: ",")) }
}

extension SQLRow {
  func names(_ column: Int) throws -> [String] {
    let names = try text(column).split(separator: ",").map(String.init)
    guard names.count <= KindName.maximumCount, names.allSatisfy(KindName.isValid),
      Set(names).count == names.count
    else { throw CatalogueError.corrupt("column \"kinds\" has invalid names of kinds") }
    return names
  }
}
