import Catalogue
import Items

/// Writes the next revision of a strip. Before it changes rows, it copies them to `item_history`, so that earlier revisions
/// can still be read.
///
///     revision          7                    8                    9
///     item at 20      "Blue"  ── update ──  "Blues"
///                    since 5                since 8 ── remove ──  -
///     item_history          (20, 5 to 7, "Blue")   (20, 8 to 8, "Blues")
///
/// At revision r, a sort key has the row of `item_history` or `item` that was valid at r. Each revision has a row in the change log,
/// with the changes of the geometry and the settings before them.
struct RevisionWriter {
  private let session: any SQLSession
  let previous: StripRow
  let revision: Int64
  /// The approximate bytes that the store needs to keep the previous revision.
  private var weight: Int64 = 0
  /// Whether no earlier revision can be read after this one.
  var dropsHistory = false

  init(_ session: any SQLSession, after previous: StripRow, revision: Int64? = nil) {
    self.session = session
    self.previous = previous
    self.revision = revision ?? previous.revision + 1
  }

  /// The approximate bytes of a superseded item beside its fields.
  private static let itemWeight: Int64 = 400

  mutating func archive(_ items: [(sortKey: Int64, item: Item)]) throws {
    guard !dropsHistory else { return }
    // Rows that this revision has written have no history to keep.
    try session.run(
      """
      \(session.dialect.insertSelected) item_history (strip, last_revision, \(ItemRows.columnList))
      SELECT strip, $3, \(ItemRows.columnList) FROM item
      WHERE strip = $1 AND sort_key = $2 AND first_revision <= $3
      """,
      forEach: items.map {
        [.integer(previous.number), .integer($0.sortKey), .integer(previous.revision)]
      })
    weight += items.reduce(0) { $0 + Int64($1.item.fields.json.count) + Self.itemWeight }
  }

  /// Logs the revision, stores the strip's row, ends the retention of old revisions, and reports the change.
  ///
  /// - Parameter row: gets its revision and retention here.
  /// - Precondition: All items are written.
  mutating func storeRevision(_ row: inout StripRow, _ changes: GeometryChanges) throws {
    let clock = try session.clock()
    let bytes = changes.bytes
    weight += Int64(bytes.count)
    let last = try RevisionRow.last(of: previous, session)
    let (ordinal, isLast) = (last?.ordinal ?? 0).addingReportingOverflow(1)
    let (weightSum, isTooHeavy) = (last?.weightSum ?? 0).addingReportingOverflow(weight)
    guard !isLast, !isTooHeavy else {
      throw CatalogueError.damaged("the change log", of: row.name, "it has a number out of range")
    }
    let logged = RevisionRow(
      previous: previous.revision, revision: revision, changes: changes, kinds: previous.kinds,
      created: clock, ordinal: ordinal, weight: weight, weightSum: weightSum,
      settings: previous.settings)
    try session.run(RevisionRow.insert, logged.values(strip: previous.number, bytes))
    if changes.count == 0, row.layoutRevision == previous.revision {
      // The chunks hold the appended items, so they need no log.
      row.layoutRevision = revision
    } else {
      // At least 1, so that a log of settings and appended items is compacted too.
      row.uncompactedChanges += max(1, changes.count)
    }
    row.revision = revision
    try expireRevisions(&row, ordinal: ordinal, weightSum: weightSum, clock: clock)
    try row.store(session)
    try session.notify([.strip(row.name)])
  }

  /// The number of log rows that are read at a time.
  private static let readCount = 8

  private func expireRevisions(
    _ row: inout StripRow, ordinal: Int64, weightSum: Int64, clock: Int64
  ) throws {
    guard !dropsHistory else {
      return try dropHistory(of: &row, before: row.revision, last: previous.revision)
    }
    var last: (previous: Int64, oldest: Int64)?
    var count = Self.readCount
    // With each new revision, usually one old revision ends. A large revision can end all before it.
    while count == Self.readCount {
      count = 0
      try session.run(
        """
        SELECT previous, revision FROM (
          SELECT previous, revision, ordinal, weight_sum - weight AS before, created FROM revision
          WHERE strip = $1 AND previous >= $2 ORDER BY previous LIMIT $8) AS oldest
        WHERE $3 - ordinal >= $4 AND created < $5 OR $3 - ordinal >= 1 AND $6 - before > $7
        ORDER BY previous
        """,
        [
          .integer(row.number), .integer(last?.oldest ?? row.oldestRevision), .integer(ordinal),
          .integer(Retention.revisions - 1), .integer(clock - Retention.microseconds),
          .integer(weightSum), .integer(Retention.bytes), .integer(Self.readCount),
        ]
      ) {
        last = (previous: try $0.integer(0), oldest: try $0.integer(1))
        count += 1
      }
    }
    guard let last else { return }
    try dropHistory(of: &row, before: last.oldest, last: last.previous)
  }

  private func dropHistory(of row: inout StripRow, before oldest: Int64, last: Int64) throws {
    row.oldestRevision = oldest
    try DeletionQueue.add(strip: row.number, lastRevision: last, session)
    try Self.deleteLog(of: row, session)
  }

  /// Deletes the rows of the change log that no reader needs: they are before the oldest readable revision, and the
  /// generation has their changes.
  static func deleteLog(of row: StripRow, _ session: any SQLSession) throws {
    try session.run(
      "DELETE FROM revision WHERE strip = $1 AND previous < $2 AND revision <= $3",
      [.integer(row.number), .integer(row.oldestRevision), .integer(row.layoutRevision)])
  }
}
