import Catalogue
import CatalogueTesting
import Items
import SQLCatalogue
import Testing
import Views
import Windowing

/// Rules that hold for every catalogue.
final class CatalogueContractTests {
  enum Kind: CaseIterable {
    case memory
    case stored(Store)

    static var allCases: [Kind] { [.memory] + Store.allCases.map(Kind.stored) }

  }

  /// Kept until the test ends.
  private var stores: [StoreUnderTest] = []

  private func catalogue(
    _ kind: Kind, _ strips: [(name: String, settings: SettingsPatch, items: [Item])]
  ) throws -> any StripCatalogue {
    switch kind {
    case .memory:
      return try MemoryCatalogue(
        strips.map { strip in
          try Snapshot(
            name: strip.name,
            settings: strip.settings.applied(to: StripSettings(title: strip.name), of: strip.name),
            revision: 1, items: strip.items)
        })
    case .stored(let store):
      let store = try StoreUnderTest(store)
      stores.append(store)
      for strip in strips {
        try store.put(strip.items, into: strip.name, settings: strip.settings)
      }
      return try store.catalogue()
    }
  }

  @Test(arguments: Kind.allCases)
  func `strips are listed in the order in which they were made`(_ kind: Kind) throws {
    let names = ["zebra", "ant", "bee"]
    let catalogue = try catalogue(kind, names.map { ($0, SettingsPatch(), []) })
    #expect(try catalogue.names(after: nil, limit: 2) == ["zebra", "ant"])
    #expect(try catalogue.names(after: "ant", limit: 2) == ["bee"])
    #expect(try catalogue.names(after: "bee", limit: 2) == [])
    #expect(try catalogue.snapshot(of: nil, at: nil).name == "zebra")
    #expect(throws: CatalogueError.noSuchStrip("cat")) {
      try catalogue.names(after: "cat", limit: 1)
    }
    #expect(throws: CatalogueError.noSuchStrip("cat")) {
      try catalogue.snapshot(of: "cat", at: nil)
    }
  }

  @Test(arguments: Kind.allCases)
  func `the newest revision is given, and an unknown one is an error`(_ kind: Kind) throws {
    let catalogue = try catalogue(kind, [("a", SettingsPatch(), [])])
    let newest = try catalogue.snapshot(of: "a", at: nil).revision
    #expect(try catalogue.snapshot(of: "a", at: newest).revision == newest)
    #expect(throws: CatalogueError.revisionUnknown(newest + 1)) {
      try catalogue.snapshot(of: "a", at: newest + 1)
    }
    #expect(throws: CatalogueError.revisionUnknown(0)) { try catalogue.snapshot(of: "a", at: 0) }
  }

  @Test(arguments: Kind.allCases, [0, 1, 999, 1000, 1001, 2500])
  func `a catalogue gives the items and settings that were put in`(
    _ kind: Kind, _ count: Int
  ) throws {
    let items = try randomItems(count, seed: UInt64(count))
    var settings = SettingsPatch()
    settings.height = .px(200)
    settings.gap = Length(px: 2.5)
    settings.loop = true
    settings.itemWidth = .px(33)
    let catalogue = try catalogue(kind, [("strip", settings, items)])
    let snapshot = try catalogue.snapshot(of: "strip", at: nil)

    #expect(
      snapshot.settings == (try settings.applied(to: StripSettings(title: "strip"), of: "strip")))
    #expect(snapshot.strip.count == count)
    for (index, item) in items.enumerated() {
      #expect(snapshot.strip[index].size == item.size(itemWidth: .px(33)), "item \(index)")
      #expect(snapshot.strip.kinds[Int(snapshot.strip[index].kind.number)] == item.kind)
      #expect(snapshot.strip.groupRun(at: index)?.title == item.group, "item \(index)")
    }
    #expect(try snapshot.source.items(in: 0..<count) == items)
    let range = count / 3..<count - count / 3
    #expect(
      try snapshot.source.contents(of: range)
        == items[range].map { ItemContent(id: $0.id, fields: $0.fields) })
    for index in stride(from: 0, to: count, by: 97) {
      #expect(try snapshot.source.index(of: items[index].id) == index)
    }
    #expect(try snapshot.source.index(of: "no such item") == nil)
    let listed = stride(from: count - 1, through: 0, by: -89)
    let ids = listed.map { items[$0].id } + ["no such item", "nul\0"]
    #expect(try snapshot.source.indices(of: ids) == listed.map(\.self) + [nil, nil])
  }

  @Test(arguments: Kind.allCases)
  func `what never blocks agrees with what may block`(_ kind: Kind) throws {
    let items = try randomItems(200, seed: 7)
    let catalogue = try catalogue(kind, [("strip", SettingsPatch(), items)])
    // The first check can find the strip in memory or not. The second check finds it in memory.
    for _ in 0..<2 {
      let cached = try catalogue.cachedSnapshot(of: "strip", at: nil)
      let snapshot = try catalogue.snapshot(of: "strip", at: nil)
      #expect(cached == nil || cached?.revision == snapshot.revision)
      #expect(try catalogue.newestRevisions(of: ["strip"])["strip"] == snapshot.revision)
      for range in [0..<0, 0..<200, 17..<90] {
        var ids: [String] = []
        let isRead = try snapshot.source.read(range, .cachedOnly) { item in
          ids.append(String(decoding: item.id, as: UTF8.self))
        }
        if isRead { #expect(ids == items[range].map(\.id)) }
        #expect(try snapshot.source.contents(of: range).map(\.id) == items[range].map(\.id))
      }
      #expect(try snapshot.source.index(of: items[5].id) == 5)
      #expect(try snapshot.source.index(of: "no such item") == nil)
    }
    let cached = try #require(try catalogue.cachedSnapshot(of: "strip", at: nil))
    #expect(
      try catalogue.cachedSnapshot(of: "strip", at: cached.revision)?.revision == cached.revision)
  }

  @Test func `a strip is the same in every store`() throws {
    let items = try randomItems(2500, seed: 5)
    let strips = try Kind.allCases.map { kind in
      try catalogue(kind, [("strip", SettingsPatch(), items)])
        .snapshot(of: "strip", at: nil).strip
    }
    for strip in strips { #expect(strip == strips[0]) }
  }
}
