import Catalogue
import CatalogueTesting
import Foundation
import GRDB
import PostgresDatabase
import SQLCatalogue
import SQLiteDatabase
import Testing

/// A kind of database: a rule that both keep is tested on both.
enum Store: String, CaseIterable, CustomTestStringConvertible {
  case sqlite, postgres

  /// PostgreSQL if `Scripts/with-postgres` runs one.
  static var allCases: [Store] { postgresServer == nil ? [.sqlite] : [.sqlite, .postgres] }

  static let postgresServer = ProcessInfo.processInfo.environment["POSTGRES"]

  var testDescription: String { rawValue }
}

/// An empty database for one test.
final class StoreUnderTest {
  private enum Place {
    case file(String)
    case postgres(String)
  }

  private let place: Place
  let folder: ScratchFolder

  /// - Parameter folder: for a file; kept as long as this.
  init(_ store: Store = .sqlite, in folder: ScratchFolder? = nil) throws {
    let folder = try folder ?? ScratchFolder()
    self.folder = folder
    switch store {
    case .sqlite: place = .file(folder.path("strips.db"))
    case .postgres:
      let server = Store.postgresServer ?? ""
      let name = "strips_" + UUID().uuidString.lowercased().replacing("-", with: "")
      try Self.psql(server, "CREATE DATABASE \(name)")
      place = .postgres(server.replacing("/postgres?", with: "/\(name)?"))
    }
  }

  var path: String { folder.path("strips.db") }

  func database(isServer: Bool = false) throws -> any SQLDatabase {
    switch place {
    case .file(let path): try SQLiteFile(path: path, keepsUpInBackground: isServer)
    case .postgres(let address): try PostgresServer(ConnectionString(address))
    }
  }

  func importer() throws -> StoredImporter {
    switch place {
    case .file(let path): StoredImporter(SQLiteImportFile(path: path))
    case .postgres(let address):
      StoredImporter(
        try PostgresServer(ConnectionString(address), waits: true))
    }
  }

  /// - Parameter memory: bytes that strips may take.
  func catalogue(memory: Int = 512 << 20) throws -> StoredCatalogue {
    try StoredCatalogue(database(), memory: memory)
  }

  func editor(isServer: Bool = false) throws -> StoredStripEditor {
    try editable(isServer: isServer).editor
  }

  /// A catalogue, and what writes to it.
  func editable(
    memory: Int = 512 << 20, isServer: Bool = false
  ) throws -> (catalogue: StoredCatalogue, editor: StoredStripEditor) {
    let catalogue = try StoredCatalogue(database(isServer: isServer), memory: memory)
    return (catalogue, StoredStripEditor(catalogue, isServer: isServer))
  }

  func tokens() throws -> any TokenStore { StoredTokens(try database()) }

  func faults() throws -> [String] {
    let database = try database()
    defer { database.close() }
    return try IntegrityCheck(database).faults
  }

  /// Runs a statement behind the store's back; SQLite checks no constraints.
  func execute(_ sql: String) throws {
    switch place {
    case .file(let path):
      try DatabaseQueue(path: path).writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA ignore_check_constraints = 1; \(sql)")
      }
    case .postgres(let address): try Self.psql(address, "SET search_path TO carousel; \(sql)")
    }
  }

  /// How many rows a table has.
  func count(of table: String) throws -> Int { try number("SELECT count(*) FROM \(table)") }

  /// The number that a query gives.
  func number(_ sql: String) throws -> Int {
    switch place {
    case .file(let path):
      try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: sql) ?? 0 }
    case .postgres(let address):
      Int(try Self.psql(address, "SET search_path TO carousel; \(sql)")) ?? 0
    }
  }

  /// Makes a strip, or goes on with one.
  @discardableResult
  func put(
    _ items: [Item], into name: String = "s", _ mode: StripImport.Mode = .make,
    settings: SettingsChange = SettingsChange()
  ) throws -> ImportedStrip {
    try importer().run(
      StripImport(name: name, mode: mode, settings: settings)
    ) { add throws(CatalogueError) in
      for item in items { try add(item) }
    }
  }

  /// What a statement gives, its values without anything around them.
  @discardableResult
  private static func psql(_ address: String, _ sql: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["psql", "--no-psqlrc", "-qAtv", "ON_ERROR_STOP=1", "-c", sql, address]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let given = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw RejectedStatement(sql: sql) }
    return String(decoding: given, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  struct RejectedStatement: Error { let sql: String }
}
