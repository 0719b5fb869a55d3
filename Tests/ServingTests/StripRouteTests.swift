import Catalogue
import HTTP
import Items
import Serving
import Testing
import Views
import Windowing

struct StripRouteTests {
  private static func app() throws -> App {
    let snapshots = try ["one", "two", "three"].map { name in
      try Snapshot(
        name: name, settings: StripSettings(title: name.uppercased()), revision: 7,
        items: (0..<6).map { index in
          try Item(
            id: "\(name)/\(index)", kind: index == 0 ? "heading" : "card", width: .px(100),
            group: "Group \(index / 2)")
        })
    }
    return try ServingTests.app(MemoryCatalogue(snapshots))
  }

  @Test func `a server that still loads its catalogue is not ready, and says how far it is`() throws
  {
    let loading = App(
      catalogue: try MemoryCatalogue([]), files: nil, pages: PageFile(path: "/none"),
      readiness: { .loading(1500, of: 4000) })
    let answer = loading.get("/readyz")
    #expect(answer.status == 503 && answer.text.contains("1500 of 4000"))
    #expect(answer.fields.contains { "\($0.name)" == "Retry-After" })
    #expect(loading.get("/livez").status == 200)
    #expect(try Self.app().get("/readyz").status == 200)
  }

  @Test func `a strip is described`() throws {
    let answer = try Self.app().get("/strips/two")
    #expect(
      answer.text == """
        {"strip":"two","title":"TWO","height":180,"gap":8,"inset":0,"loop":false,"itemWidth":160,\
        "layout":"strip","itemHeight":64,"itemHeights":{},"cellAspect":1,"caption":0,"filterable":[],"searchable":[],"fields":{},"count":6,"extent":640,"revision":7,\
        "kinds":["card","heading"]}
        """)
    #expect(try Self.app().get("/strips/four").json["parameter"] as? String == "strip")
  }

  @Test func `an item is found by an id with an encoded slash`() throws {
    let answer = try Self.app().get("/strips/one/items/one%2F3")
    #expect(answer.status == 200)
    #expect(
      answer.text == """
        {"id":"one/3","kind":"card","width":100,"group":"Group 1","fields":{},\
        "index":3,"start":324,"size":100}
        """)
    #expect(try Self.app().get("/strips/one/items/nothing").status == 404)
  }
}
