import Catalogue
import Foundation
import GRDB
import ItemsInSQLite
import Testing
import Windowing

struct SQLiteCatalogueTests {
  private let folder: ScratchFolder
  private let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.path("strips.db")
  }

  private func run(_ ids: [String], _ mode: StripImport.Mode = .make, name: String = "s") throws {
    try SQLiteImporter(path: path).run(
      StripImport(name: name, mode: mode)
    ) { add throws(CatalogueError) in
      for id in ids { try add(Item(id: id)) }
    }
  }

  private func execute(_ sql: String) throws {
    try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  @Test func isNotHadWhereThereIsNoFile() {
    let error = #expect(throws: CatalogueError.self) { try SQLiteCatalogue(path: path) }
    #expect(error?.description.hasPrefix("\(path) does not exist") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func isNotHadFromAFileThatIsNoDatabase() throws {
    try Data(repeating: 65, count: 20_000).write(to: URL(fileURLWithPath: path))
    #expect(throws: CatalogueError.unavailable("\(path) is not a database")) {
      try SQLiteCatalogue(path: path)
    }
  }

  @Test func isNotHadFromADatabaseOfSomethingElse() throws {
    try execute("CREATE TABLE item (id)")
    #expect(throws: CatalogueError.unavailable("\(path) is a database, but not one of carousel")) {
      try SQLiteCatalogue(path: path)
    }
  }

  @Test func isNotHadFromANewerVersion() throws {
    try run(["a"])
    try execute("PRAGMA user_version = 99")
    let reading = #expect(throws: CatalogueError.self) { try SQLiteCatalogue(path: path) }
    #expect(reading?.description.contains("version 99") == true)
    let writing = #expect(throws: CatalogueError.self) { try run(["b"], .append) }
    #expect(writing == reading)
  }

  @Test func followsWhatOthersCommit() throws {
    try run(["a"])
    let catalogue = try SQLiteCatalogue(path: path)
    let before = try catalogue.edition(of: "s", at: nil)
    try run(["b"], .append)
    try run(["x"], name: "new")
    try catalogue.refresh()
    let after = try catalogue.edition(of: "s", at: nil)
    #expect(after.revision == before.revision + 1)
    #expect(after.strip.count == 2)
    #expect(try catalogue.names(after: nil, limit: 9) == ["s", "new"])
    #expect(try catalogue.edition(of: "new", at: nil).strip.count == 1)
  }

  @Test func countsChangesAndNothingElse() throws {
    try run(["a"])
    let catalogue = try SQLiteCatalogue(path: path)
    let revision = try catalogue.edition(of: "s", at: nil).revision
    let before = try #require(catalogue.changeCount)
    try catalogue.refresh()
    _ = try catalogue.edition(of: "s", at: revision)
    #expect(catalogue.changeCount == before)
    try run(["b"], .append)
    try catalogue.refresh()
    #expect(try #require(catalogue.changeCount) > before)
  }

  @Test func followsByItself() async throws {
    try run(["a"])
    let catalogue = try SQLiteCatalogue(path: path)
    let before = try catalogue.edition(of: "s", at: nil).revision
    try run(["b"], .append)
    let deadline = ContinuousClock.now + .seconds(60)
    while try catalogue.edition(of: "s", at: nil).revision == before {
      try #require(ContinuousClock.now < deadline)
      await Task.yield()
    }
    #expect(try catalogue.edition(of: "s", at: nil).strip.count == 2)
  }

  @Test func holdsTheRevisionBeforeAnAppend() throws {
    try run(["a"])
    let catalogue = try SQLiteCatalogue(path: path)
    let before = try catalogue.edition(of: "s", at: nil)
    try run(["b"], .append)
    try catalogue.refresh()
    let held = try catalogue.edition(of: "s", at: before.revision)
    #expect(held.strip.count == 1)
    #expect(try held.source.contents(of: 0..<1).map(\.id) == ["a"])
    #expect(try held.source.index(of: "b") == nil)
  }

  @Test func holdsTheRevisionBeforeAReplacement() throws {
    try run(["a", "b"])
    let catalogue = try SQLiteCatalogue(path: path)
    let before = try catalogue.edition(of: "s", at: nil)
    try run(["b", "c"], .replace)
    #expect(try before.source.contents(of: 0..<2).map(\.id) == ["a", "b"])
    try catalogue.refresh()
    let held = try catalogue.edition(of: "s", at: before.revision)
    #expect(try held.source.contents(of: 0..<2).map(\.id) == ["a", "b"])
    let newest = try catalogue.edition(of: "s", at: nil)
    #expect(try newest.source.contents(of: 0..<2).map(\.id) == ["b", "c"])
  }

  @Test(arguments: [
    ("DELETE FROM item WHERE id = 'b'", "some are missing"),
    ("UPDATE item SET fields = '[1,2,3]' WHERE id = 'b'", "item 1 "),
    ("UPDATE item SET id = CAST(x'ff' AS TEXT) WHERE id = 'b'", "item 1 "),
  ])
  func namesAnItemThatIsDamaged(_ damage: String, _ named: String) throws {
    try run(["a", "b", "c"])
    let edition = try SQLiteCatalogue(path: path).edition(of: "s", at: nil)
    try execute("PRAGMA ignore_check_constraints = 1; \(damage)")
    let error = #expect(throws: CatalogueError.self) { try edition.source.contents(of: 0..<3) }
    guard case .corrupt(let sentence)? = error else {
      Issue.record("\(String(describing: error)) is not about damage")
      return
    }
    #expect(sentence.contains(named) && sentence.contains("\"s\""))
  }

  @Test(arguments: [
    "UPDATE layout SET sizes = x'ffffffffffffffff', count = 1",
    "UPDATE layout SET groups = x'01'", "UPDATE layout SET sizes = x'00'",
    "UPDATE strip SET height = 1",
  ])
  func namesALayoutThatIsDamaged(_ damage: String) throws {
    try run(["a", "b"])
    try execute("PRAGMA ignore_check_constraints = 1; \(damage)")
    let catalogue = try SQLiteCatalogue(path: path)
    let error = #expect(throws: CatalogueError.self) { try catalogue.edition(of: "s", at: nil) }
    guard case .corrupt? = error else {
      Issue.record("\(String(describing: error)) is not about damage")
      return
    }
  }

  @Test(arguments: [
    "INSERT INTO item SELECT strip, position + 1, id, kind, aspect, width, \"group\", fields FROM item",
    "UPDATE item SET fields = '{'", "UPDATE item SET aspect = -1",
    "UPDATE item SET width = 6400001",
    "UPDATE item SET id = ''", "UPDATE item SET kind = 7", "UPDATE strip SET name = 'No'",
    "UPDATE strip SET height = 0", "UPDATE kind SET name = 'No'", "UPDATE layout SET count = 2",
  ])
  func isKeptFromNonsenseByItsSchema(_ nonsense: String) throws {
    try run(["a"])
    #expect(throws: DatabaseError.self) { try execute(nonsense) }
  }
}
