import Catalogue
import GRDB
import Testing
import Windowing

@testable import ItemsInSQLite

struct SnapshotTests {
  private let folder: ScratchFolder
  private let path: String
  private let catalogue: SQLiteCatalogue
  private let snapshots: WindowReaders

  init() throws {
    folder = try ScratchFolder()
    path = folder.path("strips.db")
    try SQLiteImporter(path: path).run(StripImport(name: "s")) { add throws(CatalogueError) in
      for number in 0..<10 { try add(Item(id: "é\(number)", width: .px(50))) }
    }
    catalogue = try SQLiteCatalogue(path: path)
    snapshots = WindowReaders(path: path, limit: 1)
  }

  /// The ids that the snapshots hand out of an edition.
  private func ids(of edition: Edition) throws -> [String] {
    let source = try #require(edition.source as? StoredItems)
    var ids: [String] = []
    let count = snapshots.read(
      source.positions[0..<edition.strip.count], of: source.strip, at: edition.revision
    ) { ids.append(String(decoding: $0.id, as: UTF8.self)) }
    #expect(count == ids.count)
    return ids
  }

  private func change(_ sql: String) throws {
    try DatabaseQueue(path: path).writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = ON; \(sql)")
    }
  }

  @Test func seeARevisionAtOnceAndNoFormerOne() throws {
    let former = try catalogue.edition(of: "s", at: nil)
    #expect(try ids(of: former).count == 10)
    let batch = try EditBatch(Array(#"[{"op":"remove","ids":["é3"]}]"#.utf8), as: .array)
    _ = try SQLiteEditor(catalogue).edit("s", batch, expecting: .anything, once: nil)
    let newest = try catalogue.edition(of: "s", at: nil)
    #expect(try ids(of: newest) == [0, 1, 2, 4, 5, 6, 7, 8, 9].map { "é\($0)" })
    #expect(try ids(of: former).isEmpty)
    var count = 0
    try former.source.read(0..<10) { _ in count += 1 }
    #expect(count == 10)
  }

  @Test(arguments: [
    "UPDATE item SET fields = 'none' WHERE id = 'é4'",
    "UPDATE item SET fields = CAST(X'7BFF7D' AS TEXT) WHERE id = 'é4'",
    "DELETE FROM item WHERE id = 'é4'",
  ])
  func stopAtDamage(_ sql: String) throws {
    let edition = try catalogue.edition(of: "s", at: nil)
    try change(sql)
    #expect(try ids(of: edition) == (0..<4).map { "é\($0)" })
    var count = 0
    #expect(throws: CatalogueError.self) { try edition.source.read(0..<10) { _ in count += 1 } }
    #expect(count == 4)
  }

  @Test func areNotInAWritersWayForLong() throws {
    let edition = try catalogue.edition(of: "s", at: nil)
    #expect(try ids(of: edition).count == 10)
    try change("UPDATE strip SET title = 'another'")
    func isTidied() throws -> Bool {
      try DatabaseQueue(path: path).writeWithoutTransaction { db in
        try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")?[0] == 0
      }
    }
    #expect(try !isTidied())
    snapshots.letGo()
    #expect(try isTidied())
  }
}
