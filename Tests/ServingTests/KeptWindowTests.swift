import Catalogue
import HTTP
import Synchronization
import Testing
import Windowing

@testable import Serving

/// A catalogue of one strip whose edition a test replaces.
private final class Changing: StripCatalogue {
  private let edition: Mutex<Edition>
  private let changes = Atomic(0)
  var changeCount: Int? { changes.load(ordering: .acquiring) }

  init(_ edition: Edition) { self.edition = Mutex(edition) }

  func replace(by edition: Edition) {
    self.edition.withLock { $0 = edition }
    changes.add(1, ordering: .releasing)
  }

  func names(after: String?, limit: Int, mode: ReadMode) -> [String] { ["strip"] }

  func edition(
    of name: String?, at revision: Int64?, mode: ReadMode
  ) throws(CatalogueError) -> Edition {
    let edition = edition.withLock { $0 }
    guard revision == nil || revision == edition.revision else {
      throw .revisionGone(revision ?? 0)
    }
    return edition
  }
}

@Suite("A window asked again")
struct KeptWindowTests {
  private static func edition(_ revision: Int64, id: String) throws -> Edition {
    try Edition(name: "strip", revision: revision, items: [Item(id: id, width: .px(100))])
  }

  @Test("is kept from the second time on, and says the same")
  func keeping() throws {
    let site = try site(Changing(Self.edition(7, id: "a")))
    let answers = try (0..<4).map { _ in try site.get("/window?width=300") }
    #expect(answers.map { $0.prepared != nil } == [false, true, true, true])
    #expect(answers[2].prepared === answers[1].prepared)
    #expect(Set(answers.map(\.text)).count == 1)
    #expect(site.windows.hits == 2)
  }

  @Test("is another as soon as the strip is")
  func changing() throws {
    let catalogue = Changing(try Self.edition(7, id: "a"))
    let site = try site(catalogue)
    for _ in 0..<3 { #expect(try site.get("/window").text.contains("\"id\":\"a\"")) }
    catalogue.replace(by: try Self.edition(8, id: "b"))
    for _ in 0..<3 { #expect(try site.get("/window").text.contains("\"id\":\"b\"")) }
  }

  @Test("stands until the catalogue changes, and counts each time that it is given")
  func standing() throws {
    let catalogue = Changing(try Self.edition(7, id: "a"))
    let site = try site(catalogue)
    _ = try site.get("/window")
    _ = try site.get("/window")
    let standing = try #require(try site.get("/window").cacheValidator)
    for hits in 2...4 {
      #expect(standing.holds())
      #expect(site.windows.hits == hits)
    }
    catalogue.replace(by: try Self.edition(8, id: "b"))
    #expect(!standing.holds())
  }

  @Test("is refused when its revision is no longer held, kept or not")
  func goneRevision() throws {
    let catalogue = Changing(try Self.edition(7, id: "a"))
    let site = try site(catalogue)
    for _ in 0..<3 { #expect(try site.get("/window?revision=7").status == 200) }
    catalogue.replace(by: try Self.edition(8, id: "b"))
    #expect(try site.get("/window?revision=7").status == 410)
  }

  @Test("answers 304 from what is kept")
  func conditional() throws {
    let site = try site(Changing(Self.edition(7, id: "a")))
    for _ in 0..<3 { _ = try site.get("/window") }
    let tag = try #require(try site.get("/window")["ETag"])
    let again = try site.get("/window", [("If-None-Match", tag)])
    #expect(again.status == 304)
    #expect(again.prepared != nil)
  }

  @Test("is known the second time, however many others are asked for between")
  func asking() {
    let windows = WindowCache()
    let queries = (0..<1000).map { Bytes(Array("offset=\($0)".utf8)) }
    #expect(!queries.contains { windows.ask($0).isAgain })
    #expect(queries.filter { windows.ask($0).isAgain }.count > 980)
  }

  @Test("goes when the memory is full, the one asked last staying longest")
  func bounds() {
    let windows = WindowCache(limit: 8192)
    let answer = Representation(
      [UInt8](repeating: 0, count: 100), HeaderTemplate("application/json"))
    func query(_ number: Int) -> Bytes { Array("offset=\(number)".utf8)[...] }
    for number in 0..<100 {
      windows.keep(.init(strip: nil, revision: nil, found: 7, answer: answer), for: query(number))
      _ = windows.ask(query(0))
    }
    let found = (0..<100).filter { windows.ask(query($0)).kept != nil }
    #expect(found.first == 0)
    #expect(found.last == 99)
    #expect(found.count < 12)
  }
}
