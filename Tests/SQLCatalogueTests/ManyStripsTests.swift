import Catalogue
import CatalogueTesting
import Items
import SQLCatalogue
import Synchronization
import Testing
import Views
import Windowing

/// Imports of many strips from one file.
struct ManyStripsTests {

  @discardableResult
  private func run(
    _ store: StoreUnderTest, _ rows: [(id: String, strip: String)],
    _ mode: StripImport.Mode = .create,
    settings: SettingsPatch = SettingsPatch()
  ) throws -> StripCounts {
    try store.importer().run(
      StripImport(mode: mode, settings: settings)
    ) { add throws(CatalogueError) in
      for row in rows { try add(Item(id: row.id, width: .px(10)), row.strip) }
    }.counts
  }

  @Test(arguments: Store.allCases)
  func `each item of a file is imported into its strip, in any order`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    var rows = (0..<3000).map { (id: "\($0)", strip: "s\($0 % 700 / 300)") }
    rows.append((id: "last", strip: "s1"))
    #expect(try run(store, rows) == StripCounts(created: 3))
    #expect(try store.catalogue().names(after: nil, limit: 9) == ["s0", "s1", "s2"])
    for strip in ["s0", "s1", "s2"] {
      #expect(try ids(store.catalogue(), of: strip) == rows.filter { $0.strip == strip }.map(\.id))
    }
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `an import appends one revision to each strip`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try run(store, [("1", "a"), ("1", "b")])
    let catalogue = try store.catalogue()
    let before = try ["a", "b"].map { try catalogue.snapshot(of: $0, at: nil) }
    try run(store, [("2", "b"), ("1", "c"), ("3", "b"), ("4", "c"), ("5", "b")], .append)
    #expect(
      try ids(store.catalogue(), of: "a") == ["1"]
        && ids(store.catalogue(), of: "b") == ["1", "2", "3", "5"]
        && ids(store.catalogue(), of: "c") == ["1", "4"])
    try catalogue.refresh()
    #expect(try catalogue.snapshot(of: "a", at: nil).revision == before[0].revision)
    #expect(try catalogue.snapshot(of: "b", at: nil).revision == before[1].revision + 1)
    #expect(try catalogue.snapshot(of: "b", at: before[1].revision).strip.count == 1)
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `an import replaces only the strips that it names`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try run(store, [("1", "a"), ("2", "a"), ("1", "b")])
    try run(store, [("3", "a"), ("4", "a"), ("9", "d")], .replace)
    #expect(
      try ids(store.catalogue(), of: "a") == ["3", "4"] && ids(store.catalogue(), of: "b") == ["1"]
        && ids(store.catalogue(), of: "d") == ["9"])
  }

  @Test(arguments: Store.allCases)
  func `an import of many strips that fails makes none`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try run(store, [("1", "b")])
    #expect(throws: CatalogueError.stripExists("b")) { try run(store, [("1", "a"), ("2", "b")]) }
    #expect(throws: CatalogueError.self) { try run(store, [("1", "a"), ("2", "No Name")]) }
    #expect(throws: CatalogueError.self) { try run(store, [("1", "a"), ("1", "c"), ("1", "a")]) }
    #expect(try store.catalogue().names(after: nil, limit: 9) == ["b"])
  }

  @Test(arguments: Store.allCases)
  func `an import gives all strips the same settings`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    var settings = SettingsPatch()
    settings.gap = .px(3)
    try run(store, [("1", "a"), ("1", "b")], settings: settings)
    let strips = try store.catalogue().summaries(after: nil, limit: 9)
    #expect(strips.map(\.settings.gap) == [.px(3), .px(3)])
  }

  @Test(arguments: Store.allCases)
  func `long strips are loaded before a server starts`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let count = 50_000
    try run(store, (0..<count).map { ("\($0)", "long") } + [("1", "short")])
    let progress = LoadProgress()
    let (probe, catalogue) = try store.probed()
    probe.repeatsReads.store(true, ordering: .relaxed)
    try catalogue.load(progress)
    #expect(progress.total == count && progress.loaded == count)
    // The strip exceeds the memory, so it is loaded only on request.
    let none = LoadProgress()
    try store.catalogue(memory: 1000).load(none)
    #expect(none.total == 0 && none.loaded == 0)
  }
}
