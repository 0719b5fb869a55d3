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
  private static func squares(_ change: (inout StripSettings) -> Void = { _ in }) throws -> App {
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
