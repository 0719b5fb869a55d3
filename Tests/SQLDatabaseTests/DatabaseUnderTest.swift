import Catalogue
import Foundation
import GRDB
import PostgresDatabase
import SQLCatalogue
import SQLiteDatabase
import Testing

/// A kind of database. Tests of the seam run over all kinds.
enum Kind: String, CaseIterable, CustomTestStringConvertible {
  case sqlite

  static var allCases: [Kind] { [.sqlite] }

  var testDescription: String { rawValue }
}

/// A new database with a catalogue's tables, for one test.
final class DatabaseUnderTest {
  private let folder: URL
  let path: String

  init(_ kind: Kind) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "carousel-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "art.db").path
    try importDatabase().importing { _ in }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func file(_ name: String) -> String { folder.appending(path: name).path }

  func importDatabase() throws -> any SQLImportDatabase { SQLiteImportFile(path: path) }

  func open() throws -> any SQLDatabase { try SQLiteFile(path: path) }
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

  func revisions() throws -> [Int64] {
    try map("SELECT revision FROM strip ORDER BY number") { try $0.integer(0) }
  }
}
