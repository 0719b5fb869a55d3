import Catalogue
import CatalogueTesting
import Cryptography
import Items
import SQLCatalogue
import Synchronization
import Testing
import Views

/// Stored lists of ids, which views select and order items by.
struct ListTests {
  private static let day = 86_400_000_000

  private func list(_ ids: String...) throws -> ItemList {
    try ItemList(json: Array("[\(ids.map { "\"\($0)\"" }.joined(separator: ","))]".utf8))
  }

  @Test(arguments: Store.allCases)
  func `a list is stored once and read by every server`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let (catalogue, editor) = try store.editable()
    let list = try list("i2", "gone", "i0")
    #expect(try editor.store(list, for: "s", by: WriteDeadline()))
    #expect(try !editor.store(list, for: "s", by: WriteDeadline()))
    #expect(try catalogue.list(list.name, of: "s") == list)
    #expect(try store.catalogue().list(list.name, of: "s")?.ids == ["i2", "gone", "i0"])
    #expect(try catalogue.list(list.name, of: "t") == nil)
    #expect(try catalogue.list(self.list("i0").name, of: "s") == nil)
    #expect(throws: CatalogueError.noSuchStrip("t")) {
      try editor.store(list, for: "t", by: WriteDeadline())
    }
  }

  @Test(arguments: Store.allCases)
  func `a damaged list is written again`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let (catalogue, editor) = try store.editable()
    let list = try list("i2", "i0")
    let other = try self.list("i2", "i1")
    for one in [list, other] { _ = try editor.store(one, for: "s", by: WriteDeadline()) }
    try store.execute(
      "UPDATE list SET used = 0, ids = (SELECT ids FROM list WHERE name = '\(other.name)')")
    #expect(throws: CatalogueError.self) { try catalogue.list(list.name, of: "s") }
    #expect(try editor.store(list, for: "s", by: WriteDeadline()))
    #expect(try store.number("SELECT used FROM list WHERE name = '\(list.name)'") > 0)
    #expect(try catalogue.list(list.name, of: "s") == list)
  }

  @Test(arguments: Store.allCases)
  func `a list outlives the strip's items, but not the strip`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let (catalogue, editor) = try store.editable()
    let list = try list("i2")
    _ = try editor.store(list, for: "s", by: WriteDeadline())
    try store.put(numbered(1), .replace)
    #expect(try catalogue.list(list.name, of: "s") == list)
    try editor.remove("s", expecting: .anything)
    #expect(try catalogue.list(list.name, of: "s") == nil)
  }

  @Test(arguments: Store.allCases)
  func `a command records the use of a list at most once a day`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 1)
    let editor = try store.editor()
    let command = try SQLStripCatalogue(store.database(), observesChanges: false)
    let list = try list("i0")
    _ = try editor.store(list, for: "s", by: WriteDeadline())
    try store.execute("UPDATE list SET used = used - \(Self.day / 2)")
    let used = try store.number("SELECT used FROM list")
    _ = try command.list(list.name, of: "s")
    #expect(try store.number("SELECT used FROM list") == used)
    try store.execute("UPDATE list SET used = used - \(Self.day)")
    _ = try command.list(list.name, of: "s")
    #expect(try store.number("SELECT used FROM list") > used)
  }

  @Test(arguments: Store.allCases)
  func `a server deletes the lists that were not used for so many days`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 1)
    let (catalogue, editor) = try store.editable()
    let kept = try list("kept")
    for number in 0..<120 {
      _ = try editor.store(list("i\(number)"), for: "s", by: WriteDeadline())
    }
    _ = try editor.store(kept, for: "s", by: WriteDeadline())
    try store.execute("UPDATE list SET used = used - \(33 * Self.day) WHERE name <> '\(kept.name)'")
    try editor.maintain()
    #expect(try store.count(of: "list") == 121, "a command does not know the limit")
    try SQLStripEditor(catalogue, isServer: true, listDays: 32).maintain()
    #expect(try store.count(of: "list") == 121)
    try SQLStripEditor(catalogue, isServer: true, listDays: 30).maintain()
    #expect(try store.count(of: "list") == 1)
    #expect(try catalogue.list(kept.name, of: "s") == kept)
  }

  @Test(arguments: Store.allCases)
  func `a list that is read each day is kept`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 1)
    let (catalogue, editor) = try store.editable()
    _ = try editor.store(list("i0"), for: "s", by: WriteDeadline())
    let server = SQLStripEditor(catalogue, isServer: true, listDays: 1)
    // `used` is exact to a day, and a cache can hide a read for another day. So two days pass.
    try store.execute("UPDATE list SET used = used - \(2 * Self.day)")
    try server.maintain()
    #expect(try store.count(of: "list") == 1)
    try store.execute("UPDATE list SET used = used - \(2 * Self.day)")
    try server.maintain()
    #expect(try store.count(of: "list") == 0)
  }

  /// A view asks for its list again only after a day.
  @Test(arguments: Store.allCases)
  func `a server that reads a list writes nothing, and records the use in time`(
    _ store: Store
  ) throws {
    let store = try StoreUnderTest(store, holding: 1)
    let probe = DatabaseProbe(try store.database(), holdsNotifications: true)
    let catalogue = try SQLStripCatalogue(probe)
    let server = SQLStripEditor(catalogue, isServer: true, listDays: 30)
    let list = try list("i0")
    _ = try store.editor().store(list, for: "s", by: WriteDeadline())
    try store.execute("UPDATE list SET used = used - \(40 * Self.day)")
    let used = try store.number("SELECT used FROM list")
    #expect(try catalogue.list(list.name, of: "s") == list)
    #expect(try store.number("SELECT used FROM list") == used)
    try server.maintain()
    #expect(try catalogue.list(list.name, of: "s") == list)
    try store.execute("UPDATE list SET used = used - \(40 * Self.day)")
    #expect(try catalogue.list(list.name, of: "s") == list)
    try probe.notify(.periodic)
    try eventually { try store.number("SELECT used FROM list") > used + 39 * Self.day }
  }

  @Test(arguments: Store.allCases)
  func `a server logs once that maintenance fails`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 1)
    let probe = DatabaseProbe(try store.database())
    let logged = Mutex<[String]>([])
    let server = SQLStripEditor(
      try SQLStripCatalogue(probe, observesChanges: false), isServer: true, listDays: 30
    ) { sentence in logged.withLock { $0.append(sentence) } }
    for _ in 0..<2 {
      probe.failMaintenance(after: 0)
      server.scheduleMaintenance()
      try eventually { probe.hasFailedMaintenance }
    }
    server.close()
    #expect(logged.withLock { $0.count } == 1)
    #expect(logged.withLock { $0[0] }.contains("maintenance fails"))
  }

  @Test(arguments: Store.allCases)
  func `declared fields belong to a revision`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    var settings = SettingsPatch()
    settings.filterable = ["year", "a,\"b\"\u{1F600}"]
    try store.put(numbered(1), settings: settings)
    let (catalogue, editor) = try store.editable()
    let before = try catalogue.snapshot(of: "s", at: nil)
    #expect(before.settings.filterable == ["year", "a,\"b\"\u{1F600}"])
    #expect(before.settings.searchable == [])
    let patch = try SettingsPatch(json: Array(#"{"searchable":["title"],"filterable":null}"#.utf8))
    let made = try editor.set("s", patch, expecting: .anything)
    #expect(made.revision == before.revision + 1)
    for catalogue in [catalogue, try store.catalogue()] {
      let after = try catalogue.snapshot(of: "s", at: made.revision)
      #expect(after.settings.searchable == ["title"] && after.settings.filterable == [])
      #expect(try catalogue.snapshot(of: "s", at: before.revision).settings == before.settings)
    }
    settings.filterable = ["year"]
    try store.put(numbered(1), .replace, settings: settings)
    let replaced = try store.catalogue().snapshot(of: "s", at: nil)
    #expect(replaced.revision > made.revision)
    #expect(replaced.settings.filterable == ["year"] && replaced.settings.searchable == ["title"])
  }
}
