import Catalogue
import CatalogueTesting
import Foundation
import GRDB
import Items
import SQLCatalogue
import Testing
import Views
import Windowing

struct SQLiteCatalogueTests {

  private func run(
    _ store: StoreUnderTest, _ ids: [String], _ mode: StripImport.Mode = .create, name: String = "s"
  ) throws {
    try store.importer().run(
      StripImport(name: name, mode: mode)
    ) { add throws(CatalogueError) in
      for id in ids { try add(Item(id: id), name) }
    }
  }

  @Test
  func `a file that does not exist is an error`() throws {
    let store = try StoreUnderTest()
    let error = #expect(throws: CatalogueError.self) { try store.catalogue() }
    #expect(error?.description.hasPrefix("\(store.path) does not exist") == true)
    #expect(!FileManager.default.fileExists(atPath: store.path))
  }

  @Test
  func `a file that is no database is an error`() throws {
    let store = try StoreUnderTest()
    try Data(repeating: 65, count: 20_000).write(to: URL(fileURLWithPath: store.path))
    #expect(throws: CatalogueError.unavailable("\(store.path) is not a database")) {
      try store.catalogue()
    }
  }

  @Test
  func `a database of another program is an error`() throws {
    let store = try StoreUnderTest()
    try store.execute("CREATE TABLE item (id)")
    #expect(
      throws: CatalogueError.unavailable("\(store.path) is a database, but not one of carousel")
    ) {
      try store.catalogue()
    }
  }

  @Test
  func `a database of another version is an error`() throws {
    let store = try StoreUnderTest()
    try run(store, ["a"])
    try store.execute("PRAGMA user_version = 99")
    let reading = #expect(throws: CatalogueError.self) { try store.catalogue() }
    #expect(reading?.description.contains("version 99") == true)
    let writing = #expect(throws: CatalogueError.self) { try run(store, ["b"], .append) }
    #expect(writing == reading)
  }

  @Test(arguments: [
    ("DELETE FROM item WHERE id = 'b'", "it has no row"),
    ("UPDATE item SET fields = '[1,2,3]' WHERE id = 'b'", #"item "b""#),
    ("UPDATE item SET id = CAST(x'ff' AS TEXT) WHERE id = 'b'", "item at the sort key "),
  ])
  func `a damaged item is an error that names it`(_ damage: String, _ named: String) throws {
    let store = try StoreUnderTest()
    try run(store, ["a", "b", "c"])
    let snapshot = try store.catalogue().snapshot(of: "s", at: nil)
    try store.execute("\(damage)")
    let error = #expect(throws: CatalogueError.self) { try snapshot.source.contents(of: 0..<3) }
    guard case .corrupt(let sentence, _, _)? = error else {
      Issue.record("\(String(describing: error)) is not about damage")
      return
    }
    #expect(sentence.contains(named) && sentence.contains("\"s\""))
  }

  @Test(arguments: [
    "UPDATE layout SET sizes = x'ffffffffffffffff', count = 1",
    "UPDATE layout SET groups = x'01'", "UPDATE layout SET sizes = x'00'",
    #"UPDATE strip SET settings = '{"height":1}'"#,
  ])
  func `a damaged layout is an error`(_ damage: String) throws {
    let store = try StoreUnderTest()
    try run(store, ["a", "b"])
    try store.execute("\(damage)")
    let catalogue = try store.catalogue()
    let error = #expect(throws: CatalogueError.self) { try catalogue.snapshot(of: "s", at: nil) }
    guard case .corrupt? = error else {
      Issue.record("\(String(describing: error)) is not about damage")
      return
    }
  }

  @Test(arguments: [
    "INSERT INTO item SELECT strip, sort_key + 1, first_revision, checksum, id, kind, aspect, width, \"group\", fields FROM item",
    "UPDATE item SET fields = '{'", "UPDATE item SET aspect = -1",
    "UPDATE item SET width = 6400001",
    "UPDATE item SET id = ''", "UPDATE item SET kind = 64", "UPDATE strip SET name = 'No'",
    "UPDATE strip SET settings = '[]'", "UPDATE layout SET count = 2",
  ])
  func `the schema rejects values that no item has`(_ nonsense: String) throws {
    let store = try StoreUnderTest()
    try run(store, ["a"])
    #expect(throws: DatabaseError.self) {
      try DatabaseQueue(path: store.path).writeWithoutTransaction { try $0.execute(sql: nonsense) }
    }
  }
}
