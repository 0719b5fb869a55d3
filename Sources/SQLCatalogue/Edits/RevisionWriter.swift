import Catalogue

/// Writes the next revision of a strip. It first copies superseded rows to `past_item`, so that earlier
/// revisions can still be read.
///
///     revision          7                    8                    9
///     item at 20      "Blue"  ── update ──  "Blues"
///                    since 5                since 8 ── remove ──  -
///     past_item             (20, 5 to 7, "Blue")   (20, 8 to 8, "Blues")
///
/// A reader of position 20 at revision r takes the row, of `past_item` or of `item`, that was valid then.
/// The log has one row for each revision: how the layout changed, and the settings before.
struct RevisionWriter {
  private let session: any SQLSession
  let previous: StripRow
  let revision: Int64
  /// About how many bytes it takes to keep the previous revision.
  private var weight: Int64 = 0

  /// - Parameter revision: the next number if nil.
  init(_ session: any SQLSession, after previous: StripRow, revision: Int64? = nil) {
    self.session = session
    self.previous = previous
    self.revision = revision ?? previous.revision + 1
  }

  /// About how many bytes a superseded item takes beside its fields.
  private static let itemWeight: Int64 = 400

  /// Copies items to the past, as they are stored. They can then be written over.
  mutating func supersede(_ items: [(position: Int64, item: Item)]) throws {
    // A row of this revision is new: no earlier revision had it.
    try session.run(
      """
      \(session.dialect.insertSelected) past_item (strip, last_revision, \(ItemRows.columnList))
      SELECT strip, $3, \(ItemRows.columnList) FROM item
      WHERE strip = $1 AND position = $2 AND first_revision <= $3
      """,
      forEach: items.map {
        [.integer(previous.number), .integer($0.position), .integer(previous.revision)]
      })
    weight += items.reduce(0) { $0 + Int64($1.item.fields.json.count) + Self.itemWeight }
  }

  /// Logs the revision, stores the strip's row, ends the retention of revisions that are too old, and
  /// reports the change. To be called last, with all items written.
  ///
  /// - Parameter row: the strip as it is from now on; its revision and retention are set here.
  mutating func finish(_ row: inout StripRow, _ changes: LayoutChanges) throws {
    let clock = try session.clock()
    let bytes = changes.bytes
    weight += Int64(bytes.count)
    let last = try LoggedRevision.last(of: previous, session)
    let (ordinal, isLast) = (last?.ordinal ?? 0).addingReportingOverflow(1)
    let (weights, isTooHeavy) = (last?.weights ?? 0).addingReportingOverflow(weight)
    guard !isLast, !isTooHeavy else {
      throw CatalogueError.damaged("the log", of: row.name, "it has a number out of range")
    }
    let logged = LoggedRevision(
      previous: previous.revision, revision: revision, changes: changes, kinds: previous.kinds,
      created: clock, ordinal: ordinal, weight: weight, weights: weights,
      settings: previous.settings)
    try session.run(
      """
      INSERT INTO revision (\(LoggedRevision.columnList))
      VALUES (\(SQLValue.parameters(1...LoggedRevision.columns.count)))
      """, logged.values(strip: previous.number, bytes))
    if changes.count == 0, row.layoutRevision == previous.revision {
      // The chunks hold the appended items: the log need not be kept for them.
      row.layoutRevision = revision
    } else {
      // At least 1, so that a log of settings and appended items is compacted as well.
      row.uncompactedChanges += max(1, changes.count)
    }
    row.revision = revision
    if row.settings.filterable != previous.settings.filterable
      || row.settings.searchable != previous.settings.searchable
    {
      try row.dropColumns(session)
    }
    try endRetention(&row, ordinal: ordinal, weights: weights, clock: clock)
    try row.store(session)
    try session.notify([.strip(row.name)])
  }

  /// Moves `oldestRevision` on past revisions that no longer have to be readable.
  private func endRetention(
    _ row: inout StripRow, ordinal: Int64, weights: Int64, clock: Int64
  ) throws {
    let next = try session.first(
      """
      SELECT previous, revision FROM (
        SELECT previous, revision, ordinal, weight_sum - weight AS before, created FROM revision
        WHERE strip = $1 AND previous >= $2 ORDER BY previous LIMIT 8) AS oldest
      WHERE $3 - ordinal >= $4 AND (created < $5 OR $6 - before > $7)
      ORDER BY previous DESC LIMIT 1
      """,
      [
        .integer(row.number), .integer(row.oldestRevision), .integer(ordinal),
        .integer(Retention.revisions - 1), .integer(clock - Retention.microseconds),
        .integer(weights), .integer(Retention.bytes),
      ]
    ) { (previous: try $0.integer(0), oldest: try $0.integer(1)) }
    guard let next else { return }
    row.oldestRevision = next.oldest
    try Purge.add(strip: row.number, lastRevision: next.previous, session)
    try Self.deleteLog(of: row, session)
  }

  /// Deletes log rows that no reader needs: no readable revision is before them, and the layout's
  /// generation and the stored columns hold their changes.
  static func deleteLog(of row: StripRow, _ session: any SQLSession) throws {
    try session.run(
      "DELETE FROM revision WHERE strip = $1 AND previous < $2 AND revision <= $3",
      [.integer(row.number), .integer(row.oldestRevision), .integer(row.loggedRevision)])
  }
}

/// Keeps revision numbers unique after a backup is restored.
///
///     original   7 ── 8 ── 9            caches can hold answers at 8 and 9 for a year
///                └─ copy 7 ────── 2000 ── 2001
///
/// A database knows whether it is the original. Before its first change, a restored copy gives each strip a
/// new revision above the clock, with the same content. A number therefore never names two contents.
package enum RestoreGuard {
  /// Makes the next revision of each strip, with the same content. The caller marks the database as an
  /// original in the same transaction. Discards the compactions that were running when the copy was made.
  ///
  /// A damaged row of a strip stays as it is: nothing reads it.
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

// MARK: - The log

/// A row of `revision`: how a revision changed the layout, and the kinds and settings before it.
package struct LoggedRevision {
  let previous: Int64
  let revision: Int64
  let changes: LayoutChanges
  let kinds: [String]
  /// The time, in microseconds since 1970.
  let created: Int64
  /// The number of revisions in the log so far, and about the bytes that keep this one and all of them.
  let ordinal: Int64
  let weight: Int64
  let weights: Int64
  let settings: StripSettings

  package static let columns =
    [
      "strip", "previous", "revision", "appended_from", "changes", "kinds", "created", "ordinal",
      "weight", "weight_sum",
    ] + Setting.all.map(\.column) + ["checksum"]
  static let columnList = columns.joined(separator: ", ")

  /// - Parameter bytes: those of the changes.
  func values(strip: Int64, _ bytes: [UInt8]) -> [SQLValue] {
    let values: [SQLValue] =
      [
        .integer(strip), .integer(previous), .integer(revision), .optional(changes.appendedFrom),
        .bytes(bytes), .names(kinds), .integer(created), .integer(ordinal), .integer(weight),
        .integer(weights),
      ] + settings.values
    return values + [.integer(RowChecksum(of: values).value)]
  }
}

extension LoggedRevision {
  /// The rows whose previous revisions are in `range`, in order.
  static func fetch(
    of strip: StripRow, after range: Range<Int64>, _ session: any SQLSession
  ) throws -> [LoggedRevision] {
    try session.map(
      """
      SELECT \(columnList) FROM revision
      WHERE strip = $1 AND previous >= $2 AND previous < $3 ORDER BY previous
      """, [.integer(strip.number), .integer(range.lowerBound), .integer(range.upperBound)]
    ) { try read($0, of: strip) }
  }

  static func last(of strip: StripRow, _ session: any SQLSession) throws -> LoggedRevision? {
    try session.first(
      "SELECT \(columnList) FROM revision WHERE strip = $1 ORDER BY previous DESC LIMIT 1",
      [.integer(strip.number)]
    ) { try read($0, of: strip) }
  }

  private static func read(_ row: any SQLRow, of strip: StripRow) throws -> LoggedRevision {
    try reading("the row of the log at the revision \((try? row.integer(2)) ?? 0)", of: strip.name)
    {
      let bytes = try row.bytes(4)
      let read = LoggedRevision(
        previous: try row.integer(1), revision: try row.integer(2),
        changes: try LayoutChanges(bytes: bytes, appendedFrom: row.optionalInteger(3)),
        kinds: try row.names(5), created: try row.integer(6), ordinal: try row.integer(7),
        weight: try row.integer(8), weights: try row.integer(9),
        settings: try StripSettings(row, from: 10))
      try RowChecksum(of: read.values(strip: strip.number, bytes).dropLast()).check(
        row.integer(columns.count - 1))
      return read
    }
  }
}

extension StripRow {
  /// The revision up to which the log is not needed to read the layout or the columns.
  var loggedRevision: Int64 { min(layoutRevision, columns?.revision ?? .max) }

  /// The strip as it was at an earlier revision that can be read; nil if that is no such revision.
  func earlier(at revision: Int64, _ session: any SQLSession) throws -> StripRow? {
    guard oldestRevision..<self.revision ~= revision,
      let logged = try LoggedRevision.fetch(
        of: self, after: revision..<revision + 1, session
      ).first
    else { return nil }
    var row = self
    row.kinds = logged.kinds
    row.settings = logged.settings
    row.revision = revision
    return row
  }

  /// The changes of each revision after one that the log reaches back to, in order.
  ///
  /// - Throws: `.corrupt` if it does not.
  func changes(after known: Int64, _ session: any SQLSession) throws -> [LayoutChanges] {
    guard let changes = try changes(after: known, upTo: revision, session) else {
      throw CatalogueError.damaged("the log", of: name, "it has a gap")
    }
    return changes
  }

  /// The changes of each revision after `known` up to `last`, in order; nil if the log does not lead from one
  /// to the other. A server can know a revision from a database that was lost.
  func changes(
    after known: Int64, upTo last: Int64, _ session: any SQLSession
  ) throws -> [LayoutChanges]? {
    guard known <= last else { return nil }
    let log = try LoggedRevision.fetch(of: self, after: known..<last, session)
    let end = log.reduce(known) { $0 == $1.previous ? $1.revision : -1 }
    return end == last ? log.map(\.changes) : nil
  }
}
