import Catalogue
import GRDB
import GRDBSQLite
import Windowing

/// The statement that writes a row of `item`, for many rows one after the other.
///
/// An import spends its time here: values go to SQLite as they lie in memory, without being boxed
/// for GRDB or copied.
struct ItemInsertion {
  private let db: Database
  private let statement: Statement

  init(_ db: Database) throws {
    self.db = db
    statement = try db.cachedStatement(
      sql: """
        INSERT INTO item (strip, position, id, kind, aspect, width, "group", fields)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """)
  }

  /// Writes a row where none is.
  ///
  /// - Throws: `DatabaseError`, such as for an id that is there already; the row is not written
  ///   then, and the next one can be.
  func insert(_ item: Item, at position: Int64, kind: Int, strip: Int64) throws {
    let pointer = statement.sqliteStatement
    sqlite3_bind_int64(pointer, 1, strip)
    sqlite3_bind_int64(pointer, 2, position)
    sqlite3_bind_int64(pointer, 4, Int64(kind))
    bind(item.aspect.map { Int64($0.units) }, 5)
    bind(item.width.map { $0.units }, 6)
    // Bound without a copy: each text stays where it is until the row is written.
    let code = bind(item.id.utf8, 3) {
      bind(item.fields.json, 8) {
        guard let group = item.group else {
          sqlite3_bind_null(pointer, 7)
          return sqlite3_step(pointer)
        }
        return bind(group.utf8, 7) { sqlite3_step(pointer) }
      }
    }
    defer {
      sqlite3_reset(pointer)
      sqlite3_clear_bindings(pointer)
    }
    guard code == SQLITE_DONE else {
      throw DatabaseError(
        resultCode: ResultCode(
          rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
        message: db.lastErrorMessage)
    }
  }

  private func bind(_ number: Int64?, _ place: Int32) {
    if let number {
      sqlite3_bind_int64(statement.sqliteStatement, place, number)
    } else {
      sqlite3_bind_null(statement.sqliteStatement, place)
    }
  }

  /// Binds UTF-8 for as long as `step` runs.
  private func bind(
    _ text: some Sequence<UInt8>, _ place: Int32, _ step: () -> Int32
  ) -> Int32 {
    let code = text.withContiguousStorageIfAvailable { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        // No bytes are an empty text, not NULL.
        guard let start = characters.baseAddress else {
          return "".withCString { bind($0, 0, place, step) }
        }
        return bind(start, characters.count, place, step)
      }
    }
    return code ?? bind(Array(text), place, step)
  }

  private func bind(
    _ start: UnsafePointer<CChar>, _ count: Int, _ place: Int32, _ step: () -> Int32
  ) -> Int32 {
    sqlite3_bind_text(statement.sqliteStatement, place, start, Int32(count), nil)
    return step()
  }
}
