import Catalogue
import GRDB
import GRDBSQLite
import SQLCatalogue
import Views

/// A connection that reads items of windows with SQLite's C interface.
///
/// A transaction costs three system calls. So one stays open for some milliseconds, and serves many reads. They see the
/// database as it was when the transaction began, which is correct: what a revision contains never changes.
///
/// It stops at the first row that is not as expected. The caller reads the rest on another connection, which finds old
/// revisions and reports damage.
final class WindowReaderConnection: @unchecked Sendable {
  // Used only by the thread that has taken it from `WindowReaderPool`.
  private let revisionOf: PreparedStatement
  /// The columns are those of `ItemColumn`.
  private let rows: PreparedStatement
  /// GRDB opens and closes the connection. Its queue would cost a switch of threads for each read.
  private let queue: DatabaseQueue
  private let handle: OpaquePointer?
  private var began: ContinuousClock.Instant?
  /// The last strip that the transaction has looked up.
  private var known: (strip: Int64, revision: Int64)?

  /// While a transaction is open, SQLite cannot restart its log.
  private static let longestTransaction = Duration.milliseconds(50)
  /// The number of rows that are skipped before the statement starts again at the next sort key.
  private static let maxSkippedRows = 4

  /// - Parameter pageCache: in bytes. The inner pages of ten million items take 20 MB, and must stay in memory while
  ///   three times as many pages of rows are read.
  /// - Throws: if the file cannot be opened, or another file is at its path.
  init(of file: FileReference, pageCache: Int) throws {
    queue = try DatabaseQueue(path: file.path, configuration: Configuration(readonly: true))
    (handle, revisionOf, rows) = try queue.unsafeRead { db in
      try db.limitPageCache(to: pageCache)
      let statements = try [
        "SELECT revision FROM strip WHERE number = $1",
        """
        SELECT \(ItemRows.columnList) FROM item WHERE strip = $1 AND sort_key >= $2 ORDER BY sort_key
        """,
      ].map { PreparedStatement(try db.cachedStatement(sql: $0)) }
      return (db.sqliteConnection, statements[0], statements[1])
    }
    try file.check()
  }

  deinit { end() }

  /// See `WindowReader`. 0 also if the strip is gone or has not reached the revision.
  package func read(
    _ sortKeys: [Int64], of strip: Int64, at revision: Int64, _ body: (ItemBytes) -> Void
  ) -> Int {
    guard let first = sortKeys.first, canRead(strip, at: revision) else { return 0 }
    let rows = rows.pointer
    // The last sort key is no condition: SQLite would compare each row with it.
    sqlite3_bind_int64(rows, 1, strip)
    sqlite3_bind_int64(rows, 2, first)
    defer { sqlite3_reset(rows) }
    var count = 0
    var skipped = 0
    while count < sortKeys.count, sqlite3_step(rows) == SQLITE_ROW {
      let sortKey = integer(.sortKey)
      if sortKey == sortKeys[count] {
        guard let item = item(of: strip, at: revision) else { break }
        body(item)
        count += 1
        skipped = 0
        continue
      }
      // The items of a view are not neighbours.
      if skipped > Self.maxSkippedRows { break }
      skipped += 1
      if sortKey < sortKeys[count], skipped <= Self.maxSkippedRows { continue }
      skipped = Self.maxSkippedRows + 1
      sqlite3_reset(rows)
      sqlite3_bind_int64(rows, 2, sortKeys[count])
    }
    return count
  }

  func end() {
    guard began != nil else { return }
    sqlite3_exec(handle, "COMMIT", nil, nil, nil)
    began = nil
    known = nil
  }

  var isTooLong: Bool { began.map { .now - $0 > Self.longestTransaction } ?? false }

  /// Begins a transaction if none is open, or if its state is older than the revision.
  private func canRead(_ strip: Int64, at revision: Int64) -> Bool {
    if isTooLong { end() }
    if began != nil {
      if let known, known.strip == strip, known.revision >= revision { return true }
      if let found = find(strip), found >= revision { return true }
      end()
    }
    guard sqlite3_exec(handle, "BEGIN", nil, nil, nil) == SQLITE_OK else { return false }
    began = .now
    return find(strip).map { $0 >= revision } ?? false
  }

  /// Nil if there is no such strip or the row cannot be read.
  private func find(_ strip: Int64) -> Int64? {
    let statement = revisionOf.pointer
    sqlite3_bind_int64(statement, 1, strip)
    defer { sqlite3_reset(statement) }
    guard sqlite3_step(statement) == SQLITE_ROW else { return nil }
    let revision = sqlite3_column_int64(statement, 0)
    known = (strip, revision)
    return revision
  }

  /// Nil if the row is newer than the revision, or damaged.
  private func item(of strip: Int64, at revision: Int64) -> ItemBytes? {
    guard integer(.firstRevision) <= revision else { return nil }
    var checksum = RowChecksum()
    checksum.add(strip)
    for column in 0..<Int32(ItemColumn.checksum.rawValue) {
      switch sqlite3_column_type(rows.pointer, column) {
      case SQLITE_NULL: checksum.add(nil as Int64?)
      case SQLITE_INTEGER: checksum.add(sqlite3_column_int64(rows.pointer, column))
      default: checksum.add(bytes(column))
      }
    }
    guard checksum.value == integer(.checksum) else { return nil }
    return ItemBytes(id: bytes(.id), fields: bytes(.fields))
  }

  private func integer(_ column: ItemColumn) -> Int64 {
    sqlite3_column_int64(rows.pointer, Int32(column.rawValue))
  }

  private func bytes(_ column: ItemColumn) -> UnsafeRawBufferPointer {
    bytes(Int32(column.rawValue))
  }

  private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(rows.pointer, column)
    return UnsafeRawBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(rows.pointer, column)))
  }
}
