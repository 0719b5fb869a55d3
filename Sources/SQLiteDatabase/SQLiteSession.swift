import Catalogue
import Foundation
import GRDB
import GRDBSQLite
import Items
import SQLCatalogue
import Views

/// A SQLite connection within a transaction. GRDB caches the statements. The C interface binds and reads values without
/// boxing.
final class SQLiteSession: SQLSession {
  let db: Database
  private let path: String

  static let dialect = SQLDialect(
    lockClause: "",
    // A scan of all superseded rows of a strip would be long. The join looks once for each revision.
    itemHistory: """
      (SELECT previous FROM revision WHERE strip = $1 AND previous >= $2) CROSS JOIN item_history
      WHERE strip = $1 AND last_revision = previous
      """,
    makeTemporaryTable: """
      CREATE TEMP TABLE IF NOT EXISTS staged (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, item BLOB NOT NULL);
      DELETE FROM staged;
      """,
    // Without `OR FAIL`, SQLite first writes five pages for each row to a temporary file, to be able to undo it.
    insertSelected: "INSERT OR FAIL INTO",
    lookupBatchSize: 1,
    size: """
      SELECT page_count * page_size, freelist_count * page_size
      FROM pragma_page_count, pragma_freelist_count, pragma_page_size
      """)

  init(_ db: Database, path: String) {
    self.db = db
    self.path = path
  }

  var dialect: SQLDialect { Self.dialect }

  @discardableResult
  func run(
    _ sql: String, _ values: [SQLValue], _ row: (any SQLRow) throws -> Void
  ) throws -> Int {
    try execute(prepare(sql), values, row)
  }

  @discardableResult
  func run(
    _ sql: String, forEach sets: [[SQLValue]], _ row: (Int, any SQLRow) throws -> Void
  ) throws -> Int {
    let statement = try prepare(sql)
    var changed = 0
    for (index, values) in sets.enumerated() {
      changed += try execute(statement, values) { try row(index, $0) }
    }
    return changed
  }

  func runScript(_ sql: String) throws {
    try mappingErrors(path) { try db.execute(sql: sql) }
  }

  func nextNumber() throws -> Int64 {
    let number = try first(
      "UPDATE catalogue SET last_number = last_number + 1 RETURNING last_number"
    ) { try $0.integer(0) }
    guard let number else { throw CatalogueError.corrupt("\(path): the table catalogue is empty") }
    return number
  }

  func clock() -> Int64 { WallClock.now }

  func notify(_ notifications: [ChangeNotification]) throws {
    try ChangeObserver.write(notifications, self)
  }

  func bulkWriter() -> any SQLBulkWriter { SQLiteBulkWriter(self) }

  /// The cached statement of this text, or a second one while the cached one is in use.
  func prepare(_ sql: String) throws -> PreparedStatement {
    try mappingErrors(path) {
      let cached = try db.cachedStatement(sql: sql)
      let isBusy = sqlite3_stmt_busy(cached.sqliteStatement) != 0
      return PreparedStatement(isBusy ? try db.makeStatement(sql: sql) : cached)
    }
  }

  func execute(
    _ statement: PreparedStatement, _ values: [SQLValue], _ row: (any SQLRow) throws -> Void
  ) throws -> Int {
    for (index, parameter) in statement.parameters.enumerated() {
      statement.bind(Int32(index + 1), values[parameter])
    }
    let pointer = statement.pointer
    // A bound value stays in memory until it is cleared: the ids of a list can have 51.5 MB.
    defer {
      sqlite3_reset(pointer)
      sqlite3_clear_bindings(pointer)
    }
    while true {
      switch sqlite3_step(pointer) {
      case SQLITE_ROW: try row(SQLiteRow(pointer: pointer))
      case SQLITE_DONE:
        return sqlite3_stmt_readonly(pointer) == 0 ? Int(sqlite3_changes(db.sqliteConnection)) : 0
      default:
        let code = ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection))
        throw CatalogueError(
          DatabaseError(resultCode: code, message: db.lastErrorMessage), path: path)
      }
    }
  }
}

/// A statement of SQLite. GRDB owns the handle.
struct PreparedStatement {
  private let owner: Statement
  let pointer: OpaquePointer
  /// The index of each parameter's value. SQLite numbers names in the order in which they occur.
  let parameters: [Int]

  init(_ owner: Statement) {
    self.owner = owner
    let pointer = owner.sqliteStatement
    self.pointer = pointer
    parameters = (0..<sqlite3_bind_parameter_count(pointer)).map { index in
      guard let name = sqlite3_bind_parameter_name(pointer, index + 1),
        case let number = atoi(name + 1), number > 0
      else { preconditionFailure("Parameters are named $1, $2 and so on.") }
      return Int(number) - 1
    }
  }

  /// Binds a copy.
  func bind(_ index: Int32, _ value: SQLValue) {
    switch value {
    case .null: sqlite3_bind_null(pointer, index)
    case .integer(let number): sqlite3_bind_int64(pointer, index, number)
    case .text(var text): text.withUTF8 { bind(index, UnsafeRawBufferPointer($0), isText: true) }
    case .utf8(let text): text.withUnsafeBytes { bind(index, $0, isText: true) }
    case .bytes(let bytes): bytes.withUnsafeBytes { bind(index, $0, isText: false) }
    }
  }

  private func bind(_ index: Int32, _ bytes: UnsafeRawBufferPointer, isText: Bool) {
    // A null address would bind NULL. The address of no bytes is not read.
    let start = bytes.baseAddress ?? UnsafeRawPointer(pointer)
    let count = Int32(bytes.count)
    if isText {
      let characters = start.assumingMemoryBound(to: CChar.self)
      sqlite3_bind_text(pointer, index, characters, count, Self.transient)
    } else {
      sqlite3_bind_blob(pointer, index, start, count, Self.transient)
    }
  }

  private static var transient: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}

private struct SQLiteRow: SQLRow {
  let pointer: OpaquePointer

  func isNull(_ column: Int) -> Bool { type(of: column) == SQLITE_NULL }

  func isInteger(_ column: Int) -> Bool { type(of: column) == SQLITE_INTEGER }

  func integer(_ column: Int) throws -> Int64 {
    guard isInteger(column) else { throw damaged(column) }
    return sqlite3_column_int64(pointer, Int32(column))
  }

  func text(_ column: Int) throws -> String {
    guard type(of: column) == SQLITE_TEXT,
      let text = String(validating: raw(column), as: UTF8.self)
    else { throw damaged(column) }
    return text
  }

  func withBytes<Value>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Value
  ) throws -> Value {
    guard [SQLITE_TEXT, SQLITE_BLOB].contains(type(of: column)) else { throw damaged(column) }
    return try body(raw(column))
  }

  private func type(of column: Int) -> Int32 { sqlite3_column_type(pointer, Int32(column)) }

  private func raw(_ column: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(pointer, Int32(column))
    let count = sqlite3_column_bytes(pointer, Int32(column))
    return UnsafeRawBufferPointer(start: start, count: Int(count))
  }

  private func damaged(_ column: Int) -> CatalogueError {
    let name =
      sqlite3_column_name(pointer, Int32(column)).map { String(cString: $0) } ?? "\(column)"
    return .damagedColumn(name)
  }
}

func mappingErrors<Value>(
  _ path: String, _ body: () throws -> Value
) throws(CatalogueError) -> Value {
  try CatalogueError.mapping(
    path, { (error: DatabaseError) in CatalogueError(error, path: path) }, body)
}

extension CatalogueError {
  /// The one place where a result code of SQLite becomes an error of the catalogue.
  init(_ error: DatabaseError, path: String) {
    switch error.extendedResultCode {
    // SQLite reports a quota, a limit on the size of files and a broken disk with the same codes.
    case .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE:
      self = .full(
        "\(path) cannot be written: no space is left, a limit is reached, or the disk is broken")
      return
    default: break
    }
    switch error.resultCode {
    case .SQLITE_NOTADB: self = .unavailable("\(path) is not a database")
    case .SQLITE_CANTOPEN, .SQLITE_READONLY:
      if access(path, F_OK) == 0, access(path, R_OK) != 0 {
        self = .unavailable("\(path) cannot be read: permission denied")
      } else if let protection = WriteProtection(of: path) {
        self = protection.error(of: path)
      } else if error.resultCode == .SQLITE_READONLY {
        self = .failed("\(path) cannot be written: it is read-only")
      } else {
        self = .unavailable("\(path) cannot be opened")
      }
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self = .busy("\(path) is being written by another command: try again later")
    case .SQLITE_INTERRUPT: self = .interrupted
    case .SQLITE_FULL: self = .full("\(path): no space is left on the disk")
    case .SQLITE_PERM, .SQLITE_AUTH: self = .failed("\(path): permission denied")
    case .SQLITE_MISUSE: self = .unavailable("\(path) is closed")
    case .SQLITE_CORRUPT, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH:
      self = .corrupt("\(path) is damaged: \(error.message ?? "\(error.resultCode)")")
    default: self = .failed("\(path): \(error.message ?? "\(error.resultCode)")")
    }
  }
}
