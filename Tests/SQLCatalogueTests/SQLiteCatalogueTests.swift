import Catalogue
import CatalogueTesting
import Foundation
import GRDB
import SQLCatalogue
import Testing
import Windowing

struct SQLiteCatalogueTests {

  private func run(
    _ store: StoreUnderTest, _ ids: [String], _ mode: StripImport.Mode = .make, name: String = "s"
  ) throws {
    try store.importer().run(
      StripImport(name: name, mode: mode)
    ) { add throws(CatalogueError) in
      for id in ids { try add(Item(id: id)) }
    }
  }

  @Test
  func isNotHadWhereThereIsNoFile() throws {
    let store = try StoreUnderTest()
    let error = #expect(throws: CatalogueError.self) { try store.catalogue() }
    #expect(error?.description.hasPrefix("\(store.path) does not exist") == true)
    #expect(!FileManager.default.fileExists(atPath: store.path))
  }

  @Test
  func isNotHadFromAFileThatIsNoDatabase() throws {
    let store = try StoreUnderTest()
    try Data(repeating: 65, count: 20_000).write(to: URL(fileURLWithPath: store.path))
    #expect(throws: CatalogueError.unavailable("\(store.path) is not a database")) {
      try store.catalogue()
    }
  }

  @Test
  func isNotHadFromADatabaseOfSomethingElse() throws {
    let store = try StoreUnderTest()
    try store.execute("CREATE TABLE item (id)")
    #expect(
      throws: CatalogueError.unavailable("\(store.path) is a database, but not one of carousel")
    ) {
      try store.catalogue()
    }
  }

  @Test
  func isNotHadFromANewerVersion() throws {
    let store = try StoreUnderTest()
    try run(store, ["a"])
    try store.execute("PRAGMA user_version = 99")
    let reading = #expect(throws: CatalogueError.self) { try store.catalogue() }
    #expect(reading?.description.contains("version 99") == true)
    let writing = #expect(throws: CatalogueError.self) { try run(store, ["b"], .append) }
    #expect(writing == reading)
  }

  @Test
  func followsWhatOthersCommit() throws {
    let store = try StoreUnderTest()
    try run(store, ["a"])
    let catalogue = try store.catalogue()
    let before = try catalogue.edition(of: "s", at: nil)
    try run(store, ["b"], .append)
    try run(store, ["x"], name: "new")
    try catalogue.refresh()
    let after = try catalogue.edition(of: "s", at: nil)
    #expect(after.revision == before.revision + 1)
    #expect(after.strip.count == 2)
    #expect(try catalogue.names(after: nil, limit: 9) == ["s", "new"])
    #expect(try catalogue.edition(of: "new", at: nil).strip.count == 1)
  }

  @Test
  func countsChangesAndNothingElse() throws {
    let store = try StoreUnderTest()
    try run(store, ["a"])
    let catalogue = try store.catalogue()
    let revision = try catalogue.edition(of: "s", at: nil).revision
    let before = try #require(catalogue.changeCount)
    try catalogue.refresh()
    _ = try catalogue.edition(of: "s", at: revision)
    #expect(catalogue.changeCount == before)
    try run(store, ["b"], .append)
    try catalogue.refresh()
    #expect(try #require(catalogue.changeCount) > before)
  }

  @Test
  func holdsTheRevisionBeforeAnAppend() throws {
    let store = try StoreUnderTest()
    try run(store, ["a"])
    let catalogue = try store.catalogue()
    let before = try catalogue.edition(of: "s", at: nil)
    try run(store, ["b"], .append)
    try catalogue.refresh()
    let held = try catalogue.edition(of: "s", at: before.revision)
    #expect(held.strip.count == 1)
    #expect(try held.source.contents(of: 0..<1).map(\.id) == ["a"])
    #expect(try held.source.index(of: "b") == nil)
  }

  @Test
  func holdsTheRevisionBeforeAReplacement() throws {
    let store = try StoreUnderTest()
    try run(store, ["a", "b"])
    let catalogue = try store.catalogue()
    let before = try catalogue.edition(of: "s", at: nil)
    try run(store, ["b", "c"], .replace)
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
    let store = try StoreUnderTest()
    try run(store, ["a", "b", "c"])
    let edition = try store.catalogue().edition(of: "s", at: nil)
    try store.execute("\(damage)")
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
    let store = try StoreUnderTest()
    try run(store, ["a", "b"])
    try store.execute("\(damage)")
    let catalogue = try store.catalogue()
    let error = #expect(throws: CatalogueError.self) { try catalogue.edition(of: "s", at: nil) }
    guard case .corrupt? = error else {
      Issue.record("\(String(describing: error)) is not about damage")
      return
    }
  }

  @Test(arguments: [
    "INSERT INTO item SELECT strip, position + 1, since, id, kind, aspect, width, \"group\", fields FROM item",
    "UPDATE item SET fields = '{'", "UPDATE item SET aspect = -1",
    "UPDATE item SET width = 6400001",
    "UPDATE item SET id = ''", "UPDATE item SET kind = 64", "UPDATE strip SET name = 'No'",
    "UPDATE strip SET height = 0", "UPDATE layout SET count = 2",
  ])
  func isKeptFromNonsenseByItsSchema(_ nonsense: String) throws {
    let store = try StoreUnderTest()
    try run(store, ["a"])
    #expect(throws: DatabaseError.self) {
      try DatabaseQueue(path: store.path).writeWithoutTransaction { try $0.execute(sql: nonsense) }
    }
  }
}
