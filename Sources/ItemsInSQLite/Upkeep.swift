import GRDB
import Items

/// What a database needs done after changes, off their way: chunks of layouts brought up to date,
/// and rows deleted that nobody needs any more. In steps, each a short transaction of its own.
struct Upkeep {
  private var foldings: [Folding] = []

  /// Up to so many changes wait in a strip for its chunks to be brought up to date: as many as make
  /// no difference to a server that reads the layout.
  private static func patience(_ count: Int) -> Int { max(1000, count / 1000) }

  /// - Parameter isIdle: whether strips are to be brought up to date that could wait.
  init(_ db: Database, isIdle: Bool) throws {
    for name in try String.fetchAll(
      db, sql: "SELECT name FROM strip WHERE folded < revision")
    {
      guard let row = try StripRow.fetch(db, name: name) else { continue }
      let pending = try Folding.pending(row, db)
      if !isIdle {
        let count = try Int.fetchOne(
          db, sql: "SELECT total(count) FROM layout WHERE strip = ?", arguments: [row.number])
        guard pending > Self.patience(count ?? 0) else { continue }
      }
      if let folding = try Folding(row, db) { foldings.append(folding) }
    }
  }

  /// Does a little, in the caller's transaction.
  ///
  /// - Returns: whether there is more to do.
  /// - Complexity: some milliseconds.
  mutating func step(_ db: Database) throws -> Bool {
    if let last = foldings.indices.last {
      if try !foldings[last].step(db, chunks: 16) { foldings.removeLast() }
      return true
    }
    return try Sweeping.step(db, rows: 250)
  }
}
