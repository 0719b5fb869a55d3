import Catalogue

/// Writes the next revision of a strip. Before it changes rows, it copies them to `item_history`, so that earlier revisions
/// can still be read.
///
///     revision          7                    8                    9
///     item at 20      "Blue"  ── update ──  "Blues"
///                    since 5                since 8 ── remove ──  -
///     item_history          (20, 5 to 7, "Blue")   (20, 8 to 8, "Blues")
///
/// At revision r, a position has the row of `item_history` or `item` that was valid at r. Each revision has a row in the log,
/// with the changes of the layout and the settings before them.
struct RevisionWriter {
  private let session: any SQLSession
  let previous: StripRow
  let revision: Int64
  /// The approximate bytes that keep the previous revision.
  private var weight: Int64 = 0
  /// Whether no earlier revision can be read after this one.
  var trimsHistory = false

  init(_ session: any SQLSession, after previous: StripRow, revision: Int64? = nil) {
    self.session = session
    self.previous = previous
    self.revision = revision ?? previous.revision + 1
  }

  /// The approximate bytes of a superseded item beside its fields.
  private static let itemWeight: Int64 = 400

  mutating func archive(_ items: [(position: Int64, item: Item)]) throws {
    guard !trimsHistory else { return }
    // Rows that this revision has written have no history to keep.
    try session.run(
      """
      \(session.dialect.insertSelected) item_history (strip, last_revision, \(ItemRows.columnList))
      SELECT strip, $3, \(ItemRows.columnList) FROM item
      WHERE strip = $1 AND position = $2 AND first_revision <= $3
      """,
      forEach: items.map {
        [.integer(previous.number), .integer($0.position), .integer(previous.revision)]
      })
    weight += items.reduce(0) { $0 + Int64($1.item.fields.json.count) + Self.itemWeight }
  }

  /// Logs the revision, stores the strip's row, ends the retention of old revisions, and reports the change.
  ///
  /// - Parameter row: gets its revision and retention here.
  /// - Precondition: All items are written.
  mutating func finish(_ row: inout StripRow, _ changes: LayoutChanges) throws {
    let clock = try session.clock()
    let bytes = changes.bytes
    weight += Int64(bytes.count)
    let last = try RedoLogEntry.last(of: previous, session)
    let (ordinal, isLast) = (last?.ordinal ?? 0).addingReportingOverflow(1)
    let (weightSum, isTooHeavy) = (last?.weightSum ?? 0).addingReportingOverflow(weight)
    guard !isLast, !isTooHeavy else {
      throw CatalogueError.damaged("the log", of: row.name, "it has a number out of range")
    }
    let logged = RedoLogEntry(
      previous: previous.revision, revision: revision, changes: changes, kinds: previous.kinds,
      created: clock, ordinal: ordinal, weight: weight, weightSum: weightSum,
      settings: previous.settings)
    try session.run(RedoLogEntry.insert, logged.values(strip: previous.number, bytes))
    if changes.count == 0, row.layoutRevision == previous.revision {
      // The chunks hold the appended items, so they need no log.
      row.layoutRevision = revision
    } else {
      // At least 1, so that a log of settings and appended items is compacted too.
      row.uncompactedChanges += max(1, changes.count)
    }
    row.revision = revision
    try trimHistory(&row, ordinal: ordinal, weightSum: weightSum, clock: clock)
    try row.store(session)
    try session.notify([.strip(row.name)])
  }

  /// The number of log rows that are read at a time.
  private static let readCount = 8

  private func trimHistory(
    _ row: inout StripRow, ordinal: Int64, weightSum: Int64, clock: Int64
  ) throws {
    guard !trimsHistory else {
      return try trimHistory(&row, from: row.revision, last: previous.revision)
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
    try trimHistory(&row, from: last.oldest, last: last.previous)
  }

  private func trimHistory(_ row: inout StripRow, from oldest: Int64, last: Int64) throws {
    row.oldestRevision = oldest
    try GarbageCollection.add(strip: row.number, lastRevision: last, session)
    try Self.deleteLog(of: row, session)
  }

  /// Deletes the log rows before the oldest readable revision whose changes are in the layout's generation.
  static func deleteLog(of row: StripRow, _ session: any SQLSession) throws {
    try session.run(
      "DELETE FROM revision WHERE strip = $1 AND previous < $2 AND revision <= $3",
      [.integer(row.number), .integer(row.oldestRevision), .integer(row.layoutRevision)])
  }
}

/// Keeps revision numbers unique after a backup is restored.
///
///     original   7 ── 8 ── 9            caches can hold answers at 8 and 9 for a year
///                └─ copy 7 ────── 2000 ── 2001
///
/// Before its first change, a restored copy gives each strip a new revision above the clock, with the same content. A
/// number therefore never names two contents.
package enum RestoreGuard {
  /// Makes the next revision of each strip, with the same content, and discards unfinished generations. Damaged rows stay
  /// as they are. The caller marks the database as an original in the same transaction.
  ///
  /// - Complexity: O(strips).
  package static func bumpRevisions(_ session: any SQLSession) throws {
    for name in try session.map("SELECT name FROM strip ORDER BY place", [], { try $0.text(0) }) {
      let found: StripRow?
      do { found = try StripRow.fetch(session, name: name) } catch CatalogueError.corrupt {
        continue
      }
      guard var row = found else { continue }
      let revision = Revision.next(clock: try session.clock(), after: row.revision)
      var writer = RevisionWriter(session, after: row, revision: revision)
      try writer.finish(&row, LayoutChanges([]))
    }
    try UnfinishedGeneration.discardAll(lastStepBefore: .max, session)
    try session.notify([.anything])
  }
}

/// A row of `revision`: the changes of the layout, and the kinds and settings before.
package struct RedoLogEntry {
  let previous: Int64
  let revision: Int64
  let changes: LayoutChanges
  let kinds: [String]
  /// Microseconds since 1970.
  let created: Int64
  /// The number of the revision in the log, the approximate bytes that keep it, and their sum so far.
  let ordinal: Int64
  let weight: Int64
  let weightSum: Int64
  let settings: StripSettings

  package static let columns =
    [
      "strip", "previous", "revision", "appended_from", "changes", "kinds", "created", "ordinal",
      "weight", "weight_sum",
    ] + Setting.all.map(\.column) + ["checksum"]
  private static let columnList = columns.joined(separator: ", ")
  fileprivate static let insert = """
    INSERT INTO revision (\(columnList)) VALUES (\(SQLValue.parameters(1...columns.count)))
    """

  func values(strip: Int64, _ bytes: [UInt8]) -> [SQLValue] {
    let values: [SQLValue] =
      [
        .integer(strip), .integer(previous), .integer(revision), .optional(changes.appendedFrom),
        .bytes(bytes), .names(kinds), .integer(created), .integer(ordinal), .integer(weight),
        .integer(weightSum),
      ] + settings.values
    return values + [.integer(RowChecksum(of: values).value)]
  }
}

extension RedoLogEntry {
  /// The rows whose previous revisions are in `range`, in order.
  static func fetch(
    of strip: StripRow, after range: Range<Int64>, _ session: any SQLSession
  ) throws -> [RedoLogEntry] {
    try session.map(
      """
      SELECT \(columnList) FROM revision
      WHERE strip = $1 AND previous >= $2 AND previous < $3 ORDER BY previous
      """, [.integer(strip.number), .integer(range.lowerBound), .integer(range.upperBound)]
    ) { try read($0, of: strip) }
  }

  /// Does not read the changes, which can be many.
  static func last(
    of strip: StripRow, _ session: any SQLSession
  ) throws -> (ordinal: Int64, weightSum: Int64)? {
    try session.first(
      "SELECT \(columnList) FROM revision WHERE strip = $1 ORDER BY previous DESC LIMIT 1",
      [.integer(strip.number)]
    ) { row in
      try checking(row, of: strip) { (ordinal: try row.integer(7), weightSum: try row.integer(9)) }
    }
  }

  private static func read(_ row: any SQLRow, of strip: StripRow) throws -> RedoLogEntry {
    try checking(row, of: strip) {
      RedoLogEntry(
        previous: try row.integer(1), revision: try row.integer(2),
        changes: try LayoutChanges(bytes: row.bytes(4), appendedFrom: row.optionalInteger(3)),
        kinds: try row.names(5), created: try row.integer(6), ordinal: try row.integer(7),
        weight: try row.integer(8), weightSum: try row.integer(9),
        settings: try StripSettings(row, from: 10))
    }
  }

  private static func checking<Value>(
    _ row: any SQLRow, of strip: StripRow, _ read: () throws -> Value
  ) throws -> Value {
    try reading("the row of the log at the revision \((try? row.integer(2)) ?? 0)", of: strip.name)
    {
      let value = try read()
      try RowChecksum.check(row, last: columns.count - 1)
      return value
    }
  }
}

extension StripRow {
  /// The strip at an earlier revision; nil if that revision cannot be read.
  func earlier(at revision: Int64, _ session: any SQLSession) throws -> StripRow? {
    guard oldestRevision..<self.revision ~= revision,
      let logged = try RedoLogEntry.fetch(
        of: self, after: revision..<revision + 1, session
      ).first
    else { return nil }
    var row = self
    row.kinds = logged.kinds
    row.settings = logged.settings
    row.revision = revision
    return row
  }

  /// The changes of each revision after `known`, in order.
  ///
  /// - Throws: `.corrupt` if the log does not reach back.
  func changes(after known: Int64, _ session: any SQLSession) throws -> [LayoutChanges] {
    guard let changes = try changes(after: known, upTo: revision, session) else {
      throw CatalogueError.damaged("the log", of: name, "it has a gap")
    }
    return changes
  }

  /// The same up to `last`; nil if the log does not reach from one to the other. A server can know a revision that the
  /// database has lost.
  func changes(
    after known: Int64, upTo last: Int64, _ session: any SQLSession
  ) throws -> [LayoutChanges]? {
    guard known <= last else { return nil }
    let log = try RedoLogEntry.fetch(of: self, after: known..<last, session)
    let end = log.reduce(known) { $0 == $1.previous ? $1.revision : -1 }
    return end == last ? log.map(\.changes) : nil
  }
}
