import Catalogue
import GRDB

/// Writes the items of an import that are to be all that a strip has: what differs from those that it
/// had, or where too much does, the strip anew.
struct ReplacementWriter: ReplacementWriting {
  private let db: Database
  private var row: StripRow
  private var replacement: StripReplacement
  /// Writes the strip anew, once too much differs.
  private var another: StripWriter?

  /// - Parameters:
  ///   - former: the strip as it is.
  ///   - settings: those that it is to have.
  ///   - count: how many items have come that are the strip's first ones, just as they are.
  ///   - kinds: those of these items.
  init(
    _ db: Database, of former: StripRow, settings: StripSettings,
    keeping count: Int = 0, _ kinds: KindTable = KindTable()
  ) throws {
    self.db = db
    row = former
    row.settings = settings
    row.revision = Revision.making(clock: WallClock.now, former: row.revision)
    try Folding.fold(former, db)
    row.folded = former.revision
    replacement = try StripReplacement(
      db, of: row,
      succession: RevisionWriter(
        db, former: former, kinds: former.kinds(db), revision: row.revision))
    try replacement.keep(first: count, kinds)
  }

  mutating func add(_ item: Item) throws {
    if another == nil {
      try replacement.add(item)
      if replacement.isAnother { try makeAnother() }
    } else {
      try another?.add(item)
    }
  }

  func isSame() -> Bool { another == nil && replacement.isSame }

  mutating func finish() throws -> ImportedStrip {
    if another == nil, let succession = try replacement.finish() {
      row.totals += replacement.difference
      try row.update(db)
      try succession.finish(clock: WallClock.now)
    } else {
      if another == nil { try makeAnother() }
      try another?.finish()
      row.totals += another?.added ?? StripTotals()
      try row.update(db)
    }
    return ImportedStrip(count: row.totals.count, revision: row.revision)
  }

  private mutating func makeAnother() throws {
    try row.makeAnew(db)
    another = try StripWriter(db, strip: row)
    try replacement.forEach { try another?.add($0) }
  }
}
