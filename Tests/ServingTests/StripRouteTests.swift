import Catalogue
import HTTP
import Testing
import Windowing

@testable import Serving

@Suite("GET /strips")
struct StripRouteTests {
  private static func site() throws -> App {
    let editions = try ["one", "two", "three"].map { name in
      try Edition(
        name: name, settings: StripSettings(title: name.uppercased()), revision: 7,
        items: (0..<6).map { index in
          try Item(
            id: "\(name)/\(index)", kind: index == 0 ? "heading" : "card", width: .px(100),
            group: "Group \(index / 2)")
        })
    }
    return try ServingTests.site(MemoryCatalogue(editions))
  }

  @Test("lists strips in the order of their making, in pages")
  func list() throws {
    let page = try Self.site().get("/strips?limit=2").json
    #expect((page["strips"] as? [[String: Any]])?.map { $0["strip"] as? String } == ["one", "two"])
    #expect(page["next"] as? String == "two")
    let rest = try Self.site().get("/strips?limit=2&after=two").json
    #expect((rest["strips"] as? [[String: Any]])?.count == 1)
    #expect(rest["next"] is String == false)
  }

  @Test("says how far the catalogue has been read, while it is")
  func readiness() throws {
    let loading = App(
      catalogue: try MemoryCatalogue([]), files: nil, pages: PageFile(path: "/none"),
      readiness: { .loading(1500, of: 4000) })
    let answer = try loading.get("/readyz")
    #expect(answer.status == 503 && answer.text.contains("1500 of 4000"))
    #expect(answer.fields.contains { "\($0.name)" == "Retry-After" })
    #expect(try loading.get("/livez").status == 200)
    #expect(try Self.site().get("/readyz").status == 200)
  }

  @Test("describes a strip")
  func strip() throws {
    let answer = try Self.site().get("/strips/two")
    #expect(
      answer.text == """
        {"strip":"two","title":"TWO","height":180,"gap":0,"inset":0,"loop":false,"snap":"none",\
        "itemWidth":160,"count":6,"extent":600,"revision":7,"kinds":["card","heading"]}
        """)
    #expect(try Self.site().get("/strips/four").json["parameter"] as? String == "strip")
  }

  @Test("tells each run of a group, in pages")
  func groups() throws {
    let page = try Self.site().get("/strips/one/groups?limit=2")
    #expect(
      page.text.hasSuffix(
        """
        "groups":[{"title":"Group 0","first":0,"end":2,"start":0},\
        {"title":"Group 1","first":2,"end":4,"start":200}],"next":2}
        """))
    let rest = try Self.site().get("/strips/one/groups?limit=2&after=2")
    #expect(
      rest.text.hasSuffix(
        "\"groups\":[{\"title\":\"Group 2\",\"first\":4,\"end\":6,\"start\":400}],\"next\":null}"))
  }

  @Test("gives an item whole, its id split from the path before it is decoded")
  func item() throws {
    let answer = try Self.site().get("/strips/one/items/one%2F3")
    #expect(answer.status == 200)
    #expect(
      answer.text == """
        {"id":"one/3","kind":"card","width":100,"group":"Group 1","fields":{},\
        "index":3,"start":300,"size":100}
        """)
    #expect(try Self.site().get("/strips/one/items/nothing").status == 404)
  }
}
