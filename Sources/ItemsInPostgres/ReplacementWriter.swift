import Catalogue

/// Writes the items of an import that are to be all that a strip has: what differs from those that it
/// had, or where too much does, the strip anew.
struct ReplacementWriter: ReplacementWriting {
  private let session: Session
  private var row: StripRow
  private var replacement: StripReplacement
  /// The number of the strip as it was.
  private let number: Int64
  /// Writes the strip anew, once too much differs.
  private var another: StripWriter?
  private let rows: RowBuffer

  /// - Parameters:
  ///   - coming: holds what is to be put elsewhere; what it held before is let go.
  ///   - former: the strip as it is, locked.
  ///   - settings: those that it is to have.
  ///   - count: how many items have come that are the strip's first ones, just as they are.
  ///   - seen: the ids of those.
  ///   - kinds: their kinds.
  init(
    _ session: Session, _ coming: StagingTable, of former: StripRow, settings: StripSettings,
    keeping count: Int = 0, _ seen: SeenIds = SeenIds(), _ kinds: KindTable = KindTable()
  ) throws {
    self.session = session
    rows = RowBuffer(session)
    var former = former
    try Folding.fold(&former, session)
    number = former.number
    row = former
    row.settings = settings
    row.revision = Revision.making(clock: try session.clock(), former: row.revision)
    replacement = try StripReplacement(
      session, coming, of: former, RevisionWriter(session, from: former, to: row.revision))
    try replacement.keep(first: count, seen, kinds)
  }

  mutating func add(_ item: Item) throws {
    if another == nil {
      try replacement.add(item)
      if replacement.isAnother { try makeAnother() }
    } else {
      try another?.add(item)
    }
  }

  mutating func isSame() throws -> Bool { try another == nil && replacement.isSame() }

  /// Servers are told by the caller.
  mutating func finish() throws -> ImportedStrip {
    if another == nil, let succession = try replacement.finish() {
      row.totals += replacement.difference
      row.pending = replacement.changeCount
      try row.store(session)
      try succession.finish()
    } else {
      if another == nil { try makeAnother() }
      try another?.finish()
      try rows.send()
      row.totals = another?.added ?? StripTotals()
      try row.store(session)
      try StripRow.deleteItems(of: number, session)
    }
    return ImportedStrip(count: row.totals.count, revision: row.revision)
  }

  private mutating func makeAnother() throws {
    try row.renew(session)
    another = try StripWriter(session, rows, strip: row, revision: row.revision)
    try replacement.forEach { try another?.add($0) }
  }
}
