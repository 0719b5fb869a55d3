import Items
import Synchronization

/// The editions of one strip that are held: the newest, and those before it as long as what their
/// items say is in the store.
final class HeldStrip: Sendable {
  private struct Held {
    var newest: StoredStrip
    /// From old to new.
    var former: [Edition] = []
  }

  /// The contract's number of revisions to hold.
  private static let limit = 64

  private let name: String
  private let database: SQLiteReaders
  private let held = Mutex<Held?>(nil)
  /// Held while a layout is read anew, so that two readings do not overtake one another.
  private let refreshing = Mutex(())

  init(name: String, database: SQLiteReaders) {
    self.name = name
    self.database = database
  }

  /// The edition at `revision`, or the newest. Reads the layout the first time; who else asks for
  /// the strip meanwhile waits.
  func edition(at revision: Int64?) throws(CatalogueError) -> Edition {
    try held.withLock { held throws(CatalogueError) in
      if held == nil {
        guard let strip = try StoredStrip.load(name: name, database: database) else {
          throw .noSuchStrip(name)
        }
        held = Held(newest: strip)
      }
      guard let held else { throw .noSuchStrip(name) }
      let newest = held.newest.edition
      guard let revision, revision != newest.revision else { return newest }
      if let former = held.former.last(where: { $0.revision == revision }) { return former }
      guard held.newest.firstRevision..<newest.revision ~= revision else {
        throw .revisionUnknown(revision)
      }
      throw .revisionGone(revision)
    }
  }

  /// Reads the strip again if it has changed; readers go on with the edition before until then.
  ///
  /// - Returns: whether there is still such a strip.
  func refresh() throws(CatalogueError) -> Bool {
    try refreshing.withLock { _ throws(CatalogueError) in
      guard let known = held.withLock({ $0?.newest }) else { return true }
      let row = try database.read { db in try StripRow.fetch(db, name: name) }
      guard row?.revision != known.edition.revision || row?.number != known.number else {
        return true
      }
      guard let strip = try StoredStrip.load(name: name, database: database) else { return false }
      held.withLock { held in
        var former: [Edition] = []
        // The rows of a strip that was replaced are gone, and with them what its items said.
        if strip.number == known.number { former = (held?.former ?? []) + [known.edition] }
        held = Held(newest: strip, former: former.suffix(Self.limit - 1))
      }
      return true
    }
  }
}
