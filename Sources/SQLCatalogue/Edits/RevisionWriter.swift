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
  /// The strip before.
  let previous: StripRow
  /// The revision that is written.
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
  /// - Parameters:
  ///   - row: the strip as it is from now on; its revision and retention are set here.
  ///   - changes: how the layout changed.
  mutating func finish(_ row: inout StripRow, _ changes: LayoutChanges) throws {
    let clock = try session.clock()
    let bytes = changes.bytes
    weight += Int64(bytes.count)
    let last = try session.first(
      "SELECT ordinal, weight_sum FROM revision WHERE strip = $1 ORDER BY previous DESC LIMIT 1",
      [.integer(previous.number)]
    ) { (ordinal: try $0.integer(0), weights: try $0.integer(1)) }
    let (ordinal, isLast) = (last?.ordinal ?? 0).addingReportingOverflow(1)
    let (weights, isTooHeavy) = (last?.weights ?? 0).addingReportingOverflow(weight)
    guard !isLast, !isTooHeavy else {
      throw CatalogueError.corrupt(
        "the log of the strip \"\(row.name)\" has a number out of range")
    }
    try session.run(
      """
      INSERT INTO revision (strip, previous, revision, created, ordinal, weight, weight_sum,
        changes, appended_from, kinds, \(StripRow.settingsColumns))
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, \(StripRow.settingsParameters(from: 11)))
      """,
      [
        .integer(previous.number), .integer(previous.revision), .integer(revision),
        .integer(clock), .integer(ordinal), .integer(weight), .integer(weights),
        .bytes(bytes), .optional(changes.appendedFrom), .names(previous.kinds),
      ] + previous.settings.values)
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
