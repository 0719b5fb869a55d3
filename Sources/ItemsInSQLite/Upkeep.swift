import Catalogue
import GRDB

/// What a database needs done after changes, off their way: chunks of layouts brought up to date,
/// and rows deleted that nobody needs any more. In steps, each a short transaction of its own.
struct Upkeep {
  /// The strips whose chunks are to be brought up to date.
  private var strips: [String]
  private var folding: Folding?

  /// Up to a thousand changes wait in a strip for its chunks to be brought up to date, or a change
  /// for a hundred items: a chunk is then written once for some ten changes of items that stand
  /// anywhere, and a server that reads the layout takes a tenth longer.
  ///
  /// - Parameter isIdle: whether strips are to be brought up to date that could wait.
  init(_ db: Database, isIdle: Bool) throws {
    strips = try String.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT name FROM strip WHERE folded < revision AND (? OR max(1000, count / 100) < (
            SELECT total(change.count) FROM change
            WHERE change.strip = strip.number AND change.revision > strip.folded))
          """), arguments: [isIdle])
  }

  /// Whether the next step needs `prepare` first.
  var isUnprepared: Bool { folding == nil && !strips.isEmpty }

  /// Reads what the next steps are to do, on any connection: changes need not wait for it.
  ///
  /// - Complexity: O(*k* log *k*) for *k* changes that are to be folded.
  mutating func prepare(_ db: Database) throws {
    guard folding == nil, let name = strips.popLast() else { return }
    folding = try StripRow.fetch(db, name: name).flatMap { try Folding($0, db) }
  }

  /// Does a little, in the caller's transaction.
  ///
  /// - Returns: whether there is more to do.
  /// - Complexity: a millisecond or two.
  mutating func step(_ db: Database) throws -> Bool {
    if var next = folding {
      folding = nil
      if try next.step(db, chunks: 2) { folding = next }
      return true
    }
    guard strips.isEmpty else { return true }
    return try Sweeping.step(db, rows: 100)
  }
}
