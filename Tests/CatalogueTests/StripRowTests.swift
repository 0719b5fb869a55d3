import Catalogue
import Testing
import Windowing

/// What every store keeps of its strips beside their items, and what it lets go of.
struct StripRowTests {
  @Test(arguments: Store.allCases)
  func listsStripsWithTheSumsOfTheirItemsThroughAllEdits(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    for (name, count) in [("a", 0), ("b", 1200), ("c", 40)] {
      var settings = SettingsChange()
      settings.gap = Length(px: 2.5)
      settings.loop = name == "c"
      settings.itemWidth = .px(33)
      try store.put(randomItems(count, seed: UInt64(count)), into: name, settings: settings)
    }
    let (catalogue, editor) = try store.editable()
    var edits = RandomEdits(seed: 12)
    for turn in 0..<40 {
      let name = ["a", "b", "c"][turn % 3]
      let edition = try catalogue.edition(of: name, at: nil)
      let ids = try edition.source.contents(of: 0..<edition.strip.count).map(\.id)
      _ = try? editor.edit(
        name, edits.batch(for: ids, upTo: 5), expecting: .anything, once: nil)
      if turn == 20 { try store.put(randomItems(30, seed: 5), into: "c", .replace) }
      if turn == 30 { try store.put([Item(id: "appended")], into: "c", .append) }
      try catalogue.refresh()
      for listed in try catalogue.summaries(after: nil, limit: 9) {
        let strip = StripSummary(try catalogue.edition(of: listed.name, at: nil))
        #expect(listed.count == strip.count && listed.extent == strip.extent, "turn \(turn)")
        #expect(listed.revision == strip.revision && listed.kinds == strip.kinds)
      }
    }
    #expect(try catalogue.summaries(after: "a", limit: 1).map(\.name) == ["b"])
    #expect(throws: CatalogueError.noSuchStrip("x")) {
      try catalogue.summaries(after: "x", limit: 1)
    }
    #expect(try store.faults() == [])
    try store.execute("UPDATE strip SET bare = bare + 1 WHERE name = 'b'")
    #expect(try store.faults().count == 1)
  }

  @Test(arguments: Store.allCases)
  func readsAgainWhatThereIsNoRoomToHold(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let names = (0..<20).map { "s\($0)" }
    try store.importer().runMany(.make, settings: SettingsChange(), title: { _ in nil }) {
      add throws(CatalogueError) in
      for name in names { try add(Item(id: "1"), name) }
    }
    let catalogue = try store.catalogue(memory: 1)
    let first = try catalogue.edition(of: "s7", at: nil)
    try store.put([Item(id: "2")], into: "s7", .append)
    try catalogue.refresh()
    for name in names { _ = try catalogue.edition(of: name, at: nil) }
    #expect(throws: CatalogueError.wouldBlock) {
      try catalogue.edition(of: "s7", at: nil, mode: .cachedOnly)
    }
    #expect(try catalogue.edition(of: "s7", at: nil).strip.count == 2)
    let former = try catalogue.edition(of: "s7", at: first.revision)
    #expect(former.strip.count == 1)
    #expect(try former.source.contents(of: 0..<1) == first.source.contents(of: 0..<1))
  }

  /// So many that some are brought into the layout's rows, and others are not yet.
  @Test(arguments: Store.allCases)
  func staysWholeThroughManyChanges(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let count = 3000
    try store.put((0..<count).map { try Item(id: "i\($0)", width: .px(1)) })
    let (catalogue, editor) = try store.editable()
    for turn in 1...8 {
      let step = turn < 5 ? 1 : 700
      let updates = stride(from: 0, to: count, by: step).map {
        #"{"op":"update","id":"i\#($0)","set":{"width":\#(turn)}}"#
      }
      let batch = try EditBatch(Array("[\(updates.joined(separator: ","))]".utf8), as: .array)
      _ = try editor.edit("s", batch, expecting: .anything, once: nil)
    }
    let (here, fresh) = (
      try catalogue.edition(of: "s", at: nil), try store.catalogue().edition(of: "s", at: nil)
    )
    #expect(here.strip == fresh.strip)
    #expect(fresh.strip[0].size.width == .px(8) && fresh.strip[1].size.width == .px(4))
    #expect(try store.faults() == [])
  }
}
