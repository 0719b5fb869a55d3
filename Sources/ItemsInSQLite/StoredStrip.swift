import GRDB
import Items
import Windowing

/// A strip as it is read from the layout: an edition, and the row it was read from.
struct StoredStrip: Sendable {
  let edition: Edition
  let number: Int64
  let firstRevision: Int64
  let positions: Positions

  init(
    _ row: StripRow, strip: Strip, positions: Positions, pools: SharedPools,
    database: SQLiteReaders
  ) {
    number = row.number
    firstRevision = row.firstRevision
    self.positions = positions
    edition = Edition(
      name: row.name, settings: row.settings, revision: row.revision, strip: strip,
      source: StoredItems(
        database: database, strip: row.number, name: row.name, revision: row.revision,
        kinds: strip.kinds, positions: positions), pools: pools)
  }

  /// Reads the layout of a strip at the revision that `row` is of.
  ///
  /// - Parameters:
  ///   - isPast: whether the strip has gone on since.
  ///   - progress: is told how many items have been read.
  /// - Complexity: O(*n*); reads 8 bytes an item, and holds no more than the strip itself.
  static func load(
    _ row: StripRow, kinds: [String], isPast: Bool, progress: LoadProgress? = nil,
    database: SQLiteReaders, _ db: Database
  ) throws -> StoredStrip {
    do {
      return try read(
        row, kinds: kinds, isPast: isPast, progress: progress, database: database, db)
    } catch CatalogueError.corrupt(let sentence) {
      throw CatalogueError.corrupt(
        "\(database.path): the strip \"\(row.name)\" is damaged: \(sentence)")
    }
  }

  private static func read(
    _ row: StripRow, kinds: [String], isPast: Bool, progress: LoadProgress?,
    database: SQLiteReaders, _ db: Database
  ) throws -> StoredStrip {
    let chunks = try Row.fetchCursor(
      db.cachedStatement(sql: isPast ? pastSQL : newestSQL),
      arguments: isPast ? [row.number, row.revision] : [row.number])
    var positions = Positions()
    var groups: [(title: String?, count: Int)] = []
    var damage: (any Error)?
    let items = AnyIterator<[StripItem]> {
      do {
        guard let chunk = try chunks.next().map(StoredChunk.init) else { return nil }
        groups += chunk.runs
        positions.append(chunk.place)
        progress?.add(chunk.place.count)
        return try chunk.items(itemWidth: row.settings.itemWidth, kinds: kinds.count)
      } catch {
        damage = error
        return nil
      }
    }
    var strip = Strip(kinds: kinds, chunks: items)
    if let damage { throw damage }
    if !isPast { try positions.check(against: db, strip: row.number) }
    strip.setGroups(groups)
    return StoredStrip(
      row, strip: strip, positions: positions, pools: SharedPools(), database: database)
  }

  private static let newestSQL = """
    SELECT \(StoredChunk.columns) FROM layout WHERE strip = ? ORDER BY position
    """

  private static let pastSQL = """
    SELECT \(StoredChunk.columns) FROM layout WHERE strip = ?1 AND since <= ?2
    UNION ALL
    SELECT \(StoredChunk.columns) FROM past_layout WHERE strip = ?1 AND until >= ?2 AND since <= ?2
    ORDER BY position
    """
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
