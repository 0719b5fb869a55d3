import Catalogue
import Testing
import Windowing

/// What holds for every store whose strip is given other items.
struct ReplacementTests {
  /// What is the same is left alone; former revisions stay what they were.
  @Test(arguments: Store.allCases, 1...12 as ClosedRange<UInt64>)
  func writesWhatDiffers(_ store: Store, _ seed: UInt64) throws {
    let store = try StoreUnderTest(store)
    let old = try randomItems(2500, seed: seed)
    try store.put(old)
    let catalogue = try store.catalogue()
    let before = try catalogue.edition(of: "s", at: nil)
    var changes = RandomReplacement(seed: seed)
    let new = try changes.applied(to: old)
    let imported = try store.put(new, .replace)
    #expect(imported.count == new.count)
    try catalogue.refresh()
    for edition in [
      try catalogue.edition(of: "s", at: nil), try store.catalogue().edition(of: "s", at: nil),
    ] {
      #expect(edition.revision == imported.revision)
      #expect(try edition.source.items(in: 0..<edition.strip.count) == new, "seed \(seed)")
      let expected = try Edition(
        name: "s", settings: edition.settings, revision: edition.revision, items: new)
      #expect(
        Array(edition.strip.groupRuns(from: 0)) == Array(expected.strip.groupRuns(from: 0)))
    }
    for catalogue in [catalogue, try store.catalogue()] {
      let held = try catalogue.edition(of: "s", at: before.revision)
      #expect(held.strip == before.strip)
      #expect(try held.source.items(in: 0..<old.count) == old)
    }
    #expect(try store.count(of: "past_item") <= changes.touched)
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func leavesWhatIsTheSame(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let items = try randomItems(1500, seed: 3)
    let before = try store.put(items).revision
    #expect(try store.put(items, .replace).revision > before)
    #expect(try store.count(of: "past_item") == 0)
    let held = try store.catalogue().edition(of: "s", at: before)
    #expect(try held.source.items(in: 0..<1500) == items)
  }

  @Test(arguments: Store.allCases)
  func refusesAnIDThatComesTwice(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let old = try randomItems(10, seed: 1)
    try store.put(old)
    for twice in [old[3], try Item(id: "new")] {
      #expect(throws: CatalogueError.invalid("id: \"\(twice.id)\" is there already")) {
        try store.put([twice, old[5], twice], .replace)
      }
    }
    let edition = try store.catalogue().edition(of: "s", at: nil)
    #expect(try edition.source.items(in: 0..<10) == old)
  }

  @Test(arguments: Store.allCases)
  func jumpsOverRevisionsThatNeverWere(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let before = try store.put([Item(id: "a")]).revision
    let after = try store.put([Item(id: "b")], .replace).revision
    let catalogue = try store.catalogue()
    #expect(after > before + 1)
    #expect(throws: CatalogueError.revisionUnknown(before + 1)) {
      try catalogue.edition(of: "s", at: before + 1)
    }
  }
}
