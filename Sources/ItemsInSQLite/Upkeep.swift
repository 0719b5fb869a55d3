import GRDB
import Items

/// What a database needs done after changes, off their way: chunks of layouts brought up to date,
/// and rows deleted that nobody needs any more. In steps, each a short transaction of its own.
struct Upkeep {
  /// The strips whose chunks are to be brought up to date.
  private var strips: [String]
  private var folding: Folding?

  /// Up to a thousand changes wait in a strip for its chunks to be brought up to date, or a change
  /// for a thousand items: as many as make no difference to a server that reads the layout.
  ///
  /// - Parameter isIdle: whether strips are to be brought up to date that could wait.
  init(_ db: Database, isIdle: Bool) throws {
    strips = try String.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT name FROM strip WHERE folded < revision AND (? OR max(1000, count / 1000) < (
            SELECT total(change.count) FROM change
            WHERE change.strip = strip.number AND change.revision > strip.folded))
          """), arguments: [isIdle])
  }

  /// Does a little, in the caller's transaction.
  ///
  /// - Returns: whether there is more to do.
  /// - Complexity: a millisecond or two.
  mutating func step(_ db: Database) throws -> Bool {
    if folding == nil, let name = strips.popLast() {
      folding = try StripRow.fetch(db, name: name).flatMap { try Folding($0, db) }
    }
    if var next = folding {
      folding = nil
      if try next.step(db, chunks: 4) { folding = next }
      return true
    }
    guard strips.isEmpty else { return true }
    return try Sweeping.step(db, rows: 100)
  }
}
