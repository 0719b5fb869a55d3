import CSQLite

/// An open SQLite database, and its prepared statements. One thread uses it at a time.
package final class SQLiteHandle {
  package let pointer: OpaquePointer
  private var statements: [String: PreparedStatement] = [:]

  /// Opens a file, which is made if there is none.
  ///
  /// - Parameters:
  ///   - path: a path or a URI. An empty one is SQLite's name for a temporary file.
  ///   - timeout: how many milliseconds a statement waits for the lock of another connection.
  init(path: String, isReadOnly: Bool, timeout: Int) throws(SQLiteFailure) {
    let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw SQLiteFailure(code)
    }
    pointer = opened
    sqlite3_busy_timeout(opened, Int32(timeout))
    // SQLite opens the file and its log with the first read.
    try execute("SELECT 1 FROM sqlite_schema LIMIT 1")
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(pointer)
  }

  /// The error of the last call.
  var failure: SQLiteFailure {
    SQLiteFailure(
      sqlite3_extended_errcode(pointer), String(cString: sqlite3_errmsg(pointer)))
  }

  /// Runs statements that take no values. Rows are ignored.
  package func execute(_ sql: String) throws(SQLiteFailure) {
    guard sqlite3_exec(pointer, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  /// The cached statement for a text; another one while the cached one gives rows.
  func prepare(_ sql: String) throws(SQLiteFailure) -> PreparedStatement {
    if let cached = statements[sql], sqlite3_stmt_busy(cached.pointer) == 0 { return cached }
    var made: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    guard sqlite3_prepare_v3(pointer, sql, -1, flags, &made, nil) == SQLITE_OK, let made else {
      throw failure
    }
    let statement = PreparedStatement(made)
    if statements[sql] == nil { statements[sql] = statement }
    return statement
  }

  /// The first column of the first row; nil if there is no row.
  package func integer(_ sql: String) throws(SQLiteFailure) -> Int? {
    let statement = try prepare(sql)
    defer { sqlite3_reset(statement.pointer) }
    switch sqlite3_step(statement.pointer) {
    case SQLITE_ROW: return Int(sqlite3_column_int64(statement.pointer, 0))
    case SQLITE_DONE: return nil
    default: throw failure
    }
  }

  /// Runs `body` in a transaction, which is rolled back if `body` throws.
  func transaction<Value>(_ begin: Begin, _ body: () throws -> Value) throws -> Value {
    try execute(begin.rawValue)
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      // SQLite itself has rolled back after some errors.
      if sqlite3_get_autocommit(pointer) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// How a transaction begins.
  enum Begin: String {
    /// Takes the write lock first: nothing that the transaction reads can change before it commits.
    case immediate = "BEGIN IMMEDIATE"
    /// Everything it reads is of the moment of the first statement.
    case deferred = "BEGIN"
  }

  /// Copies frames of the write-ahead log into the file.
  ///
  /// - Returns: whether all frames were copied.
  @discardableResult
  package func checkpoint(_ mode: Int32) throws(SQLiteFailure) -> Bool {
    var (frames, copied): (Int32, Int32) = (0, 0)
    guard sqlite3_wal_checkpoint_v2(pointer, nil, mode, &frames, &copied) == SQLITE_OK else {
      throw failure
    }
    return copied == frames
  }

  /// Copies all pages to another database.
  func backup(to target: SQLiteHandle) throws(SQLiteFailure) {
    guard let backup = sqlite3_backup_init(target.pointer, "main", pointer, "main") else {
      throw target.failure
    }
    let code = sqlite3_backup_step(backup, -1)
    sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw SQLiteFailure(code) }
  }
}

/// A failure that SQLite reports.
package struct SQLiteFailure: Error {
  /// The extended result code.
  package let code: Int32
  let message: String

  init(_ code: Int32, _ message: String? = nil) {
    self.code = code
    self.message = message ?? String(cString: sqlite3_errstr(code))
  }

  /// The result code, without its details.
  var primaryCode: Int32 { code & 0xFF }
}
