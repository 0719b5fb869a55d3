package import Catalogue
@preconcurrency import Dispatch
import GRDB
import Synchronization

/// The strips of a SQLite file, and every change that other commands commit to it.
///
/// A strip's layout is read when the strip is first asked for, and stays while it is in use; what
/// items say is read window by window. A quarter of a second after another command has committed, at
/// most, editions are new.
package final class SQLiteCatalogue: StripCatalogue {
  let database: SQLiteReaders
  private let strips: StripCache<CachedStrip>
  /// The name of the first strip, once it has been asked for.
  private let first = Mutex<String?>(nil)
  private let seen: Mutex<(version: SQLiteReaders.Version, change: Int64)>
  private let changes = ChangeCounter()
  private let timer: any DispatchSourceTimer

  /// Opens a database that is there.
  ///
  /// - Parameters:
  ///   - readers: how many requests may read at once.
  ///   - memory: bytes that the strips may take which are held, about.
  /// - Throws: `.unavailable` when there is none, it is none of ours, or of a newer version.
  package init(
    path: String, readers: Int = 8, memory: Int = 512 << 20
  ) throws(CatalogueError) {
    let database = try SQLiteReaders(path: path, count: readers)
    self.database = database
    strips = StripCache(limit: memory)
    let version = try database.version()
    seen = Mutex((version, try database.read { try Changes.last($0) }))
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "SQLiteCatalogue"))
    timer.setEventHandler { [weak self] in
      // What cannot be read now is tried again at the next tick; until then the old editions stand,
      // and a request that needs the database is told what is wrong with it.
      try? self?.refresh()
      self?.strips.dropIdle(now: .now)
      self?.database.letGo()
    }
    timer.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250))
    timer.activate()
  }

  deinit { timer.cancel() }

  /// Ends all connections, after having taken into the file what the log beside it holds.
  func close() {
    timer.cancel()
    database.close()
  }

  package var changeCount: Int? { changes.value }

  package func names(
    after: String?, limit: Int, mode: ReadMode
  ) throws(CatalogueError) -> [String] {
    try database.read { db in
      try String.fetchAll(
        db.cachedStatement(sql: "SELECT name FROM strip WHERE place > ? ORDER BY place LIMIT ?"),
        arguments: [try Self.place(of: after, db), limit])
    }
  }

  package func edition(
    of name: String?, at revision: Int64?, mode: ReadMode
  ) throws(CatalogueError) -> Edition {
    guard let name else { return try edition(of: firstName(), at: revision, mode: mode) }
    let strip = held(name)
    do throws(CatalogueError) {
      let edition = try strip.edition(at: revision, mode: mode)
      strips.weigh(strip, name)
      return edition
    } catch {
      if case .noSuchStrip = error { forget(strip, name) }
      throw error
    }
  }

  package func revision(
    of name: String, before moment: Int64, mode: ReadMode
  ) throws(CatalogueError) -> Int64? {
    let revision = try database.readOnce { db in
      try Int64.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT coalesce((
              SELECT min(until) FROM past_strip
              WHERE past_strip.strip = strip.number AND until > coalesce((
                SELECT max(until) FROM past_strip
                WHERE past_strip.strip = strip.number AND ended < ?2), -1)), revision)
            FROM strip WHERE name = ?1
            """), arguments: [name, moment])
    }
    guard let revision else { throw .noSuchStrip(name) }
    return revision
  }

  package func summaries(
    after: String?, limit: Int, mode: ReadMode
  ) throws(CatalogueError) -> [StripSummary] {
    try database.read { db in
      let rows = try Row.fetchAll(
        db.cachedStatement(
          sql: "SELECT * FROM strip WHERE place > ? ORDER BY place LIMIT ?"),
        arguments: [try Self.place(of: after, db), limit])
      return try rows.map { row in
        let row = try StripRow(row)
        return StripSummary(
          name: row.name, settings: row.settings, revision: row.revision,
          totals: row.totals.totals(itemWidth: row.settings.itemWidth),
          kinds: try row.totals.kinds(of: row.kinds(db)))
      }
    }
  }

  /// Strips of fewer items are read while one is asked for: that takes a millisecond or two.
  private static let longCount = 50_000

  package func load(_ progress: LoadProgress) throws(CatalogueError) {
    let long = try database.read { db in
      try Row.fetchAll(
        db, sql: "SELECT name, count FROM strip WHERE count >= ? ORDER BY place",
        arguments: [Self.longCount]
      ).map { row in (try row.required("name") as String, try row.required("count") as Int) }
    }
    // As many as there is room for, the first made first.
    var room = strips.limit / 2
    let loaded = long.prefix { _, count in
      room -= MemoryCost.bytes(ofItems: count)
      return room >= 0
    }
    for (_, count) in loaded { progress.expect(count) }
    guard !loaded.isEmpty else { return }
    try database.withCompanions { companions throws(CatalogueError) in
      for (name, _) in loaded {
        let strip = held(name)
        try strip.load(progress, with: companions)
        strips.weigh(strip, name)
      }
    }
  }

  private func held(_ name: String) -> CachedStrip {
    strips.find(name) { CachedStrip(name: name, database: database, changes: changes) }
  }

  /// The place of a strip in the order of making; one before all others without a name.
  private static func place(of name: String?, _ db: Database) throws -> Int64 {
    guard let name else { return -1 }
    guard let row = try StripRow.fetch(db, name: name) else {
      throw CatalogueError.noSuchStrip(name)
    }
    return row.place
  }

  /// Begins to make the edition of a change that is not committed yet.
  func coming(
    _ row: StripRow, after former: StripRow, _ step: LayoutStep, kinds: [String]
  ) -> PendingEdition? {
    strips.present(row.name)?.coming(row, after: former, step, kinds: kinds)
  }

  /// Makes a new edition of one strip, if it has changed, for whoever asks next.
  ///
  /// - Parameter coming: what was begun before the change was committed.
  func follow(_ name: String, with coming: PendingEdition? = nil) throws(CatalogueError) {
    first.withLock { $0 = nil }
    changes.count()
    try refresh(name, with: coming)
  }

  /// Makes new editions of the strips that another connection has changed since the last time.
  ///
  /// - Complexity: O(1) where nothing was committed; else a name for each strip that changed, and what
  ///   has changed in those of them that are held.
  package func refresh() throws(CatalogueError) {
    try database.follow()
    let version = try database.version()
    let seen = seen.withLock { $0 }
    guard seen.version != version else { return }
    first.withLock { $0 = nil }
    changes.count()
    let (names, last) = try database.read { db in
      (try Changes.names(after: seen.change, db), try Changes.last(db))
    }
    for name in names { try refresh(name) }
    self.seen.withLock { $0 = (version, max($0.change, last)) }
  }

  private func refresh(
    _ name: String, with coming: PendingEdition? = nil
  ) throws(CatalogueError) {
    guard let strip = strips.present(name) else { return }
    if try strip.refresh(with: coming) { strips.weigh(strip, name) } else { forget(strip, name) }
  }

  private func firstName() throws(CatalogueError) -> String {
    if let name = first.withLock({ $0 }) { return name }
    guard let name = try names(after: nil, limit: 1).first else { throw .noStrips }
    first.withLock { $0 = name }
    return name
  }

  private func forget(_ strip: CachedStrip, _ name: String) {
    strips.forget(strip, name)
    changes.count()
  }
}
