import Catalogue
import Foundation
import GRDB
import PostgresDatabase
import SQLCatalogue
import SQLiteDatabase
import Testing

/// A kind of database. Tests of the seam run over all kinds.
enum Kind: String, CaseIterable, CustomTestStringConvertible {
  case sqlite, postgres

  /// PostgreSQL only under `Scripts/with-postgres`.
  static var allCases: [Kind] { postgresServer == nil ? [.sqlite] : [.sqlite, .postgres] }

  static let postgresServer = ProcessInfo.processInfo.environment["POSTGRES"]

  var testDescription: String { rawValue }
}

/// A folder for the files of one test, deleted after it.
final class ScratchFolder {
  private let url = FileManager.default.temporaryDirectory
    .appending(path: "carousel-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var path: String { url.path }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path) }
  }

  func file(_ name: String) -> String { url.appending(path: name).path }
}

/// A new database with a catalogue's tables, for one test.
final class DatabaseUnderTest {
  private let kind: Kind
  let folder: ScratchFolder
  /// The path of the file or the connection string.
  let path: String
  private var opened: [any SQLDatabase] = []

  init(_ kind: Kind) throws {
    self.kind = kind
    folder = try ScratchFolder()
    switch kind {
    case .sqlite: path = folder.file("art.db")
    case .postgres:
      let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "")
      let server = Kind.postgresServer ?? ""
      try Self.psql(server, "CREATE DATABASE \(name)")
      path = server.replacing("/postgres?", with: "/\(name)?")
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
  func psql(_ sql: String) throws { try Self.psql(path, sql) }

  func close() {
    for database in opened { database.close() }
  }

  struct Rejected: Error { let sql: String }

  private static func psql(_ address: String, _ sql: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["psql", "--no-psqlrc", "-qAtv", "ON_ERROR_STOP=1", "-c", sql, address]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Rejected(sql: sql) }
  }
}

extension SQLSession {
  /// Makes a strip without items.
  func insertStrip(_ number: Int64, name: String, revision: Int64 = 1) throws {
    try run(
      """
      INSERT INTO strip (number, place, name, title, height, gap, inset, loop, snap, item_width,
        first_revision, revision, oldest_revision, generation, layout_revision)
      VALUES ($1, $1, $2, '', 6400, 0, 0, 0, 'none', 0, 1, $3, 1, 1, 1)
      """, [.integer(number), .text(name), .integer(revision)])
  }

  /// Makes the strip 1 with items at the positions from 0.
  func insertItems(_ count: Int) throws {
    try insertStrip(1, name: "s")
    let writer = bulkWriter()
    try writer.begin(strip: 1, count: 0)
    for number in 0..<count {
      let item = try Item(id: "i\(number)")
      _ = try writer.insert(item, kind: 0, strip: 1, position: Int64(number), since: 1)
    }
    try writer.flush()
  }

  func revisions() throws -> [Int64] {
    try map("SELECT revision FROM strip ORDER BY number") { try $0.integer(0) }
  }
}
