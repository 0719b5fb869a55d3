import Catalogue
import CatalogueTesting
import Dispatch
import Items
import SQLCatalogue
import Synchronization
import Testing
import Views

/// A server builds the columns of long strips before a view needs them.
struct ColumnPreparationTests {
  private static let need = RequiredColumns(fields: ["year"], words: true)

  private func items(_ numbers: Range<Int>) throws -> [Item] {
    try numbers.map { number in
      try Item(
        id: "i\(number)",
        fields: Fields(
          json: Array(#"{"title":"red \#(number % 7)","year":\#(1900 + number % 70)}"#.utf8)))
    }
  }

  private func settings(_ filterable: [FieldName] = ["year"]) -> SettingsPatch {
    var change = SettingsPatch()
    change.filterable = filterable
    change.searchable = ["title"]
    return change
  }

  /// Whether no view of the newest snapshot waits for columns.
  private func isPrepared(_ catalogue: SQLStripCatalogue, _ need: RequiredColumns) -> Bool {
    guard let snapshot = catalogue.cached("s").newest?.snapshot else { return false }
    return snapshot.columns.cachedColumns(of: snapshot, need) != nil
      && catalogue.status?.pendingItems == 0
  }

  @Test(arguments: Store.allCases)
  func
    `a server builds the columns of a long strip that it loads, that grows, or that declares others`(
      _ store: Store
    ) throws
  {
    let store = try StoreUnderTest(store)
    try store.put(items(0..<SnapshotCache.asyncLoadThreshold), settings: settings())
    let (catalogue, editor) = try store.editable()
    try catalogue.load(LoadProgress())
    try eventually { isPrepared(catalogue, Self.need) }
    let count = SnapshotCache.asyncLoadThreshold
    try store.put(items(count..<count + 100), .append)
    try catalogue.refresh()
    try eventually { isPrepared(catalogue, Self.need) }
    let patch = try SettingsPatch(json: Array(#"{"filterable":["year","title"]}"#.utf8))
    _ = try editor.set("s", patch, expecting: .anything)
    try eventually {
      isPrepared(catalogue, RequiredColumns(fields: ["year", "title"], words: true))
    }
  }

  @Test(arguments: Store.allCases)
  func `a database that is lost during a start leaves no loaded strip without columns`(
    _ store: Store
  ) throws {
    let store = try StoreUnderTest(store)
    for name in ["s", "t"] {
      try store.put(items(0..<SnapshotCache.asyncLoadThreshold), into: name, settings: settings())
    }
    let (probe, catalogue) = try store.probed()
    // The first read is that of the names, the second one that of s.
    probe.afterNextRead = { probe.afterNextRead = { probe.failReads(true) } }
    #expect(throws: CatalogueError.self) { try catalogue.load(LoadProgress()) }
    #expect(catalogue.cached("s").newest != nil && catalogue.cached("t").newest == nil)
    probe.failReads(false)
    try eventually { isPrepared(catalogue, Self.need) }
  }

  @Test(arguments: Store.allCases)
  func `one thread at a time prepares the columns of a strip`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put(items(0..<SnapshotCache.asyncLoadThreshold), settings: settings())
    let strip = SnapshotCache(name: "s", SnapshotReader(try store.database(), contentMemory: 0))
    let snapshot = try strip.snapshot(at: nil)
    let columns = snapshot.columns
    #expect(strip.beginPreparation(memory: .max) != nil)
    columns.requirePreparation()
    #expect(strip.beginPreparation(memory: .max) == nil)
    strip.endPreparation()
    #expect(strip.beginPreparation(memory: .max) != nil)
    strip.endPreparation()
    #expect(strip.beginPreparation(memory: .max) == nil, "nothing has changed since")
    // One of two threads begins it if it becomes due while the other one finds nothing due.
    let begun = Atomic(0)
    for round in 1...20_000 {
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 1 { columns.requirePreparation() }
        guard strip.beginPreparation(memory: .max) != nil else { return }
        begun.add(1, ordering: .relaxed)
      }
      guard begun.load(ordering: .relaxed) == round else { break }
      strip.endPreparation()
    }
    #expect(begun.exchange(0, ordering: .relaxed) == 20_000)
    columns.record([], appendedFrom: 0, at: snapshot.revision + 1)
    #expect(strip.beginPreparation(memory: .max) == nil, "no reader can see the change yet")
    columns.record([], appendedFrom: nil, at: snapshot.revision)
    #expect(strip.beginPreparation(memory: .max) != nil)
  }
}
