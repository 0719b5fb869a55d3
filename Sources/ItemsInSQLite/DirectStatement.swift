import Catalogue
import GRDB
import GRDBSQLite

/// A statement that runs for many rows, with nothing between it and SQLite: values go there and come
/// from there as they lie in memory, without being boxed for GRDB.
///
///     let positions = try DirectStatement(db, "SELECT position FROM item WHERE strip = ?")
///     positions.bind(1, strip)
///     while try positions.next() { positions.integer(0) }
///
/// - Precondition: It is used on its connection's thread, and not again before the rows it gives have
///   all been taken, or `reset` was called.
struct DirectStatement {
  private let db: Database
  // Owns what `pointer` points to.
  private let statement: Statement
  private let pointer: OpaquePointer

  /// Takes the statement from the connection's cache, or prepares it.
  init(_ db: Database, _ sql: String) throws {
    self.db = db
    statement = try db.cachedStatement(sql: sql)
    pointer = statement.sqliteStatement
  }

  // MARK: - Values that go in, by place from 1; each stays until it is bound anew.

  func bind(_ place: Int32, _ number: Int64?) {
    if let number {
      sqlite3_bind_int64(pointer, place, number)
    } else {
      sqlite3_bind_null(pointer, place)
    }
  }

  func bind(_ place: Int32, _ text: String?) {
    guard var text else { return bind(place, nil as Int64?) }
    text.withUTF8 { bind(place, utf8: $0) }
  }

  func bind(_ place: Int32, utf8: UnsafeBufferPointer<UInt8>) {
    utf8.withMemoryRebound(to: CChar.self) { text in
      guard let start = text.baseAddress else { return bindNothing(place) }
      sqlite3_bind_text(pointer, place, start, Int32(text.count), Self.copied)
    }
  }

  func bind(_ place: Int32, blob: [UInt8]?) {
    guard let blob else { return bind(place, nil as Int64?) }
    blob.withUnsafeBytes {
      _ = sqlite3_bind_blob(pointer, place, $0.baseAddress, Int32($0.count), Self.copied)
    }
  }

  /// Binds an empty text, which is not NULL.
  private func bindNothing(_ place: Int32) {
    _ = "".withCString { sqlite3_bind_text(pointer, place, $0, 0, Self.copied) }
  }

  /// SQLite's constant for values that it is to copy: no address of a function.
  private static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  // MARK: - Running it

  /// Runs a statement that gives no rows.
  ///
  /// - Throws: `DatabaseError`.
  func run() throws {
    while try next() {}
  }

  /// Goes to the next row; behind the last the statement may be run again.
  ///
  /// - Throws: `DatabaseError`; the statement may be run again then, too.
  func next() throws -> Bool {
    let code = sqlite3_step(pointer)
    if code == SQLITE_ROW { return true }
    defer { sqlite3_reset(pointer) }
    guard code == SQLITE_DONE else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
        message: db.lastErrorMessage)
    }
    return false
  }

  /// Lets go of the rows that have not been taken.
  func reset() { sqlite3_reset(pointer) }

  // MARK: - Columns of a row, by place from 0

  /// How many columns there are.
  var count: Int32 { sqlite3_column_count(pointer) }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

  func optionalInteger(_ column: Int32) -> Int64? {
    isNull(column) ? nil : sqlite3_column_int64(pointer, column)
  }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_NULL }

  /// The bytes of a text or a blob, which are there until the next row.
  func raw(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(pointer, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column)))
  }

  func bytes(_ column: Int32) -> [UInt8] { Array(raw(column)) }

  func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }

  /// - Throws: `.corrupt` for what is no UTF-8.
  func text(_ column: Int32) throws -> String {
    guard let text = String(validating: raw(column), as: UTF8.self) else {
      throw CatalogueError.corrupt("its text is not UTF-8")
    }
    return text
  }

  func optionalText(_ column: Int32) throws -> String? {
    isNull(column) ? nil : try text(column)
  }
}
