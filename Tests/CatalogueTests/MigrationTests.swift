import Catalogue
import Foundation
import GRDB
import ItemsInSQLite
import Testing
import Windowing

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
          ALTER TABLE layout DROP COLUMN positions;
          DROP INDEX strip_changed; DROP INDEX strip_unfolded; DROP TABLE changes;
          ALTER TABLE strip DROP COLUMN folded;
          DROP TABLE past_strip; DROP TABLE past_item; DROP TABLE change; DROP TABLE forgotten;
          DROP TABLE former; DROP TABLE token; DROP TABLE once;
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = replace(sql, 'strip INTEGER NOT NULL,',
            'strip INTEGER NOT NULL REFERENCES strip,') WHERE name IN ('kind', 'layout');
          PRAGMA writable_schema = RESET;
          PRAGMA user_version = 1;
          """)
      for column in ["count", "aspects", "widths", "bare", "changed", "kind_counts"] {
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

  /// Version 2 held former revisions by whole rows of the layout.
  @Test func letsGoOfThePastThatVersion2Held() throws {
    try DatabaseQueue(path: path).writeWithoutTransaction { db in
      try db.execute(
        sql: """
          ALTER TABLE layout ADD COLUMN positions BLOB CHECK (length(positions) = 8 * count);
          ALTER TABLE layout ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
          CREATE INDEX layout_since ON layout (strip, since);
          CREATE TABLE past_strip (strip INTEGER NOT NULL, until INTEGER NOT NULL) STRICT;
          CREATE TABLE past_item (strip INTEGER NOT NULL, until INTEGER NOT NULL) STRICT;
          CREATE TABLE past_layout (strip INTEGER NOT NULL, until INTEGER NOT NULL) STRICT;
          CREATE TABLE former (name TEXT PRIMARY KEY, revision INTEGER NOT NULL)
            STRICT, WITHOUT ROWID;
          CREATE TABLE token (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            strip TEXT NOT NULL, made INTEGER NOT NULL, expires INTEGER) STRICT;
          CREATE TABLE once (
            strip TEXT NOT NULL, key BLOB NOT NULL, body BLOB NOT NULL, revision INTEGER NOT NULL,
            made INTEGER NOT NULL, PRIMARY KEY (strip, key)) STRICT, WITHOUT ROWID;
          CREATE INDEX once_made ON once (made);
          PRAGMA user_version = 2;
          """)
      _ = try db.checkpoint(.truncate)
    }
    let catalogue = try SQLiteCatalogue(path: path)
    let edition = try catalogue.edition(of: "s", at: nil)
    #expect(try edition.source.items(in: 0..<1500) == randomItems(1500, seed: 3))
    #expect(try catalogue.summaries(after: nil, limit: 1).map(\.count) == [1500])
    _ = try SQLiteEditor(catalogue).remove("s", expecting: .anything)
    #expect(try IntegrityCheck(path: path).faults == [])
    #expect(try folder.names.contains("strips.db.version-2"))
  }

  /// Version 3 kept no sums, and no number for each change.
  @Test func sumsTheItemsThatVersion3Held() throws {
    let path = folder.path("third.db")
    let items = try randomItems(700, seed: 5)
    try SQLiteImporter(path: path).run(StripImport(name: "t")) { add throws(CatalogueError) in
      for item in items { try add(item) }
    }
    let sums = try SQLiteCatalogue(path: path).summaries(after: nil, limit: 1)
    try DatabaseQueue(path: path).writeWithoutTransaction { db in
      try db.execute(
        sql: """
          DROP INDEX strip_changed; DROP INDEX strip_unfolded; DROP INDEX former_changed;
          DROP TABLE changes;
          ALTER TABLE former DROP COLUMN changed;
          DROP INDEX past_item_position; DROP INDEX past_item_id;
          CREATE INDEX past_item_position ON past_item (strip, position, until);
          CREATE INDEX past_item_id ON past_item (strip, id);
          PRAGMA user_version = 3;
          """)
      for column in ["count", "aspects", "widths", "bare", "changed", "kind_counts"] {
        try db.execute(sql: "ALTER TABLE strip DROP COLUMN \(column)")
      }
      _ = try db.checkpoint(.truncate)
    }
    let migrated = try SQLiteCatalogue(path: path).summaries(after: nil, limit: 1)
    #expect(migrated.map(\.count) == [700] && migrated.map(\.extent) == sums.map(\.extent))
    #expect(try folder.names.contains("third.db.version-3"))
    #expect(try IntegrityCheck(path: path).faults == [])
  }

  /// Version 5 did not know how many items there are of each kind.
  @Test func countsTheItemsOfEachKindThatVersion5Held() throws {
    let path = folder.path("fifth.db")
    let items = try (0..<200).map { try Item(id: "i\($0)", kind: "k\($0 % 64)") }
    try SQLiteImporter(path: path).run(StripImport(name: "t")) { add throws(CatalogueError) in
      for item in items where item.kind != "k63" { try add(item) }
    }
    try DatabaseQueue(path: path).writeWithoutTransaction { db in
      try db.execute(
        sql: """
          INSERT INTO kind SELECT strip, 63, 'unused' FROM kind WHERE number = 0;
          ALTER TABLE strip DROP COLUMN kind_counts;
          ALTER TABLE changes DROP COLUMN is_copy;
          PRAGMA user_version = 5;
          """)
      _ = try db.checkpoint(.truncate)
    }
    #expect(
      try SQLiteCatalogue(path: path).summaries(after: nil, limit: 1).map(\.kinds)
        == [(0..<63).map { "k\($0)" }.sorted()])
    try SQLiteImporter(path: path).run(
      StripImport(name: "t", mode: .append)
    ) { add throws(CatalogueError) in try add(Item(id: "new", kind: "new")) }
    #expect(try folder.names.contains("fifth.db.version-5"))
    #expect(try IntegrityCheck(path: path).faults == [])
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
