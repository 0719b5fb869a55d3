import Catalogue
import CatalogueTesting
import GRDB
import Items
import PostgresDatabase
import SQLCatalogue
import SQLiteDatabase
import Testing

/// An empty database for one test. Another test can use it once this is released.
final class StoreUnderTest {
  private enum Place {
    case file(String)
    case postgres(PostgresTestDatabase)
  }

  private let place: Place
  let folder: ScratchFolder

  /// - Parameter count: the number of items of the strip `s`; nil for no strip.
  init(_ store: Store = .sqlite, holding count: Int? = nil) throws {
    folder = try ScratchFolder()
    switch store {
    case .sqlite: place = .file(folder.path("strips.db"))
    case .postgres: place = .postgres(try PostgresTestDatabase())
    }
    if let count { try put(numbered(count)) }
  }

  var path: String { folder.path("strips.db") }

  func database(isServer: Bool = false) throws -> any SQLDatabase {
    switch place {
    case .file(let path): try SQLiteFile(path: path, keepsUpInBackground: isServer)
    case .postgres(let database): try PostgresServer(ConnectionString(database.address))
    }
  }

  func importer() throws -> SQLStripImporter {
    switch place {
    case .file(let path): SQLStripImporter(SQLiteImportFile(path: path))
    case .postgres(let database):
      SQLStripImporter(try PostgresServer(ConnectionString(database.address), waits: true))
    }
  }

  /// - Parameter memory: bytes that strips may take.
  func catalogue(memory: Int = 512 << 20) throws -> SQLStripCatalogue {
    try SQLStripCatalogue(database(), memory: memory)
  }

  func editor(isServer: Bool = false) throws -> SQLStripEditor {
    try editable(isServer: isServer).editor
  }

  /// A catalogue, and what writes to it.
  func editable(
    memory: Int = 512 << 20, isServer: Bool = false
  ) throws -> (catalogue: SQLStripCatalogue, editor: SQLStripEditor) {
    let catalogue = try SQLStripCatalogue(database(isServer: isServer), memory: memory)
    return (catalogue, SQLStripEditor(catalogue, isServer: isServer))
  }

  /// A catalogue that follows no other process, over a database that a test can make fail.
  func probed(
    memory: Int = 512 << 20, readsWindows: Bool = true
  ) throws -> (probe: DatabaseProbe, catalogue: SQLStripCatalogue) {
    let probe = DatabaseProbe(try database(), readsWindows: readsWindows)
    return (probe, try SQLStripCatalogue(probe, memory: memory, observesChanges: false))
  }

  /// Makes each log long enough to be compacted.
  static let lengthenLogs =
    "UPDATE strip SET uncompacted_changes = uncompacted_changes + 1000000 WHERE uncompacted_changes > 0"

  /// Runs the maintenance that follows an import. It compacts each strip that was edited.
  func maintain(_ editor: SQLStripEditor) throws {
    try execute(Self.lengthenLogs, reseals: true)
    try editor.maintain()
  }

  func tokens() throws -> SQLTokenStore { SQLTokenStore(try database()) }

  func faults() throws -> [String] {
    let database = try database()
    defer { database.close() }
    return try IntegrityCheck(database).faults
  }

  /// Another client of a file. It waits while the store's own connections lock the file, as they do when they close.
  private static func client(of path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(60)
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Runs a statement with another client. SQLite does not check constraints then.
  ///
  /// - Parameter reseals: whether all rows get the checksums of what they hold then.
  func execute(_ sql: String, reseals: Bool = false) throws {
    switch place {
    case .file(let path):
      try Self.client(of: path).writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA ignore_check_constraints = 1; \(sql)")
      }
    case .postgres(let database): try database.psql("SET search_path TO carousel; \(sql)")
    }
    if reseals { try Self.reseal(database()) }
  }

  /// Gives all rows the checksums of what they hold, and closes the database.
  static func reseal(_ database: any SQLDatabase) throws {
    defer { database.close() }
    let tables = [
      ("strip", "number", StripRow.columns),
      ("revision", "strip, previous", RevisionRow.columns),
      ("item", "strip, sort_key", ["strip"] + ItemRows.columns),
      ("item_history", "strip, last_revision, sort_key", ["strip"] + ItemRows.columns),
      ("layout", "generation, sort_key", [GeometryChunkStore.columnList]),
    ]
    try database.write(by: WriteDeadline()) { session in
      for (table, key, columns) in tables {
        let names = columns.flatMap { $0.split(separator: ", ").map(String.init) }
          .filter { $0 != "checksum" }
        let keyNames = key.split(separator: ", ").map(String.init)
        let rows = try session.map(
          "SELECT \((keyNames + names).joined(separator: ", ")) FROM \(table)"
        ) { row in
          try (0..<keyNames.count + names.count).map { column -> SQLValue in
            if row.isNull(column) { return .null }
            if let number = try? row.integer(column) { return .integer(number) }
            return .bytes(try row.bytes(column))
          }
        }
        let conditions = keyNames.enumerated().map { "\($1) = $\($0 + 2)" }
        try session.run(
          "UPDATE \(table) SET checksum = $1 WHERE \(conditions.joined(separator: " AND "))",
          forEach: rows.map { row in
            [.integer(RowChecksum(of: row.dropFirst(keyNames.count)).value)]
              + row.prefix(keyNames.count)
          })
      }
    }
  }

  /// Replaces the changes in a strip's log by invalid bytes.
  func damageLog(of strip: String) throws {
    let bytes =
      switch place {
      case .file: "x'00'"
      case .postgres: #"'\x00'"#
      }
    try execute(
      """
      UPDATE revision SET changes = \(bytes)
      WHERE strip = (SELECT number FROM strip WHERE name = '\(strip)')
      """)
  }

  /// Writes values to items that the constraints do not allow.
  func damageItems(_ set: String) throws {
    if case .postgres(let database) = place {
      try database.psql(
        """
        DO $$ DECLARE name text; BEGIN
          FOR name IN SELECT conname FROM pg_constraint
            WHERE conrelid = 'carousel.item'::regclass AND contype = 'c'
          LOOP EXECUTE 'ALTER TABLE carousel.item DROP CONSTRAINT ' || quote_ident(name); END LOOP;
        END $$
        """)
    }
    try execute("UPDATE item SET \(set)")
  }

  /// The number of rows of a table.
  func count(of table: String) throws -> Int { try number("SELECT count(*) FROM \(table)") }

  /// The number that a query returns.
  func number(_ sql: String) throws -> Int {
    switch place {
    case .file(let path):
      try Self.client(of: path).read { try Int.fetchOne($0, sql: sql) ?? 0 }
    case .postgres(let database):
      Int(try database.psql("SET search_path TO carousel; \(sql)")) ?? 0
    }
  }

  /// Imports items into a strip.
  @discardableResult
  func put(
    _ items: [Item], into name: String = "s", _ mode: StripImport.Mode = .create,
    settings: SettingsPatch = SettingsPatch()
  ) throws -> ImportedStrip {
    let imported = try importer().run(
      StripImport(name: name, mode: mode, settings: settings)
    ) { add throws(CatalogueError) in
      for item in items { try add(item, name) }
    }
    return try #require(imported.last)
  }
}
