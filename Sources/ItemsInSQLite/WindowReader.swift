import Catalogue
import GRDBSQLite

/// A connection that reads what items say at their strip's newest revision, with nothing between it
/// and SQLite.
///
/// Its transaction stays open from one reading to the next, for a few milliseconds: to begin and end
/// one takes three calls of the system's. What is read meanwhile may be that old, and is right all
/// the same: what a strip says at a revision never changes.
///
/// It reads as far as everything is as it should be, and says how far that was. Whatever else there
/// is, a former revision or damage, is for `StoredItems` to find out on the other connections.
final class WindowReader: @unchecked Sendable {
  // Whoever has taken it from `WindowReaders` is alone with it.
  private let connection: OpaquePointer
  private let revisionOf: OpaquePointer
  private let rows: OpaquePointer
  private var began: ContinuousClock.Instant?
  /// What the transaction has found of a strip's revision.
  private var known: (strip: Int64, revision: Int64)?

  /// Writers can only tidy the log when nobody looks at what it was long ago.
  private static let longest = Duration.milliseconds(50)

  /// Opens `path`, with room for so many KiB of the file's pages; nil where that fails.
  init?(path: String, cache: Int) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
    sqlite3_open_v2(path, &opened, flags, nil)
    sqlite3_exec(opened, "PRAGMA cache_size = -\(cache)", nil, nil, nil)
    let revisionOf = Self.statement("SELECT revision FROM strip WHERE number = ?", opened)
    let rows = Self.statement(
      """
      SELECT position, id, fields FROM item WHERE strip = ? AND position >= ? ORDER BY position
      """, opened)
    guard let opened, let revisionOf, let rows else {
      sqlite3_finalize(revisionOf)
      sqlite3_finalize(rows)
      sqlite3_close(opened)
      return nil
    }
    connection = opened
    self.revisionOf = revisionOf
    self.rows = rows
  }

  deinit {
    end()
    sqlite3_finalize(revisionOf)
    sqlite3_finalize(rows)
    sqlite3_close(connection)
  }

  /// Hands out what stands at `positions` of a strip at a revision, in order, and says how much of
  /// it: nothing where the strip is at another revision now.
  func read(
    _ positions: [Int64], of strip: Int64, at revision: Int64, _ take: (ItemBytes) -> Void
  ) -> Int {
    guard let first = positions.first, sees(strip, at: revision) else { return 0 }
    // Where it ends is not said: SQLite would compare each row with that.
    sqlite3_bind_int64(rows, 1, strip)
    sqlite3_bind_int64(rows, 2, first)
    defer { sqlite3_reset(rows) }
    var count = 0
    while count < positions.count, sqlite3_step(rows) == SQLITE_ROW,
      sqlite3_column_int64(rows, 0) == positions[count],
      let item = StoredItem.bytes(id: column(1), fields: column(2))
    {
      take(item)
      count += 1
    }
    return count
  }

  /// Ends the transaction, if one is open: nothing keeps writers from tidying up.
  func end() {
    guard began != nil else { return }
    sqlite3_exec(connection, "COMMIT", nil, nil, nil)
    began = nil
    known = nil
  }

  /// Whether the transaction, or a new one, sees the strip at this revision.
  private func sees(_ strip: Int64, at revision: Int64) -> Bool {
    let now = ContinuousClock.now
    if let began, now - began > Self.longest { end() }
    if began != nil {
      if let known, known == (strip, revision) { return true }
      if look(for: strip) == revision { return true }
      // It began before the strip came to this revision, or the revision is a former one.
      end()
    }
    guard sqlite3_exec(connection, "BEGIN", nil, nil, nil) == SQLITE_OK else { return false }
    began = now
    return look(for: strip) == revision
  }

  /// The strip's revision; nil where there is no such strip, or it cannot be read.
  private func look(for strip: Int64) -> Int64? {
    sqlite3_bind_int64(revisionOf, 1, strip)
    defer { sqlite3_reset(revisionOf) }
    guard sqlite3_step(revisionOf) == SQLITE_ROW else { return nil }
    let revision = sqlite3_column_int64(revisionOf, 0)
    known = (strip, revision)
    return revision
  }

  /// The bytes of a column, which are there until the next row.
  private func column(_ number: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(rows, number)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(rows, number)))
  }

  private static func statement(_ sql: String, _ connection: OpaquePointer?) -> OpaquePointer? {
    var statement: OpaquePointer?
    sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    return statement
  }
}
