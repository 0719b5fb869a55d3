import Catalogue
import Items

/// A row of `revision`: the changes of the layout, and the kinds and settings before.
package struct RevisionRow {
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
      "weight", "weight_sum", "settings", "checksum",
    ]
  private static let columnList = columns.joined(separator: ", ")
  static let insert = """
    INSERT INTO revision (\(columnList)) VALUES (\(SQLValue.parameters(1...columns.count)))
    """

  func values(strip: Int64, _ bytes: [UInt8]) -> [SQLValue] {
    let values: [SQLValue] =
      [
        .integer(strip), .integer(previous), .integer(revision), .optional(changes.appendedFrom),
        .bytes(bytes), .names(kinds), .integer(created), .integer(ordinal), .integer(weight),
        .integer(weightSum), .utf8(settings.json),
      ]
    return values + [.integer(RowChecksum(of: values).value)]
  }
}

extension RevisionRow {
  /// The rows whose previous revisions are in `range`, in order.
  static func fetch(
    of strip: StripRow, after range: Range<Int64>, _ session: any SQLSession
  ) throws -> [RevisionRow] {
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

  private static func read(_ row: any SQLRow, of strip: StripRow) throws -> RevisionRow {
    try checking(row, of: strip) {
      RevisionRow(
        previous: try row.integer(1), revision: try row.integer(2),
        changes: try LayoutChanges(bytes: row.bytes(4), appendedFrom: row.optionalInteger(3)),
        kinds: try row.names(5), created: try row.integer(6), ordinal: try row.integer(7),
        weight: try row.integer(8), weightSum: try row.integer(9),
        settings: try StripSettings(json: row.bytes(10)))
    }
  }

  private static func checking<Value>(
    _ row: any SQLRow, of strip: StripRow, _ read: () throws -> Value
  ) throws -> Value {
    try withCorruptionContext(
      "the row of the log at the revision \((try? row.integer(2)) ?? 0)", of: strip.name
    ) {
      let value = try read()
      try RowChecksum.check(row, Array(columns.indices.dropLast()), columns.count - 1)
      return value
    }
  }
}

extension StripRow {
  /// The strip at an earlier revision; nil if that revision cannot be read.
  func earlier(at revision: Int64, _ session: any SQLSession) throws -> StripRow? {
    guard oldestRevision..<self.revision ~= revision,
      let logged = try RevisionRow.fetch(
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
    let log = try RevisionRow.fetch(of: self, after: known..<last, session)
    let end = log.reduce(known) { $0 == $1.previous ? $1.revision : -1 }
    return end == last ? log.map(\.changes) : nil
  }
}
