import Catalogue
import GRDB

/// What becomes of the strips of a copy when that is put in the place of the database it was made of.
///
///     database   7 ── 8 ── 9           answers at 8 and 9 may be kept for a year by whoever got them
///                └─ copy 7 ────── 2000 ── 2001
///
/// A copy is marked as one. Before its first change each of its strips goes on above the clock, so that
/// no number names two contents. Until then it may be looked at, and copied again. A database of a
/// version that did not know such marks counts as a copy.
enum Restoration {
  static func mark(_ db: Database) throws {
    guard try Schema.check(db, path: "") else { return }
    try db.execute(sql: "UPDATE changes SET is_copy = 1")
  }

  /// Whether a database is a copy that has not been changed yet.
  static func isDue(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT is_copy FROM changes") ?? false
  }

  /// Makes the next revision of each strip of a copy, which says what the former one said.
  ///
  /// - Complexity: O(strips).
  static func goOn(_ queue: DatabaseQueue) throws {
    guard try queue.read(isDue) else { return }
    try queue.writeAtOnce { db in
      // Another command may have been quicker.
      guard try isDue(db) else { return }
      let clock = WallClock.now
      for name in try String.fetchAll(db, sql: "SELECT name FROM strip") {
        guard let former = try StripRow.fetch(db, name: name) else { continue }
        var row = former
        row.revision = Revision.making(clock: clock, former: former.revision)
        let succession = try RevisionWriter(
          db, former: former, kinds: former.kinds(db), revision: row.revision)
        try row.update(db)
        try succession.finish(clock: clock)
      }
      try db.execute(sql: "UPDATE changes SET is_copy = 0")
    }
  }
}
