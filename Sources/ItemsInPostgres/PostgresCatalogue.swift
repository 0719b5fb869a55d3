package import Catalogue
import Synchronization

/// The strips of a PostgreSQL database, and every change that anybody commits to it.
///
/// A strip's layout is read when the strip is first asked for, and stays while it is in use;
/// meanwhile the catalogue follows the log of changes, as the database tells of them. What items say
/// comes from a cache, or from the database where there is the mode for it.
package final class PostgresCatalogue: StripCatalogue {
  let database: PostgresReader
  let strips: StripCache<CachedStrip>
  /// The name of the first strip, once it has been asked for.
  private let first = Mutex<String?>(nil)
  private let follower = Mutex<Follower?>(nil)

  /// - Parameters:
  ///   - connections: how many are kept open to read.
  ///   - memory: bytes that the strips may take which are held, about.
  ///   - contents: bytes of what items say that are kept, about.
  ///   - follows: whether it is a server's, which hears of changes by itself, and waits for a
  ///     database that is away.
  /// - Throws: `.unavailable` where the database is not to be had or holds no catalogue.
  package init(
    _ address: Address, connections: Int = 8, memory: Int = 512 << 20, contents: Int = 256 << 20,
    follows: Bool = true
  ) throws(CatalogueError) {
    database = PostgresReader(
      sessions: .ofCatalogue(address, limit: connections), cache: ContentCache(limit: contents))
    strips = StripCache(limit: memory)
    let absence = try database.sessions.absence()
    if let absence, !follows { throw .unavailable(absence) }
    guard follows else { return }
    let follower = Follower(address) { [weak self] news in try self?.take(news) }
    self.follower.withLock { $0 = follower }
  }

  deinit { follower.withLock { $0 }?.end() }

  package func names(
    after: String?, limit: Int, mode: ReadMode
  ) throws(CatalogueError) -> [String] {
    guard mode == .mayBlock else { throw .wouldBlock }
    return try database.sessions.read { session in
      try session.run(
        "SELECT name FROM strip WHERE place > $1 ORDER BY place LIMIT $2",
        [.integer(place(of: after, session)), .integer(Int64(limit))]
      ).map { try $0.text(0) }
    }
  }

  package func edition(
    of name: String?, at revision: Int64?, mode: ReadMode
  ) throws(CatalogueError) -> Edition {
    guard let name else {
      return try edition(of: firstName(mode), at: revision, mode: mode)
    }
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
    guard mode == .mayBlock else { throw .wouldBlock }
    let revision = try database.sessions.read { session in
      try session.run(
        """
        SELECT coalesce((
          SELECT min(until) FROM past_strip
          WHERE past_strip.strip = strip.number AND until > coalesce((
            SELECT max(until) FROM past_strip
            WHERE past_strip.strip = strip.number AND ended < $2::bigint), -1)), revision)
        FROM strip WHERE name = $1
        """, [.text(name), .integer(moment)]
      ).first { try $0.integer(0) }
    }
    guard let revision else { throw .noSuchStrip(name) }
    return revision
  }

  func held(_ name: String) -> CachedStrip {
    strips.find(name) { CachedStrip(name: name, database: database) }
  }

  package var changeCount: Int? { database.changes.value }

  /// Makes new editions of all strips that have changed.
  package func refresh() throws(CatalogueError) {
    followList()
    for name in try changed() { try follow(name) }
  }

  /// Makes a new edition of one strip, if it is held and has changed, for whoever asks next.
  func follow(_ name: String) throws(CatalogueError) {
    guard let strip = strips.present(name) else { return }
    do throws(CatalogueError) {
      try strip.refresh()
      strips.weigh(strip, name)
    } catch {
      guard case .noSuchStrip = error else { throw error }
      forget(strip, name)
    }
  }

  /// Forgets which strip is the first.
  func followList() {
    first.withLock { $0 = nil }
    database.changes.count()
  }

  /// - Throws: `.unavailable` or `.busy` where it has to be told again. What is wrong with a strip is
  ///   told to whoever asks for that.
  private func take(_ news: Follower.News) throws(CatalogueError) {
    do throws(CatalogueError) {
      switch news {
      case .strip(let name): try follow(name)
      case .list: followList()
      case .anything: try refresh()
      case .nothing: strips.dropIdle(now: .now)
      }
    } catch {
      guard error.isOfTheStore else { return }
      throw error
    }
  }

  /// The names of the strips that are held and of another revision in the database.
  private func changed() throws(CatalogueError) -> [String] {
    let held = strips.all.compactMapValues(\.revision)
    let names = held.keys.sorted()
    let found = try database.sessions.read { session in
      try session.run(
        "SELECT name, revision FROM strip WHERE name = ANY($1)", [.texts(names)]
      ).map { (try $0.text(0), try $0.integer(1)) }
    }
    let newest = Dictionary(uniqueKeysWithValues: found)
    return names.filter { newest[$0] != held[$0] }
  }

  private func firstName(_ mode: ReadMode) throws(CatalogueError) -> String {
    if let name = first.withLock({ $0 }) { return name }
    guard let name = try names(after: nil, limit: 1, mode: mode).first else {
      throw .noStrips
    }
    first.withLock { $0 = name }
    return name
  }

  private func forget(_ strip: CachedStrip, _ name: String) {
    strips.forget(strip, name)
    database.changes.count()
  }
}
