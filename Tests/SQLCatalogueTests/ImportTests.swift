import Catalogue
import CatalogueTesting
import Foundation
import Items
import SQLCatalogue
import SQLiteDatabase
import Testing
import Views
import Windowing

struct ImportTests {

  @discardableResult
  private func run(
    _ store: StoreUnderTest, _ ids: [String], _ mode: StripImport.Mode = .create,
    name: String = "s",
    change: SettingsPatch = SettingsPatch()
  ) throws -> ImportedStrip {
    try store.put(ids.map { try Item(id: $0) }, into: name, mode, settings: change)
  }

  @Test func `an import makes a file and leaves no other`() throws {
    let store = try StoreUnderTest()
    let imported = try run(store, ["a", "b"])
    #expect(imported.count == 2)
    #expect(try ids(store.catalogue()) == ["a", "b"])
    #expect(try store.folder.names.contains("strips.db"))
    #expect(try !store.folder.names.contains("strips.db.new"))
  }

  @Test func `an import fills an empty file`() throws {
    let store = try StoreUnderTest()
    try Data().write(to: URL(fileURLWithPath: store.path))
    try run(store, ["a"])
    #expect(try ids(store.catalogue()) == ["a"])
  }

  @Test(arguments: Store.allCases)
  func `appended items are behind the others`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let first = try run(store, (0..<700).map { "a\($0)" })
    let second = try run(store, (0..<700).map { "b\($0)" }, .append)
    #expect(second.count == 1400)
    #expect(second.revision == first.revision + 1)
    #expect(try ids(store.catalogue()) == (0..<700).map { "a\($0)" } + (0..<700).map { "b\($0)" })
  }

  @Test(arguments: Store.allCases)
  func `items can be appended one by one`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    for id in 0..<30 { try run(store, ["\(id)"], .append) }
    #expect(try ids(store.catalogue()) == (0..<30).map(String.init))
    let snapshot = try store.catalogue().snapshot(of: "s", at: nil)
    #expect(try snapshot.source.index(of: "29") == 29)
    #expect(try run(store, [], .append).revision == snapshot.revision)
  }

  @Test(arguments: Store.allCases)
  func `a replacement keeps the settings that it does not give`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    var change = SettingsPatch()
    change.height = .px(300)
    try run(store, ["a"], change: change)
    change = SettingsPatch()
    change.gap = .px(4)
    try run(store, ["b"], .replace, change: change)
    let settings = try store.catalogue().snapshot(of: "s", at: nil).settings
    #expect(settings.height == .px(300) && settings.gap == .px(4))
  }

  @Test(arguments: Store.allCases)
  func `an id that exists is rejected by name, and the import can continue`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try run(store, ["a"])
    let imported = try store.importer().run(
      StripImport(name: "s", mode: .append)
    ) { add throws(CatalogueError) in
      try add(Item(id: "b"), "s")
      for id in ["a", "b"] {
        let error = #expect(throws: CatalogueError.self) {
          try add(Item(id: id, kind: "other"), "s")
        }
        #expect(error?.description.contains("\"\(id)\"") == true)
      }
      try add(Item(id: "c", kind: "other"), "s")
    }
    #expect(imported.last?.count == 3)
    #expect(try ids(store.catalogue()) == ["a", "b", "c"])
    #expect(try store.catalogue().snapshot(of: "s", at: nil).strip.kinds == ["card", "other"])
  }

  @Test func `an import that fails leaves no file`() throws {
    let store = try StoreUnderTest()
    #expect(throws: CatalogueError.invalid("no")) {
      try store.importer().run(StripImport(name: "s")) { add throws(CatalogueError) in
        try add(Item(id: "a"), "s")
        throw .invalid("no")
      }
    }
    #expect(try store.folder.names == [])
  }

  @Test(arguments: Store.allCases)
  func `an import that fails changes nothing`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let first = try run(store, (0..<1500).map { "a\($0)" })
    for mode in [StripImport.Mode.append, .replace] {
      #expect(throws: CatalogueError.invalid("no")) {
        try store.importer().run(StripImport(name: "s", mode: mode)) { add throws(CatalogueError) in
          for id in 0..<1500 { try add(Item(id: "b\(id)"), "s") }
          throw .invalid("no")
        }
      }
      #expect(try ids(store.catalogue()) == (0..<1500).map { "a\($0)" })
      #expect(try store.catalogue().snapshot(of: "s", at: nil).revision == first.revision)
    }
  }

  @Test(arguments: Store.allCases)
  func `an import can be interrupted`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try run(store, ["a"])
    let importer = try store.importer()
    #expect(throws: CatalogueError.interrupted) {
      try importer.run(StripImport(name: "s", mode: .append)) { add throws(CatalogueError) in
        try add(Item(id: "b"), "s")
        importer.interrupt()
        try add(Item(id: "c"), "s")
      }
    }
    #expect(try ids(store.catalogue()) == ["a"])
  }

  @Test func `an import overwrites the file of a killed import`() throws {
    let store = try StoreUnderTest()
    try run(store, ["a"])
    let half = try Data(contentsOf: URL(fileURLWithPath: store.path)).prefix(20_000)
    for left in [half, Data(count: 20_000), Data()] {
      try FileManager.default.removeItem(atPath: store.path)
      try left.write(to: URL(fileURLWithPath: store.path + ".new"))
      try run(store, ["b"])
      #expect(try ids(store.catalogue()) == ["b"])
    }
  }
}
