import Catalogue
import GRDB
import GRDBSQLite
import SQLCatalogue
import Windowing

/// Inserts many rows with prepared statements. Texts of items are bound without a copy: an import spends
/// most of its time here.
final class SQLiteBulkWriter: SQLBulkWriter {
  private let session: SQLiteSession
  private var item: PreparedStatement?

  init(_ session: SQLiteSession) { self.session = session }

  func begin(strip: Int64, count: Int) {}

  func end(strip: Int64) {}

  func insert(_ row: ItemRow) throws -> Bool {
    let pointer = try prepared().pointer
    let item = row.item
    sqlite3_bind_int64(pointer, 1, row.strip)
    sqlite3_bind_int64(pointer, 2, row.position)
    sqlite3_bind_int64(pointer, 3, row.firstRevision)
    sqlite3_bind_int64(pointer, 4, Int64(row.kind))
    bind(row.aspect, 5, pointer)
    bind(item.width?.units, 6, pointer)
    sqlite3_bind_int64(pointer, 9, row.checksum)
    // Each text stays at its address until the row is written.
    let code = bind(item.id.utf8, 10, pointer) {
      bind(item.fields.json, 8, pointer) {
        guard let group = item.group else {
          sqlite3_bind_null(pointer, 7)
          return sqlite3_step(pointer)
        }
        return bind(group.utf8, 7, pointer) { sqlite3_step(pointer) }
      }
    }
    defer {
      sqlite3_reset(pointer)
      sqlite3_clear_bindings(pointer)
    }
    if code == SQLITE_DONE { return true }
    let error = session.lastError
    // The position is the primary key, which has a code of its own.
    guard error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE else { throw session.mapped(error) }
    return false
  }

  func insert(_ chunk: LayoutChunk.Columns, generation: Int64) throws {
    try session.run(
      LayoutChunkStore.insert, LayoutChunkStore.values(of: chunk, generation: generation))
  }

  func flush() {}

  private func prepared() throws -> PreparedStatement {
    if let item { return item }
    let statement = try session.prepare(ItemRows.insert)
    item = statement
    return statement
  }

  private func bind(_ number: Int64?, _ index: Int32, _ pointer: OpaquePointer) {
    if let number {
      sqlite3_bind_int64(pointer, index, number)
    } else {
      sqlite3_bind_null(pointer, index)
    }
  }

  /// Binds UTF-8 while `step` runs.
  private func bind(
    _ text: some Sequence<UInt8>, _ index: Int32, _ pointer: OpaquePointer, _ step: () -> Int32
  ) -> Int32 {
    let code = text.withContiguousStorageIfAvailable { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        // A null address would bind NULL.
        guard let start = characters.baseAddress else {
          return "".withCString { bind($0, 0, index, pointer, step) }
        }
        return bind(start, characters.count, index, pointer, step)
      }
    }
    return code ?? bind(Array(text), index, pointer, step)
  }

  private func bind(
    _ start: UnsafePointer<CChar>, _ count: Int, _ index: Int32, _ pointer: OpaquePointer,
    _ step: () -> Int32
  ) -> Int32 {
    sqlite3_bind_text(pointer, index, start, Int32(count), nil)
    return step()
  }
}
