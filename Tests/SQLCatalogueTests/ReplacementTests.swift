import Catalogue
import CatalogueTesting
import Items
import SQLCatalogue
import Testing
import Views
import Windowing

/// Replacements of one strip, in every store.
struct ReplacementTests {
  /// Equal items keep their rows, and earlier revisions do not change.
  @Test(arguments: Store.allCases, 1...12 as ClosedRange<UInt64>)
  func `a replacement writes the items that differ`(_ store: Store, _ seed: UInt64) throws {
    let store = try StoreUnderTest(store)
    let old = try randomItems(2500, seed: seed)
    try store.put(old)
    let catalogue = try store.catalogue()
    let before = try catalogue.snapshot(of: "s", at: nil)
    var changes = RandomReplacement(seed: seed)
    let new = try changes.applied(to: old)
    let imported = try store.put(new, .replace)
    #expect(imported.count == new.count)
    try catalogue.refresh()
    for snapshot in [
      try catalogue.snapshot(of: "s", at: nil), try store.catalogue().snapshot(of: "s", at: nil),
    ] {
      #expect(snapshot.revision == imported.revision)
      #expect(try snapshot.source.items(in: 0..<snapshot.strip.count) == new, "seed \(seed)")
      let expected = try Snapshot(
        name: "s", settings: snapshot.settings, revision: snapshot.revision, items: new)
      #expect(Array(snapshot.strip.groupRuns(from: 0)) == Array(expected.strip.groupRuns(from: 0)))
    }
    for catalogue in [catalogue, try store.catalogue()] {
      let held = try catalogue.snapshot(of: "s", at: before.revision)
      #expect(held.strip == before.strip)
      #expect(try held.source.items(in: 0..<old.count) == old)
    }
    #expect(try store.count(of: "item_history") <= changes.touched)
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `an equal replacement makes no revision`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let items = try randomItems(1500, seed: 3)
    let before = try store.put(items).revision
    #expect(try store.put(items, .replace).revision == before)
    #expect(try store.count(of: "item_history") == 0)
    let held = try store.catalogue().snapshot(of: "s", at: before)
    #expect(try held.source.items(in: 0..<1500) == items)
  }

  @Test(arguments: Store.allCases)
  func `a replacement has a revision above the one before`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let first = try store.put(numbered(3)).revision
    try store.put([], into: "later")
    let catalogue = try store.catalogue()
    let before = try catalogue.snapshot(of: "s", at: nil)
    let what = try before.source.items(in: 0..<3)
    let second = try store.put([Item(id: "b"), Item(id: "i1")], .replace).revision
    #expect(second > first)
    try catalogue.refresh()
    #expect(try ids(catalogue) == ["b", "i1"])
    #expect(try catalogue.names(after: nil, limit: 9) == ["s", "later"])
    // The earlier snapshot is complete, or its revision is gone.
    do throws(CatalogueError) {
      #expect(try before.source.items(in: 0..<3) == what)
    } catch {
      #expect(error == .revisionGone(before.revision))
    }
  }

  @Test(arguments: Store.allCases)
  func `a strip in reverse order is compared with few reads`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let items = try numbered(2000)
    try store.put(items)
    let probe = DatabaseProbe(try store.database())
    let counts = try probe.counting {
      try probe.write(by: WriteDeadline()) { session in
        let previous = try #require(try StripRow.fetch(session, name: "s"))
        var replacement = try StripReplacement(
          session, of: previous, settings: previous.settings, TemporaryTable(session))
        for item in items.reversed() { try replacement.append(item) }
        #expect(try replacement.finish() != nil)
      }
    }
    #expect(counts.rows < 20 * items.count)
    #expect(try ids(store.catalogue()) == items.reversed().map(\.id))
    #expect(try store.faults() == [])
  }
}

/// Replacements of many strips by one file, in every store.
struct ReplacedStripsTests {
  private typealias Strips = [(name: String, items: [Item])]

  @discardableResult
  private func put(
    _ strips: Strips, in store: StoreUnderTest, _ mode: StripImport.Mode = .replace,
    settings: SettingsPatch = SettingsPatch(),
    title: @escaping (String) -> String? = { _ in nil }
  ) throws -> StripCounts {
    try store.importer().run(
      StripImport(mode: mode, settings: settings, title: title)
    ) { add throws(CatalogueError) in
      for strip in strips { for item in strip.items { try add(item, strip.name) } }
    }.counts
  }

  /// The number of rows of each table.
  private func rows(_ store: StoreUnderTest) throws -> [Int] {
    try ["item", "layout", "revision", "item_history"].map { try store.count(of: $0) }
  }

  @Test(arguments: Store.allCases)
  func `equal strips keep their rows and revisions`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let strips: Strips = try ["a", "b", "long"].map {
      ($0, try randomItems($0 == "long" ? 2100 : 60, seed: 5))
    }
    #expect(try put(strips, in: store) == StripCounts(created: 3))
    let catalogue = try store.catalogue()
    let before = try strips.map { try catalogue.snapshot(of: $0.name, at: nil).revision }
    let stored = try rows(store)
    #expect(try put(strips.reversed(), in: store) == StripCounts(same: 3))
    #expect(try rows(store) == stored)
    let after = try store.catalogue()
    #expect(try strips.map { try after.snapshot(of: $0.name, at: nil).revision } == before)
  }

  @Test(arguments: Store.allCases)
  func `only the strips that differ are written, and of them what differs`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    var strips: Strips = try ["a", "b", "c"].map { ($0, try randomItems(60, seed: 6)) }
    try put(strips, in: store)
    let catalogue = try store.catalogue()
    let before = try strips.map { try catalogue.snapshot(of: $0.name, at: nil) }
    let old = strips[1].items
    strips[1].items[30] = try Item(id: old[30].id, width: .px(77))
    strips.append(("d", [try Item(id: "new")]))
    #expect(try put(strips, in: store) == StripCounts(created: 1, changed: 1, same: 2))
    #expect(try rows(store) == [181, 4, 1, 1])
    try catalogue.refresh()
    let after = try strips.map { try catalogue.snapshot(of: $0.name, at: nil) }
    for index in strips.indices { try check(after[index], is: strips[index].items) }
    #expect(after[0].revision == before[0].revision && after[2].revision == before[2].revision)
    #expect(after[1].revision > before[1].revision)
    for catalogue in [catalogue, try store.catalogue()] {
      try check(catalogue.snapshot(of: "b", at: before[1].revision), is: old)
    }
    #expect(try store.faults() == [])
  }

  /// Replaces strips repeatedly, while the log of earlier replacements is not yet compacted.
  @Test(arguments: Store.allCases, 1...4 as ClosedRange<UInt64>)
  func `strips have the items of each replacement`(_ store: Store, _ seed: UInt64) throws {
    let store = try StoreUnderTest(store)
    var changes = RandomReplacement(seed: seed)
    var strips: Strips = try (0..<4).map {
      ("s\($0)", try randomItems($0 == 3 ? 1100 : 50, seed: seed))
    }
    try put(strips, in: store)
    let catalogue = try store.catalogue()
    for turn in 0..<3 {
      let before = try strips.map { try catalogue.snapshot(of: $0.name, at: nil).revision }
      let old = strips
      for index in strips.indices where index != turn {
        strips[index].items = try changes.applied(to: strips[index].items)
      }
      let differ = strips.indices.count { strips[$0].items != old[$0].items }
      let counts = try put(strips.reversed(), in: store)
      #expect(counts == StripCounts(changed: differ, same: 4 - differ), "seed \(seed)")
      try catalogue.refresh()
      for (index, strip) in strips.enumerated() {
        let label = "seed \(seed), turn \(turn), \(strip.name)"
        for catalogue in [catalogue, try store.catalogue()] {
          try check(catalogue.snapshot(of: strip.name, at: nil), is: strip.items, label)
          try check(
            catalogue.snapshot(of: strip.name, at: before[index]), is: old[index].items, label)
        }
      }
      #expect(try store.faults() == [])
    }
  }

  @Test(arguments: Store.allCases)
  func `a replacement can be shorter or longer`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let items = try randomItems(5, seed: 2)
    try put([("a", items)], in: store)
    for part in [items.prefix(3), items.prefix(4), items[0...], items.suffix(1)] {
      #expect(try put([("a", Array(part))], in: store) == StripCounts(changed: 1))
      try check(store.catalogue().snapshot(of: "a", at: nil), is: Array(part))
    }
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `other settings or another title make a revision`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let strips: Strips = [("a", [try Item(id: "1")]), ("b", [try Item(id: "1")])]
    try put(strips, in: store)
    var settings = SettingsPatch()
    settings.gap = .px(4)
    #expect(try put(strips, in: store, settings: settings) == StripCounts(changed: 2))
    #expect(try put(strips, in: store, settings: settings) == StripCounts(same: 2))
    let called = { $0 == "b" ? "B" : nil as String? }
    #expect(try put(strips, in: store, title: called) == StripCounts(changed: 1, same: 1))
    let summaries = try store.catalogue().summaries(after: nil, limit: 9)
    #expect(summaries.map(\.settings.title) == ["a", "B"])
    #expect(summaries.map(\.settings.gap) == [.px(4), .px(4)])
  }

  /// - Parameter twice: an id whose first item is equal to a stored item, differs from it, or is new.
  @Test(arguments: Store.allCases, ["0", "3", "new"])
  func `an id that comes twice is rejected, and the import can continue`(
    _ store: Store, _ twice: String
  ) throws {
    let store = try StoreUnderTest(store)
    let items = try (0..<6).map { try Item(id: "\($0)") }
    try put([("a", items)], in: store)
    let (counts, _) = try store.importer().run(
      StripImport(mode: .replace)
    ) { add throws(CatalogueError) in
      for item in items.prefix(3) { try add(item, "a") }
      if twice != "0" { try add(Item(id: twice, width: .px(9)), "a") }
      #expect(throws: CatalogueError.invalid("id: \"\(twice)\" exists already")) {
        try add(Item(id: twice, width: .px(5)), "a")
      }
      try add(items[4], "a")
    }
    #expect(counts == StripCounts(changed: 1))
    let snapshot = try store.catalogue().snapshot(of: "a", at: nil)
    let ids = try snapshot.source.items(in: 0..<snapshot.strip.count).map(\.id)
    #expect(ids == ["0", "1", "2"] + (twice == "0" ? [] : [twice]) + ["4"])
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `a replacement whose differences were rejected is equal`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let items = try randomItems(20, seed: 4)
    try put([("a", items)], in: store)
    let (counts, _) = try store.importer().run(
      StripImport(mode: .replace)
    ) { add throws(CatalogueError) in
      for item in items {
        try add(item, "a")
        #expect(throws: CatalogueError.self) { try add(Item(id: items[0].id), "a") }
      }
    }
    #expect(counts == StripCounts(same: 1))
    #expect(try rows(store) == [20, 1, 0, 0])
  }

  @Test(arguments: Store.allCases)
  func `a replacement of many strips that fails replaces none`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let items = try randomItems(20, seed: 1)
    try put([("a", items), ("b", items)], in: store)
    let stored = try rows(store)
    let other: Strips = [("a", items.reversed()), ("c", items), ("No Name", items)]
    #expect(throws: CatalogueError.self) { try put(other, in: store) }
    #expect(try rows(store) == stored)
    try check(store.catalogue().snapshot(of: "a", at: nil), is: items)
    #expect(try store.catalogue().names(after: nil, limit: 9) == ["a", "b"])
  }
}
