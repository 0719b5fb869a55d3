import Catalogue
import HTTP
import Items
import Serving
import Synchronization
import Testing
import Views
import Windowing

/// A catalogue of one strip whose snapshot a test replaces.
private final class Changing: StripCatalogue {
  private let snapshot: Mutex<Snapshot>

  init(_ snapshot: Snapshot) { self.snapshot = Mutex(snapshot) }

  func replace(by snapshot: Snapshot) {
    self.snapshot.withLock { $0 = snapshot }
  }

  func summaries(after: String?, limit: Int) -> [StripSummary] {
    [StripSummary(snapshot.withLock { $0 })]
  }

  func newestRevisions(of names: [String]) -> [String: Int64] {
    names.reduce(into: [:]) { $0[$1] = snapshot.withLock { $0.revision } }
  }

  func cachedSnapshot(of name: String?, at revision: Int64?) throws(CatalogueError) -> Snapshot? {
    try snapshot(of: name, at: revision)
  }

  func snapshot(of name: String?, at revision: Int64?) throws(CatalogueError) -> Snapshot {
    let snapshot = snapshot.withLock { $0 }
    guard revision == nil || revision == snapshot.revision else {
      throw .revisionGone(revision ?? 0)
    }
    return snapshot
  }
}

/// An encoder that does not change the body.
private struct Repeating: ContentEncoder {
  func encode(_ bytes: [UInt8], in coding: ContentCoding) -> [UInt8]? { bytes }
}

struct WindowCacheTests {
  private static func snapshot(_ revision: Int64, id: String) throws -> Snapshot {
    try Snapshot(name: "strip", revision: revision, items: [Item(id: id, width: .px(100))])
  }

  @Test func `a window is cached from the second request on, and is the same`() throws {
    let app = try app(Changing(Self.snapshot(7, id: "a")))
    let answers = (0..<4).map { _ in app.get("/window?width=300") }
    #expect(answers.map { $0.prepared != nil } == [false, true, true, true])
    #expect(answers[2].prepared === answers[1].prepared)
    #expect(Set(answers.map(\.text)).count == 1)
    #expect(app.windows.hits == 2)
  }

  @Test func `a cached window is not used after the strip has changed`() throws {
    let catalogue = Changing(try Self.snapshot(7, id: "a"))
    let app = try app(catalogue)
    for _ in 0..<3 { #expect(app.get("/window").text.contains("\"id\":\"a\"")) }
    catalogue.replace(by: try Self.snapshot(8, id: "b"))
    for _ in 0..<3 { #expect(app.get("/window").text.contains("\"id\":\"b\"")) }
  }

  @Test func `a cached window of the first strip is not used for another first strip`() throws {
    let catalogue = Changing(try Self.snapshot(7, id: "a"))
    let app = try app(catalogue)
    for _ in 0..<3 { #expect(app.get("/window").text.contains("\"id\":\"a\"")) }
    // Strips that are restored together have the same revision.
    catalogue.replace(
      by: try Snapshot(name: "other", revision: 7, items: [Item(id: "b", width: .px(100))]))
    for _ in 0..<3 { #expect(app.get("/window").text.contains("\"id\":\"b\"")) }
  }

  @Test func `a cached window is 410 when its revision is no longer held`() throws {
    let catalogue = Changing(try Self.snapshot(7, id: "a"))
    let app = try app(catalogue)
    for _ in 0..<3 { #expect(app.get("/window?revision=7").status == 200) }
    catalogue.replace(by: try Self.snapshot(8, id: "b"))
    #expect(app.get("/window?revision=7").status == 410)
  }

  @Test func `a cached window is 304 for a client that has it`() throws {
    let app = try app(Changing(Self.snapshot(7, id: "a")))
    for _ in 0..<3 { _ = app.get("/window") }
    let tag = try #require(app.get("/window")["ETag"])
    let again = app.get("/window", [("If-None-Match", tag)])
    #expect(again.status == 304)
    #expect(again.prepared != nil)
  }

  @Test func `many heads, codings and origins of one query share one cached window`() throws {
    let items = try (0..<40).map { try Item(id: "item-\($0)", width: .px(100)) }
    let snapshot = try Snapshot(name: "strip", revision: 7, items: items)
    for origins in [CrossOrigin.Origins.any, .only(["https://a.example"])] {
      let app = try app(Changing(snapshot), origins: CrossOrigin(origins), encoder: Repeating())
      for _ in 0..<2 { #expect(app.get("/window?width=4000").status == 200) }
      let used = app.windows.bytes.used
      var prepared: Set<ObjectIdentifier> = []
      for number in 0..<1000 {
        let weight = "0.\(number + 1)"
        let coding = ["gzip", "br", "identity"][number % 3]
        let response = app.get(
          "/window?width=4000",
          [
            ("User-Agent", "agent \(number)"), ("Cookie", "number=\(number)"),
            ("Accept-Encoding", "\(coding);q=\(weight.prefix(5)), x-\(number)"),
            ("Origin", "https://\(number == 7 ? "a" : "origin-\(number)").example"),
          ])
        #expect(response.status == 200)
        if let made = response.prepared { prepared.insert(ObjectIdentifier(made)) }
      }
      #expect(app.windows.bytes.used == used)
      #expect(prepared.count == (origins == .any ? 3 : 0))
    }
  }

  @Test func `a query is recognized the second time, after many others`() {
    let windows = WindowCache()
    let queries = (0..<1000).map { Bytes(Array("offset=\($0)".utf8)) }
    #expect(!queries.contains { windows.find($0).isRepeated })
    #expect(queries.filter { windows.find($0).isRepeated }.count > 980)
  }

  @Test func `the window that was used least recently is evicted first`() {
    let windows = WindowCache(limit: 8192)
    let answer = Representation(
      [UInt8](repeating: 0, count: 100), HeaderTemplate("application/json"))
    func query(_ number: Int) -> Bytes { Array("offset=\(number)".utf8)[...] }
    for number in 0..<100 {
      windows.insert(
        CachedWindow(strip: nil, revision: nil, found: ("strip", 7), representation: answer),
        for: query(number))
      _ = windows.find(query(0))
    }
    let found = (0..<100).filter { windows.find(query($0)).window != nil }
    #expect(found.first == 0)
    #expect(found.last == 99)
    #expect(found.count < 12)
  }
}
