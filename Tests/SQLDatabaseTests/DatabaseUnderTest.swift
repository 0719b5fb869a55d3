import CatalogueTesting
import Items
import PostgresDatabase
import SQLCatalogue
import SQLiteDatabase

/// A new database with a catalogue's tables, for one test.
final class DatabaseUnderTest {
  private let kind: Store
  let folder: ScratchFolder
  /// Nil for SQLite.
  private let postgres: PostgresTestDatabase?
  /// The path of the file or the connection string.
  let path: String
  private var opened: [any SQLDatabase] = []

  init(_ kind: Store) throws {
    self.kind = kind
    folder = try ScratchFolder()
    switch kind {
    case .sqlite:
      postgres = nil
      path = folder.path("art.db")
    case .postgres:
      let database = try PostgresTestDatabase()
      postgres = database
      path = database.address
    }
    try importDatabase().importing { _ in }
  }

  func importDatabase() throws -> any SQLImportDatabase {
    switch kind {
    case .sqlite: SQLiteImportFile(path: path)
    case .postgres: try PostgresServer(ConnectionString(path), waits: true)
    }
  }

  func open() throws -> any SQLDatabase {
    let database: any SQLDatabase =
      switch kind {
      case .sqlite: try SQLiteFile(path: path)
      case .postgres: try PostgresServer(ConnectionString(path))
      }
    opened.append(database)
    return database
  }

  /// Runs a statement with another client. For PostgreSQL only.
  func psql(_ sql: String) throws { try postgres?.psql(sql) }

  func close() {
    for database in opened { database.close() }
  }
}

extension SQLSession {
  /// Creates a strip without items.
  func insertStrip(_ number: Int64, name: String, revision: Int64 = 1) throws {
    let values: [SQLValue] =
      [.integer(number), .integer(number), .text(name), .integer(1), .text("")]
      + [revision, 1, 1, 1, 0, 0, 0, 0, 0, 0].map { .integer($0) }
      + [.text(""), .utf8(StripSettings(title: "").json)]
    try run(
      """
      INSERT INTO strip (\(StripRow.columns.joined(separator: ", ")))
      VALUES (\(StripRow.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")))
      """, values + [.integer(RowChecksum(of: values).value)])
  }

  /// Creates the strip 1 with items at the sort keys from 0.
  func insertItems(_ count: Int) throws {
    try insertStrip(1, name: "s")
    let writer = bulkWriter()
    try writer.begin(strip: 1, count: 0)
    for number in 0..<count {
      let item = try Item(id: "i\(number)")
      _ = try writer.insert(item, kind: 0, strip: 1, sortKey: Int64(number), firstRevision: 1)
    }
    try writer.flush()
  }

  func revisions() throws -> [Int64] {
    try map("SELECT revision FROM strip ORDER BY number") { try $0.integer(0) }
  }
}

extension SQLBulkWriter {
  func insert(
    _ item: Item, kind: Int, strip: Int64, sortKey: Int64, firstRevision: Int64
  ) throws -> Bool {
    try insert(
      ItemRow(item, kind: kind, strip: strip, sortKey: sortKey, firstRevision: firstRevision))
  }
}
