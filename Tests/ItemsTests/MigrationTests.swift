import Foundation
import GRDB
import Items
import Testing
import Windowing

@testable import ItemsInSQLite

struct MigrationTests {
  private let folder: ScratchFolder
  private let path: String

  /// A database as version 1 made it.
  init() throws {
    folder = try ScratchFolder()
    path = folder.path("strips.db")
    let items = try randomItems(1500, seed: 3)
    try SQLiteImporter(path: path).run(StripImport(name: "s")) { add throws(CatalogueError) in
      for item in items { try add(item) }
    }
    try DatabaseQueue(path: path).writeWithoutTransaction { db in
      try db.execute(
        sql: """
          DROP INDEX layout_since;
          ALTER TABLE layout DROP COLUMN since;
          ALTER TABLE layout DROP COLUMN positions;
          DROP TABLE past_strip; DROP TABLE past_item; DROP TABLE past_layout;
          DROP TABLE former; DROP TABLE token; DROP TABLE once; DROP TABLE changes;
          DROP INDEX strip_changed;
          PRAGMA user_version = 1;
          """)
      for column in ["count", "aspects", "widths", "bare", "changed"] {
        try db.execute(sql: "ALTER TABLE strip DROP COLUMN \(column)")
      }
      _ = try db.checkpoint(.truncate)
    }
  }

  @Test func bringsAnOlderDatabaseUpToDateAndKeepsACopy() throws {
    let catalogue = try SQLiteCatalogue(path: path)
    let items = try randomItems(1500, seed: 3)
    #expect(try catalogue.edition(of: "s", at: nil).source.items(in: 0..<1500) == items)
    let batch = try EditBatch(
      Array(#"[{"op":"insert","after":null,"items":[{"id":"a"}]}]"#.utf8), as: .array)
    _ = try SQLiteEditor(catalogue).edit("s", batch, expecting: .anything, once: nil)
    #expect(try catalogue.edition(of: "s", at: nil).strip.count == 1501)
    let listed = try catalogue.summaries(after: nil, limit: 1)
    let strip = StripSummary(try catalogue.edition(of: "s", at: nil))
    #expect(listed.map(\.count) == [1501] && listed.map(\.extent) == [strip.extent])

    let copy = try DatabaseQueue(path: path + ".version-1")
    let version = try copy.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    let count = try copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") }
    #expect(version == 1 && count == 1500)
    _ = try SQLiteCatalogue(path: path)
    let names = try folder.names
    #expect(!names.contains { $0.hasSuffix(".version-1-2") })
  }

  @Test func takesAVersionAtATime() throws {
    try DatabaseQueue(path: path).write { try $0.execute(sql: Schema.second) }
    #expect(try SQLiteCatalogue(path: path).summaries(after: nil, limit: 1).map(\.count) == [1500])
    #expect(try folder.names.contains("strips.db.version-2"))
    #expect(try Examination(path: path).faults == [])
  }

  @Test func saysThatItCannotWhereNothingCanBeWritten() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let other = folder.path("other.db")
    try bytes.write(to: URL(fileURLWithPath: other))
    // What stands where the copy is to be made is not written over.
    try FileManager.default.createDirectory(
      atPath: other + ".version-1.new", withIntermediateDirectories: true)
    #expect(throws: CatalogueError.self) { try SQLiteCatalogue(path: other) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == bytes)
  }

  @Test func copiesADatabaseWhileItIsWritten() throws {
    let catalogue = try SQLiteCatalogue(path: path)
    let batch = try EditBatch(
      Array(#"[{"op":"insert","after":null,"items":[{"id":"a"}]}]"#.utf8), as: .array)
    _ = try SQLiteEditor(catalogue).edit("s", batch, expecting: .anything, once: nil)
    let copy = folder.path("copy.db")
    try Backup.copy(path, to: copy)
    let (copied, original) = try (
      SQLiteCatalogue(path: copy).edition(of: "s", at: nil), catalogue.edition(of: "s", at: nil)
    )
    #expect(copied.strip == original.strip)
    #expect(throws: CatalogueError.self) { try Backup.copy(path, to: copy) }
  }
}
