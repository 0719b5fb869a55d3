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

  @Test
  func `a database of another version is an error`() throws {
    let store = try StoreUnderTest(holding: 1)
    try store.execute("PRAGMA user_version = 99")
    let reading = #expect(throws: CatalogueError.self) { try store.catalogue() }
    #expect(reading?.description.contains("version 99") == true)
    let writing = #expect(throws: CatalogueError.self) { try store.put([Item(id: "b")], .append) }
    #expect(writing == reading)
  }

  @Test(arguments: [
    "UPDATE layout SET sizes = x'ffffffffffffffff', count = 1",
    "UPDATE layout SET groups = x'01'", "UPDATE layout SET sizes = x'00'",
    #"UPDATE strip SET settings = '{"height":1}'"#,
  ])
  func `a damaged geometry is an error`(_ damage: String) throws {
    let store = try StoreUnderTest(holding: 2)
    try store.execute("\(damage)")
    let catalogue = try store.catalogue()
    let error = #expect(throws: CatalogueError.self) { try catalogue.snapshot(of: "s", at: nil) }
    #expect(error?.isCorrupt == true)
  }

  @Test(arguments: [
    "INSERT INTO item SELECT strip, sort_key + 1, first_revision, checksum, id, kind, aspect, width, \"group\", fields FROM item",
    "UPDATE item SET fields = '{'", "UPDATE item SET aspect = -1",
    "UPDATE item SET width = 6400001",
    "UPDATE item SET id = ''", "UPDATE item SET kind = 64", "UPDATE strip SET name = 'No'",
    "UPDATE strip SET settings = '[]'", "UPDATE layout SET count = 2",
  ])
  func `the schema rejects values that no item has`(_ nonsense: String) throws {
    let store = try StoreUnderTest(holding: 1)
    #expect(throws: DatabaseError.self) {
      try DatabaseQueue(path: store.path).writeWithoutTransaction { try $0.execute(sql: nonsense) }
    }
  }
}
