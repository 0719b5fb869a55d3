import Catalogue
import Items

/// A row of `revision`: the changes of the geometry, and the kinds and settings before.
package struct RevisionRow {
  let previous: Int64
  let revision: Int64
  let changes: GeometryChanges
  let kinds: [String]
  /// Microseconds since 1970.
  let created: Int64
  /// The number of the revision in the change log, the approximate bytes that keep it, and their sum so far.
  let ordinal: Int64
  let weight: Int64
  let weightSum: Int64
  let settings: StripSettings

  private enum Column: Int, TableColumn {
    case strip, previous, revision, appendedFrom, changes, kinds, created, ordinal, weight
    case weightSum, settings, checksum
  }

  package static let columns = Column.names
  private static let columnList = columns.joined(separator: ", ")
  static let insert = """
    INSERT INTO revision (\(columnList)) VALUES (\(SQLValue.parameters(1...columns.count)))
    """

  func values(strip: Int64, _ bytes: [UInt8]) -> [SQLValue] {
    Column.values { column in
      switch column {
      case .strip: .integer(strip)
      case .previous: .integer(previous)
      case .revision: .integer(revision)
      case .appendedFrom: .optional(changes.appendedFrom)
      case .changes: .bytes(bytes)
      case .kinds: .names(kinds)
      case .created: .integer(created)
      case .ordinal: .integer(ordinal)
      case .weight: .integer(weight)
      case .weightSum: .integer(weightSum)
      case .settings: .utf8(settings.json)
      case .checksum: .null
      }
    }
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

  /// Reads the bytes of the changes for the checksum, but does not parse them.
  static func last(
    of strip: StripRow, _ session: any SQLSession
  ) throws -> (ordinal: Int64, weightSum: Int64)? {
    try session.first(
      "SELECT \(columnList) FROM revision WHERE strip = $1 ORDER BY previous DESC LIMIT 1",
      [.integer(strip.number)]
    ) { row in
      try checking(row, of: strip) { row in
        (ordinal: try row.integer(.ordinal), weightSum: try row.integer(.weightSum))
      }
    }
  }

  private static func read(_ row: any SQLRow, of strip: StripRow) throws -> RevisionRow {
    try checking(row, of: strip) { row in
      RevisionRow(
        previous: try row.integer(.previous), revision: try row.integer(.revision),
        changes: try GeometryChanges(
          bytes: row.bytes(.changes), appendedFrom: row.optionalInteger(.appendedFrom)),
        kinds: try row.names(.kinds), created: try row.integer(.created),
        ordinal: try row.integer(.ordinal), weight: try row.integer(.weight),
        weightSum: try row.integer(.weightSum),
        settings: try StripSettings(json: row.bytes(.settings)))
    }
  }

  private static func checking<Value>(
    _ row: any SQLRow, of strip: StripRow, _ read: (TableRow<Column>) throws -> Value
  ) throws -> Value {
    let row = TableRow<Column>(row: row)
    return try withCorruptionContext(
      "the row of the change log at the revision \((try? row.integer(.revision)) ?? 0)",
      of: strip.name
    ) {
      let value = try read(row)
      try row.check()
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
  /// - Throws: `.corrupt` if the change log does not reach back.
  func changes(after known: Int64, _ session: any SQLSession) throws -> [GeometryChanges] {
    guard let changes = try changes(after: known, upTo: revision, session) else {
      throw CatalogueError.damaged("the change log", of: name, "it has a gap")
    }
    return changes
  }

  /// The changes up to `last`. Returns nil if the log does not lead there from `known`: it was trimmed, or the database was restored
  /// and has lost `known`.
  func changes(
    after known: Int64, upTo last: Int64, _ session: any SQLSession
  ) throws -> [GeometryChanges]? {
    guard known <= last else { return nil }
    let rows = try RevisionRow.fetch(of: self, after: known..<last, session)
    let end = rows.reduce(known) { $0 == $1.previous ? $1.revision : -1 }
    return end == last ? rows.map(\.changes) : nil
  }
}
