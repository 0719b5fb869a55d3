@preconcurrency import Dispatch
import GRDB
package import Items
import Synchronization

/// The strips of a SQLite file, and every change that other commands commit to it.
///
/// A strip's layout is read when the strip is first asked for, and stays; what items say is read
/// window by window. A quarter of a second after another command has committed, at most, editions
/// are new.
package final class SQLiteCatalogue: Catalogue {
  let database: SQLiteReaders
  private let strips = Mutex<[String: HeldStrip]>([:])
  /// The name of the first strip, once it has been asked for.
  private let first = Mutex<String?>(nil)
  private let seenVersion: Mutex<Int>
  private let changes = ChangeCounter()
  private let timer: any DispatchSourceTimer

  /// Opens a database that is there.
  ///
  /// - Parameter readers: how many requests may read at once.
  /// - Throws: `.unavailable` when there is none, it is none of ours, or of a newer version.
  package init(path: String, readers: Int = 8) throws(CatalogueError) {
    let database = try SQLiteReaders(path: path, count: readers)
    self.database = database
    seenVersion = Mutex(try database.dataVersion())
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "SQLiteCatalogue"))
    timer.setEventHandler { [weak self] in
      // What cannot be read now is tried again at the next tick; until then the old editions stand,
      // and a request that needs the database is told what is wrong with it.
      try? self?.refresh()
    }
    timer.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250))
    timer.activate()
  }

  deinit { timer.cancel() }

  package var changeCount: Int? { changes.value }

  package func names(
    after: String?, limit: Int, patience: Patience
  ) throws(CatalogueError) -> [String] {
    try database.read { db in
      var place: Int64 = -1
      if let after {
        guard let row = try StripRow.fetch(db, name: after) else {
          throw CatalogueError.noSuchStrip(after)
        }
        place = row.place
      }
      return try String.fetchAll(
        db, sql: "SELECT name FROM strip WHERE place > ? ORDER BY place LIMIT ?",
        arguments: [place, limit])
    }
  }

  package func edition(
    of name: String?, at revision: Int64?, patience: Patience
  ) throws(CatalogueError) -> Edition {
    guard let name else { return try edition(of: firstName(), at: revision, patience: patience) }
    let strip = strips.withLock { strips in
      if let held = strips[name] { return held }
      let held = HeldStrip(name: name, database: database, changes: changes)
      strips[name] = held
      return held
    }
    do throws(CatalogueError) {
      return try strip.edition(at: revision, patience: patience)
    } catch {
      if case .noSuchStrip = error { forget(strip, name) }
      throw error
    }
  }

  /// Makes a new edition of one strip, if it has changed, for whoever asks next.
  func follow(_ name: String) throws(CatalogueError) {
    first.withLock { $0 = nil }
    changes.count()
    if let strip = strips.withLock({ $0[name] }), try !strip.refresh() { forget(strip, name) }
  }

  /// Makes new editions of the strips that another connection has changed since the last time.
  ///
  /// - Complexity: O(1) where nothing was committed; else a row for each strip held, and the layout
  ///   of those that changed.
  package func refresh() throws(CatalogueError) {
    let version = try database.dataVersion()
    guard seenVersion.withLock({ $0 != version }) else { return }
    first.withLock { $0 = nil }
    changes.count()
    let held = strips.withLock { $0 }
    for (name, strip) in held where try !strip.refresh() { forget(strip, name) }
    seenVersion.withLock { $0 = version }
  }

  private func firstName() throws(CatalogueError) -> String {
    if let name = first.withLock({ $0 }) { return name }
    guard let name = try names(after: nil, limit: 1).first else { throw .noStrips }
    first.withLock { $0 = name }
    return name
  }

  private func forget(_ strip: HeldStrip, _ name: String) {
    strips.withLock { strips in
      if strips[name] === strip { strips[name] = nil }
    }
    changes.count()
  }
}
