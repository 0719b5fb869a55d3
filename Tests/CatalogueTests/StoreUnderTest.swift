import Catalogue
import Foundation
import GRDB
import ItemsInPostgres
import ItemsInSQLite
import Testing

/// A kind of store that is written to: what is said of one is said of all.
enum Store: String, CaseIterable, CustomTestStringConvertible {
  case sqlite, postgres

  /// PostgreSQL where `Scripts/with-postgres` runs one.
  static var allCases: [Store] { postgresServer == nil ? [.sqlite] : [.sqlite, .postgres] }

  static let postgresServer = ProcessInfo.processInfo.environment["POSTGRES"]

  var testDescription: String { rawValue }
}

/// A database with nothing in it, for one test.
final class StoreUnderTest {
  private enum Place {
    case file(String)
    case postgres(Address, String)
  }

  private let place: Place
  private let folder: ScratchFolder

  /// - Parameter folder: where a file goes; kept as long as this.
  init(_ store: Store, in folder: ScratchFolder? = nil) throws {
    let folder = try folder ?? ScratchFolder()
    self.folder = folder
    switch store {
    case .sqlite: place = .file(folder.path("strips.db"))
    case .postgres:
      let server = Store.postgresServer ?? ""
      let name = "items_" + UUID().uuidString.lowercased().replacing("-", with: "")
      try Self.psql(server, "CREATE DATABASE \(name)")
      let address = server.replacing("/postgres?", with: "/\(name)?")
      place = .postgres(try Address(address), address)
    }
  }

  func importer() -> any StripImporter {
    switch place {
    case .file(let path): SQLiteImporter(path: path)
    case .postgres(let address, _): PostgresImporter(address)
    }
  }

  /// - Parameter memory: bytes that the strips may take which are held.
  func catalogue(memory: Int = 512 << 20) throws -> any StripCatalogue {
    try editable(memory: memory).catalogue
  }

  /// A catalogue, and what writes to it.
  func editable(
    memory: Int = 512 << 20
  ) throws -> (catalogue: any StripCatalogue, editor: any StripEditor) {
    switch place {
    case .file(let path):
      let catalogue = try SQLiteCatalogue(path: path, memory: memory)
      return (catalogue, SQLiteEditor(catalogue))
    case .postgres(let address, _):
      let catalogue = try PostgresCatalogue(address, memory: memory)
      return (catalogue, PostgresEditor(catalogue))
    }
  }

  /// What writes to a database of PostgreSQL, and folds layouts row by row when so many changes wait.
  func folding(
    after patience: Int
  ) throws -> (catalogue: any StripCatalogue, editor: any StripEditor) {
    guard case .postgres(let address, _) = place else { throw RejectedRequest(sql: "") }
    let catalogue = try PostgresCatalogue(address)
    var pace = FoldingPace()
    (pace.patience, pace.rows) = (patience, 1)
    return (catalogue, PostgresEditor(catalogue, folding: pace))
  }

  func tokens() throws -> any TokenStore {
    switch place {
    case .file(let path): try SQLiteTokens(path: path)
    case .postgres(let address, _): try PostgresTokens(address)
    }
  }

  func faults() throws -> [String] {
    switch place {
    case .file(let path): try ItemsInSQLite.IntegrityCheck(path: path).faults
    case .postgres(let address, _): try ItemsInPostgres.IntegrityCheck(address).faults
    }
  }

  /// Runs a statement behind the store's back.
  func execute(_ sql: String) throws {
    switch place {
    case .file(let path): try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
    case .postgres(_, let address): try Self.psql(address, "SET search_path TO carousel; \(sql)")
    }
  }

  /// How many rows a table of the store has.
  func count(of table: String) throws -> Int {
    switch place {
    case .file(let path):
      return try DatabaseQueue(path: path).read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0
      }
    case .postgres(_, let address):
      return Int(try Self.psql(address, "SELECT count(*) FROM carousel.\(table)")) ?? 0
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
    guard process.terminationStatus == 0 else { throw RejectedRequest(sql: sql) }
    return String(decoding: given, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  struct RejectedRequest: Error { let sql: String }
}
