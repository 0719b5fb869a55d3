import Catalogue
import HTTP
import Items
import Serving
import Testing
import Views
import Windowing

/// Windows of layouts. Tests/Contract/test_layouts.py compares them with a naive model.
struct LayoutRouteTests {
  /// Ten squares with gaps of 10 px, the first four in a group.
  private static func squares(
    _ change: (inout StripSettings) -> Void = { _ in }
  ) throws -> App {
    let items = try (0..<10).map { index in
      try Item(
        id: "a\(index)", aspect: Aspect(ratio: 1), width: nil, group: index < 4 ? "one" : nil,
        fields: Fields([("title", .string("\(index)"))]))
    }
    return try app(
      catalogue(items) { settings in
        settings.gap = .px(10)
        change(&settings)
      })
  }

  @Test func `justified rows have frames`() throws {
    let answer = try Self.squares().get("/window?layout=rows&width=320&row=100&height=300")
    #expect(answer.status == 200)
    #expect(
      answer.text.hasPrefix(
        """
        {"strip":"strip","revision":7,"layout":"rows","height":300,"offset":0,"width":320,\
        "overscan":0,"pool":320,"wrap":false,"count":10,"extent":430,"first":0,"end":9,\
        "pools":{"card":10},"group":{"title":"one","first":0,"end":4,"start":0},"leave":[],\
        "items":[{"index":0,"id":"a0","kind":"card","slot":"card-0","start":0,"size":100,"x":0,\
        "width":100,"group":{"title":"one","index":0},"fields":{"title":"0"}},\
        {"index":1,"id":"a1","kind":"card","slot":"card-1","start":0,"size":100,"x":110,\
        "width":100,"group":{"title":"one","index":1},"fields":{"title":"1"}},
        """))
  }

  @Test func `the setting of a strip is the default`() throws {
    let app = try Self.squares {
      $0.layout = .grid
      $0.cellAspect = Aspect(units: 32_768)
      $0.caption = .px(20)
    }
    let answer = app.get("/window?width=320&columns=3&height=700")
    #expect(answer.json["layout"] as? String == "grid")
    // A cell is 100 px wide, 200 px high, and 20 px for the words.
    let items = answer.json["items"] as? [[String: Any]]
    #expect(items?[4]["start"] as? Int == 230)
    #expect(items?[4]["size"] as? Int == 220)
    #expect(app.get("/window?layout=strip").json["layout"] == nil)
  }

  @Test func `other routes give places down the page`() throws {
    let app = try Self.squares()
    let query = "layout=list&width=100&heading=30"
    #expect(app.get("/strips/strip?" + query).json["extent"] as? Int == 1120)
    #expect(app.get("/strips/strip").json["extent"] as? Int == 1890)
    let groups = app.get("/strips/strip/groups?" + query).json["groups"] as? [[String: Any]]
    #expect(groups?.first?["start"] as? Int == 30)
    let item = app.get("/strips/strip/items/a2?" + query).json
    #expect(item["start"] as? Int == 250)
    #expect(item["size"] as? Int == 100)
  }

  @Test(arguments: [
    ("layout=wall", "layout"), ("layout=grid&columns=0", "columns"),
    ("layout=grid&columns=200&width=100", "columns"), ("layout=rows&row=0", "row"),
    ("layout=rows&row=65537", "row"), ("layout=list&line=0", "line"),
    ("layout=grid&column=x", "column"),
    ("layout=list&heading=-1", "heading"), ("layout=list&wrap=true", "wrap"),
    ("layout=rows&height=300&pool=299", "pool"),
  ])
  func `a wrong value is rejected and named`(query: String, parameter: String) throws {
    let answer = try Self.squares().get("/window?" + query)
    #expect(answer.status == 400)
    #expect(answer.json["parameter"] as? String == parameter)
  }

  @Test func `columns without a width are rejected by the parameter that makes them`() throws {
    let app = try Self.squares { $0.itemWidth = .zero }
    let answer = app.get("/window?layout=grid&width=100")
    #expect(answer.status == 400)
    #expect(answer.json["parameter"] as? String == "column")
    #expect(app.get("/window?layout=grid&width=100&column=20").status == 200)
  }

  @Test func `the element has the lengths of its cards`() throws {
    let answer = try Self.squares().get(
      "/window?layout=rows&width=320&row=100&height=300&offset=50&format=element")
    #expect(answer.text.contains("layout=\"rows\" height=\"300\" row=\"100\""))
    #expect(
      answer.text.contains(
        """
        data-start="0" data-size="100" data-x="110" data-width="100" \
        data-group-title="one" data-group-index="1" \
        data-px="w8 w11 w12 m7 m8 m9 m11 m12 s8 s11 s12 -t t7 t10 t11"
        """))
  }
}

extension LayoutRouteTests {
  @Test func `the element has the heading of each group, and an item below it`() throws {
    let app = try Self.squares()
    let query = "/window?layout=list&width=100&height=300&heading=30&format=element"
    let heading = #"<li class="heading" data-start="30" data-px=""#
    #expect(app.get(query).text.contains(heading + #"w8 w11 w12 s7 s8 s9 s10">one</li><li data-i"#))
    let third = app.get(query + "&index=2").text  // at 250, so the offset is 220
    #expect(third.contains(heading + #"w8 w11 w12 s7 s8 s9 s10">one</li>"#))
    #expect(third.contains("\"offset\":220,"))
    // The next item starts at 470. From 440 on, the heading leaves with the group.
    #expect(
      app.get(query + "&offset=450").text.contains(heading + #"w8 w11 w12 s7 s8 s9 s10 -t t7 t9"#))
    #expect(!app.get(query + "&index=6").text.contains("heading\" data-start"))
    #expect(!app.get(query.replacing("&heading=30", with: "")).text.contains("class=\"heading"))
  }

  @Test func `a strip of a billion items has no justified rows, but a list and a grid`() throws {
    let card = StripItem(size: ItemSize(width: .px(160)), kind: Kind(number: 0))
    let strip = Strip(kinds: ["card"], repeating: [card], count: 1_000_000_000)
    let snapshot = Snapshot(
      name: "long", settings: StripSettings(title: "long"), revision: 7, strip: strip,
      source: Numbered())
    let app = try ServingTests.app(MemoryCatalogue([snapshot]))
    #expect(app.get("/window?layout=rows").json["parameter"] as? String == "layout")
    #expect(app.get("/window?layout=list").json["extent"] as? Int == 71_999_999_992)
    #expect(app.get("/window?layout=grid&columns=4").status == 200)
  }
}
