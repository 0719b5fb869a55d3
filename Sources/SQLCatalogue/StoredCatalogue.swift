package import Catalogue
import Foundation
import Synchronization

/// The strips of a database, and every change that any process commits to it.
///
/// A strip's layout is read when the strip is first asked for, and stays in memory while it is in use. The
/// database reports changes; then the newest edition is made from the one before and the log.
package final class StoredCatalogue: StripCatalogue {
  let database: any SQLDatabase
  private let reader: EditionReader
  private let strips: Mutex<BoundedCache<String, CachedStrip>>
  private let memory: Int
  /// The name of the first strip, once it was asked for.
  private let first = Mutex<String?>(nil)

  /// Strips of fewer items are read when they are asked for: that takes a millisecond or two.
  private static let longCount = 50_000

  /// - Parameters:
  ///   - database: closed with this.
  ///   - memory: bytes that strips may take, about.
  ///   - contentMemory: bytes that cached contents of items may take, about, if the database needs a cache.
  ///   - follows: whether the database reports changes: for a server.
  /// - Throws: `.unavailable` if the database cannot be used; a server waits for one that cannot be reached.
  package init(
    _ database: any SQLDatabase, memory: Int = 512 << 20, contentMemory: Int = 256 << 20,
    follows: Bool = true
  ) throws(CatalogueError) {
    self.database = database
    reader = EditionReader(database, contentMemory: contentMemory)
    self.memory = memory
    strips = Mutex(BoundedCache(limit: memory))
    let absence = try database.absence()
    guard follows else {
      if let absence { throw .unavailable(absence) }
      return
    }
    database.observe { [weak self] notice in try self?.handle(notice) }
  }

  func close() { database.close() }

  package var changeCount: Int? { reader.changes.value }

  // MARK: - Strips

  package func names(after: String?, limit: Int) throws(CatalogueError) -> [String] {
    try database.read { session in
      try session.map(
        "SELECT name FROM strip WHERE place > $1 ORDER BY place LIMIT $2",
        [.integer(StripRow.place(of: after, session)), .integer(limit)]
      ) { try $0.text(0) }
    }
  }

  package func summaries(after: String?, limit: Int) throws(CatalogueError) -> [StripSummary] {
    try database.read { session in
      try StripRow.fetch(session, behind: StripRow.place(of: after, session), limit: limit).map {
        StripSummary(
          name: $0.name, settings: $0.settings, revision: $0.revision,
          totals: $0.totals.totals(itemWidth: $0.settings.itemWidth),
          kinds: $0.totals.kinds(of: $0.kinds))
      }
    }
  }

  package func cachedEdition(
    of name: String?, at revision: Int64?
  ) throws(CatalogueError) -> Edition? {
    guard let name = name ?? first.withLock({ $0 }) else { return nil }
    return strips.withLock { $0.find(name) }?.cachedEdition(at: revision)
  }

  package func edition(of name: String?, at revision: Int64?) throws(CatalogueError) -> Edition {
    guard let name else { return try edition(of: firstName(), at: revision) }
    let strip = cached(name)
    do throws(CatalogueError) {
      let edition = try strip.edition(at: revision)
      updateCost(of: strip)
      return edition
    } catch {
      if case .noSuchStrip = error { forget(strip) }
      throw error
    }
  }

  package func newestRevision(of name: String) throws(CatalogueError) -> Int64 {
    if let revision = strips.withLock({ $0.peek(name) })?.revision { return revision }
    let stored = try database.readStatement { session in
      try session.first("SELECT revision FROM strip WHERE name = $1", [.text(name)]) {
        try $0.integer(0)
      }
    }
    guard let stored else { throw .noSuchStrip(name) }
    return stored
  }

  package func revision(
    of name: String, before moment: Int64
  ) throws(CatalogueError) -> Int64? {
    let revision = try database.readStatement { session in
      try session.first(
        """
        SELECT coalesce((
          SELECT min(previous) FROM revision
          WHERE revision.strip = strip.number AND previous >= oldest_revision
            AND previous > coalesce((
              SELECT max(previous) FROM revision
              WHERE revision.strip = strip.number AND made < $2), -1)), revision)
        FROM strip WHERE name = $1
        """, [.text(name), .integer(moment)]
      ) { try $0.integer(0) }
    }
    guard let revision else { throw .noSuchStrip(name) }
    return revision
  }

  package func list(_ name: String, of strip: String) throws(CatalogueError) -> ItemList? {
    let found = try database.read { try ListRows.fetch(name, of: strip, $0) }
    guard let found else { return nil }
    // A store that cannot be written now is read all the same. The next use is recorded.
    if found.isUseOld {
      try? database.maintain { try ListRows.recordUse(of: name, of: strip, $0) }
    }
    return found.list
  }

  private func firstName() throws(CatalogueError) -> String {
    if let name = first.withLock({ $0 }) { return name }
    let count = reader.changes.value
    guard let name = try names(after: nil, limit: 1).first else { throw .noStrips }
    // The name can be outdated if the list has changed since it was read.
    first.withLock { if reader.changes.value == count { $0 = name } }
    return name
  }

  // MARK: - Loading

  package func load(_ progress: LoadProgress) throws(CatalogueError) {
    while let absence = try database.absence() {
      progress.obstacle = absence
      Thread.sleep(forTimeInterval: 0.2)
    }
    progress.obstacle = nil
    let long = try database.read { session in
      try session.map(
        "SELECT name, count FROM strip WHERE count >= $1 ORDER BY place",
        [.integer(Self.longCount)]
      ) { (name: try $0.text(0), count: Int(try $0.integer(1))) }
    }
    // As many as there is room for, the first made first.
    var room = memory / 2
    let loaded = long.prefix { strip in
      room -= 3000 + 10 * strip.count
      return room >= 0
    }
    for strip in loaded { progress.expect(strip.count) }
    var failure: CatalogueError?
    for (name, _) in loaded {
      let strip = cached(name)
      do throws(CatalogueError) {
        // Opened for each strip: a commit makes readers that were opened before it useless.
        try database.withParallelReaders { try strip.refresh(progress, with: $0) }
        updateCost(of: strip)
      } catch {
        forget(strip)
        if error.isStoreUnavailable { throw error }
        // A strip can be removed before its turn. A damaged strip does not stop the loading of others.
        if case .noSuchStrip = error { continue }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  // MARK: - Following

  /// Brings all strips in memory up to the database.
  package func refresh() throws(CatalogueError) {
    try followFirst()
    try followAll()
  }

  /// Takes up a revision that this process has committed. What fails here, the database reports again.
  func follow(_ change: CommittedRevision) {
    try? follow(change.row.name) { strip throws(CatalogueError) in try strip.follow(change) }
  }

  /// Takes up what any process has committed to one strip.
  ///
  /// - Throws: `.unavailable` or `.busy` if the database cannot be asked.
  func follow(_ name: String) throws(CatalogueError) {
    try follow(name) { strip throws(CatalogueError) in try strip.refreshIfLoaded() }
  }

  /// Forgets which strip is the first.
  func followList() {
    first.withLock {
      $0 = nil
      reader.changes.count()
    }
  }

  /// Looks whether the first strip is still the first.
  private func followFirst() throws(CatalogueError) {
    guard let known = first.withLock({ $0 }) else { return }
    if try names(after: nil, limit: 1).first != known { followList() }
  }

  /// Drops a strip that is damaged or gone. The next reader gets the error. The other strips are followed
  /// all the same.
  private func follow(
    _ name: String, _ update: (CachedStrip) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    guard let strip = strips.withLock({ $0.peek(name) }) else { return }
    do throws(CatalogueError) {
      try update(strip)
      updateCost(of: strip)
    } catch {
      if error.isStoreUnavailable { throw error }
      forget(strip)
    }
  }

  private func handle(_ notice: ChangeNotice) throws(CatalogueError) {
    switch notice {
    case .strip(let name): try follow(name)
    case .list: followList()
    case .anything: try refresh()
    case .nothing: evictIdle()
    }
  }

  /// Follows each strip in memory whose revision is another one in the database.
  ///
  /// - Throws: `.unavailable` if the database cannot be asked.
  private func followAll() throws(CatalogueError) {
    // A strip that is being loaded has no revision yet. What it reads can be older than the change.
    let known = strips.withLock { $0.all }.mapValues(\.revision)
    let names = known.keys.sorted()
    var newest: [String: Int64] = [:]
    try database.read { session in
      _ = try session.run(
        "SELECT name, revision FROM strip WHERE name = $1", forEach: names.map { [.text($0)] }
      ) { _, row in newest[try row.text(0)] = try row.integer(1) }
    }
    for (name, revision) in known where newest[name] != revision { try follow(name) }
  }

  // MARK: - Memory

  /// A strip that no reader asks for is evicted after five to ten minutes, unless it is long: that one
  /// takes long to load again, and goes only when others need its memory.
  private func evictIdle() {
    strips.withLock {
      $0.removeIdle(before: .now - .seconds(300), unless: { $0.cost > 10 * Self.longCount })
    }
  }

  private func cached(_ name: String) -> CachedStrip {
    strips.withLock { strips in
      strips.find(name) {
        let strip = CachedStrip(name: name, reader)
        return (strip, strip.cost)
      }
    }
  }

  private func updateCost(of strip: CachedStrip) {
    let cost = strip.cost
    strips.withLock { $0.updateCost(of: strip.name, to: cost) }
  }

  private func forget(_ strip: CachedStrip) {
    strips.withLock { _ = $0.remove(strip.name, where: { $0 === strip }) }
    // A name that no strip has is no change: a flood of such names must not invalidate cached answers.
    if strip.revision != nil { reader.changes.count() }
  }
}
