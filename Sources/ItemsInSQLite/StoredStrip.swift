import Catalogue
import GRDB
import Windowing

/// A strip as it is read from the layout: an edition, and the row it was read from.
struct StoredStrip: Sendable {
  let edition: Edition
  let number: Int64
  let placed: PlacedStrip

  init(_ row: StripRow, placed: PlacedStrip, pools: SharedPools, database: SQLiteReaders) {
    number = row.number
    self.placed = placed
    edition = Edition(
      name: row.name, settings: row.settings, revision: row.revision, strip: placed.strip,
      source: StoredItems(
        database: database, strip: row.number, name: row.name, revision: row.revision,
        kinds: placed.strip.kinds, positions: placed.positions), pools: pools)
  }

  /// Reads the layout of a strip.
  ///
  /// - Parameters:
  ///   - row: The strip at its newest revision.
  ///   - past: The strip at a former revision that is held, with its kinds, where that is wanted.
  ///   - progress: is told how many items have been read.
  ///   - companions: looked at the database before the transaction of `db` began.
  /// - Complexity: O(*n*); reads 8 bytes an item, and holds no more than the strip itself.
  static func load(
    _ row: StripRow, asOf past: (row: StripRow, kinds: [String])? = nil,
    progress: LoadProgress? = nil, with companions: [ParallelReader] = [], database: SQLiteReaders,
    _ db: Database
  ) throws -> StoredStrip {
    do {
      let itemWidth = (past?.row ?? row).settings.itemWidth
      var placed = try read(row, itemWidth: itemWidth, progress, companions, db)
      guard let past else {
        return StoredStrip(row, placed: placed, pools: SharedPools(), database: database)
      }
      try placed.goBack(row.steps(after: past.row.revision, upTo: row.revision, db), itemWidth)
      placed.rename(kinds: past.kinds)
      return StoredStrip(past.row, placed: placed, pools: SharedPools(), database: database)
    } catch CatalogueError.corrupt(let sentence) {
      throw CatalogueError.corrupt(
        "\(database.path): the strip \"\(row.name)\" is damaged: \(sentence)")
    }
  }

  /// Reads the chunks of a layout, and makes the changes that they do not hold yet.
  private static func read(
    _ row: StripRow, itemWidth: Length, _ progress: LoadProgress?, _ companions: [ParallelReader],
    _ db: Database
  ) throws -> PlacedStrip {
    var placed = try LayoutStretches(
      of: row, kinds: row.kinds(db), itemWidth: itemWidth, progress: progress, db
    ).read(db, with: companions)
    let changes = try row.steps(after: row.folded, upTo: row.revision, db).forward
    try placed.apply(changes, itemWidth: itemWidth)
    try placed.positions.check(against: db, strip: row.number)
    return placed
  }
}

extension PlacedStrip {
  /// Undoes what steps have done, of which the last led here.
  mutating func goBack(_ steps: [LayoutStep], _ itemWidth: Length) throws {
    if let tail = steps.tail { truncate(at: tail) }
    try apply(steps.backward, itemWidth: itemWidth)
  }
}

extension Positions {
  /// Makes sure that the layout begins and ends where the items do.
  ///
  /// - Throws: `.corrupt` where it does not: rows of one of both are lost.
  /// - Complexity: O(log *n*).
  fileprivate func check(against db: Database, strip: Int64) throws {
    let ends = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT (SELECT min(position) FROM item WHERE strip = ?1) AS first,
            (SELECT max(position) FROM item WHERE strip = ?1) AS last
          """), arguments: [strip])
    let first: Int64? = try ends?.optional("first")
    let last: Int64? = try ends?.optional("last")
    guard first == (count > 0 ? self[0] : nil), last == (count > 0 ? self[count - 1] : nil) else {
      throw CatalogueError.corrupt("its layout and its items do not begin and end together")
    }
  }
}
