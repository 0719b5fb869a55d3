import Catalogue
import CatalogueTesting
import Items
import Testing
import Views
import Windowing

struct MemoryCatalogueTests {
  private func items(_ ids: String...) throws -> [Item] {
    try ids.map { try Item(id: $0, kind: $0 == "b" ? "wide" : "card", width: .px(100)) }
  }

  @Test func `strips are listed in the order given`() throws {
    let catalogue = try MemoryCatalogue([
      Snapshot(name: "zebra", revision: 1, items: []),
      Snapshot(name: "ant", revision: 2, items: []),
      Snapshot(name: "bee", revision: 3, items: []),
    ])
    #expect(try catalogue.names(after: nil, limit: 2) == ["zebra", "ant"])
    #expect(try catalogue.names(after: "ant", limit: 2) == ["bee"])
    #expect(try catalogue.snapshot(of: nil, at: nil).name == "zebra")
    #expect(throws: CatalogueError.noSuchStrip("cat")) {
      try catalogue.names(after: "cat", limit: 1)
    }
    #expect(throws: CatalogueError.noSuchStrip("cat")) {
      try catalogue.snapshot(of: "cat", at: nil)
    }
    #expect(throws: CatalogueError.revisionUnknown(9)) { try catalogue.snapshot(of: "bee", at: 9) }
  }

  @Test func `a snapshot has the items in order`() throws {
    let snapshot = try Snapshot(name: "abc", revision: 1, items: items("a", "b", "c"))
    #expect(snapshot.strip.count == 3)
    #expect(snapshot.strip.kinds == ["card", "wide"])
    #expect(try snapshot.source.contents(of: 1..<3).map(\.id) == ["b", "c"])
    #expect(try snapshot.source.index(of: "c") == 2)
    #expect(try snapshot.source.index(of: "d") == nil)
    #expect(try snapshot.source.items(in: 0..<1).first?.width == .px(100))
  }

  @Test func `a repeated id or name is rejected`() throws {
    #expect(throws: CatalogueError.self) {
      try Snapshot(name: "x", revision: 1, items: items("a", "a"))
    }
    #expect(throws: CatalogueError.stripExists("x")) {
      try MemoryCatalogue([
        Snapshot(name: "x", revision: 1, items: []), Snapshot(name: "x", revision: 1, items: []),
      ])
    }
  }

  @Test func `a 65th kind is rejected`() throws {
    let items = try (0..<65).map { try Item(id: "i\($0)", kind: "k\($0)") }
    #expect(
      try Snapshot(name: "x", revision: 1, items: Array(items.prefix(64))).strip.kinds.count == 64)
    #expect(throws: CatalogueError.self) { try Snapshot(name: "x", revision: 1, items: items) }
  }
}
