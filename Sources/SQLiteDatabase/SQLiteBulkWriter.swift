import Catalogue
import SQLCatalogue

final class SQLiteBulkWriter: SQLBulkWriter {
  private let session: SQLiteSession
  private var statement: PreparedStatement?

  /// A taken id is no error here. A taken sort key is.
  private static let insert = "\(ItemRows.insert) ON CONFLICT (strip, id) DO NOTHING"

  init(_ session: SQLiteSession) { self.session = session }

  func begin(strip: Int64, count: Int) {}

  func end(strip: Int64) {}

  func insert(_ row: ItemRow) throws -> Bool {
    let statement = try statement ?? session.prepare(Self.insert)
    self.statement = statement
    return try session.execute(statement, row.values) { _ in } == 1
  }

  func insert(_ chunk: GeometryChunk.Columns, generation: Int64) throws {
    try session.run(
      GeometryChunkStore.insert, GeometryChunkStore.values(of: chunk, generation: generation))
  }

  func flush() {}
}
