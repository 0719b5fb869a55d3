import HTTP
import Items
import Serving
import Testing
import Views
import Windowing

struct WindowRouteTests {
  /// The albums of the contract's example, by their sizes.
  private static func albums() throws -> App {
    let items = try (0..<50).map { index in
      try Item(
        id: "a\(index)", kind: "album", aspect: Aspect(ratio: 1), width: nil,
        group: (4..<9).contains(index) ? "1971" : nil,
        fields: Fields([("title", .string("Album \(index)")), ("year", .number("1.50"))]))
    }
    return try app(catalogue(items) { $0.gap = .px(10) })
  }

  @Test func `a window has the members of the contract in its order`() throws {
    let answer = try Self.albums().get("/window?offset=1200&width=800")
    #expect(answer.status == 200)
    #expect(answer["Content-Type"] == "application/json")
    #expect(
      answer.text.hasPrefix(
        """
        {"strip":"strip","revision":7,"height":180,"offset":1200,"width":800,\
        "overscan":0,"pool":832,"wrap":false,"count":50,"extent":9490,"first":6,"end":11,\
        "pools":{"album":6},"group":{"title":"1971","first":4,"end":9,"start":760},"leave":[],\
        "items":[{"index":6,"id":"a6","kind":"album","slot":"album-0","start":1140,"size":180,\
        "group":{"title":"1971","index":2},"fields":{"title":"Album 6","year":1.50}},
        """))
  }

  @Test(arguments: [
    ("offset=+1", "offset"), ("offset=01", "offset"), ("offset=1.", "offset"),
    ("offset=NaN", "offset"), ("offset=1e400", "offset"), ("offset=70368744177665", "offset"),
    ("width=0", "width"), ("width=65537", "width"), ("height=15", "height"),
    ("height=16385", "height"), ("overscan=-1", "overscan"), ("overscan=65537", "overscan"),
    ("pool=800&width=900", "pool"), ("pool=262145", "pool"), ("index=1.5", "index"),
    ("index=a", "index"), ("index=0&item=a1", "item"), ("item=a1&index=0", "index"),
    ("index=0&align=middle", "align"), ("align=start", "align"), ("at=5", "at"),
    ("index=0&align=start&at=5", "at"), ("clamp=true", "clamp"), ("offset=5&clamp=true", "clamp"),
    ("index=0&clamp=1", "clamp"), ("wrap=yes", "wrap"), ("have=0..2", "have"),
    ("revision=1&have=2..0", "have"), ("revision=1&have=0..5000", "have"),
    ("revision=1&have=0-2", "have"), ("revision=x", "revision"), ("format=xml", "format"),
    ("strip=No", "strip"), ("colour=red", "colour"), ("offset=1&offset=1", "offset"),
  ])
  func `a wrong value is rejected and named`(query: String, parameter: String) throws {
    let answer = try Self.albums().get("/window?" + query)
    #expect(answer.status == 400)
    #expect(answer["Content-Type"] == "application/problem+json")
    #expect(answer["Cache-Control"] == "no-store")
    #expect(answer.json["parameter"] as? String == parameter)
  }

  @Test(arguments: ["json", "html"])
  func `a window whose items are larger than 16 MiB is rejected`(format: String) throws {
    let title = String(repeating: "x", count: 60_000)
    let items = try (0..<300).map { index in
      try Item(id: "\(index)", width: .px(10), fields: Fields([("title", .string(title))]))
    }
    let app = try app(catalogue(items) { $0.gap = .px(0) })
    #expect(app.get("/window?width=2700&format=\(format)").status == 200)
    let answer = app.get("/window?width=3000&format=\(format)")
    #expect(answer.status == 400)
    #expect(answer.json["parameter"] as? String == "width")
  }

  @Test(arguments: [
    ("strip=nowhere", "strip"), ("index=50", "index"), ("index=-1", "index"),
    ("index=99999999999999999999", "index"), ("item=z", "item"), ("revision=5", "revision"),
  ])
  func `what is not there is 404, with the parameter that named it`(
    query: String, parameter: String
  ) throws {
    let answer = try Self.albums().get("/window?" + query)
    #expect(answer.status == 404)
    #expect(answer.json["parameter"] as? String == parameter)
  }

  @Test func `an empty parameter counts as absent`() throws {
    let app = try Self.albums()
    #expect(app.get("/window?offset=&width=&item=").text == app.get("/window").text)
  }

  @Test func `index, align and at decide where a window is`() throws {
    let app = try Self.albums()
    func offset(_ query: String) throws -> Int? {
      app.get("/window?width=800&" + query).json["offset"] as? Int
    }
    #expect(try offset("index=10") == 1900)
    #expect(try offset("item=a10&align=end") == 1280)
    #expect(try offset("index=10&align=center") == 1590)
    #expect(try offset("index=10&at=100") == 1800)
    #expect(try offset("index=10&align=nearest&offset=1500") == 1500)
    #expect(try offset("index=49") == 8690)
    #expect(try offset("index=49&wrap=true") == 9310)
    #expect(try offset("index=-1&wrap=true") == -190)
    #expect(try offset("item=a49&wrap=true&offset=0") == -190)
  }

  @Test(arguments: [("60", 49), ("-1", 0), ("49", 49), ("99999999999999999999", 49)])
  func `a clamped index outside of a strip is the nearest one`(index: String, nearest: Int) throws {
    let app = try Self.albums()
    for layout in ["strip", "list", "grid", "rows"] {
      let query = "/window?width=800&layout=\(layout)&index="
      #expect(app.get("\(query)\(index)&clamp=true").text == app.get("\(query)\(nearest)").text)
    }
    #expect(app.get("/window?index=60&wrap=true&clamp=true").json["first"] as? Int == 60)
  }

  @Test(arguments: ["strip", "list", "grid", "rows"])
  func `a clamped item that the strip lacks stands for the offset`(layout: String) throws {
    let app = try Self.albums()
    let query = "/window?width=800&layout=\(layout)&offset=500"
    let answer = app.get("\(query)&item=none&align=center&clamp=true")
    #expect(answer.status == 200)
    #expect(answer.text == app.get(query).text)
    #expect(app.get("\(query)&item=a7&clamp=true").text == app.get("\(query)&item=a7").text)
    #expect(app.get("\(query)&item=none&clamp=false").status == 404)
  }

  @Test func `a clamped index of an empty strip has an empty window`() throws {
    let answer = try app(catalogue([])).get("/window?index=3&clamp=true&offset=500")
    #expect(answer.status == 200)
    #expect(answer.json["offset"] as? Int == 0)
    #expect((answer.json["items"] as? [Any])?.isEmpty == true)
  }

  @Test
  func `a window lacks the items that the caller holds, and names the slots that become free`()
    throws
  {
    let app = try Self.albums()
    let whole = app.get("/window?offset=1200&width=800")
    let rest = app.get(
      "/window?offset=1200&width=800&revision=7&have=3..8")
    #expect((rest.json["items"] as? [[String: Any]])?.map { $0["index"] as? Int } == [8, 9, 10])
    #expect(rest.json["leave"] as? [String] == ["album-5"])
    #expect(rest["Cache-Control"] == "public, max-age=31536000, immutable")
    #expect(whole["Cache-Control"] == "no-cache")
  }

  @Test func `a window is 304 for a client that has it`() throws {
    let app = try Self.albums()
    let tag = try #require(app.get("/window")["ETag"])
    let again = app.get("/window", [("If-None-Match", "\"other\", \(tag)")])
    #expect(again.status == 304)
    #expect(again["ETag"] == tag)
  }

  @Test func `the same items as HTML are escaped, without links that run a script`() throws {
    let fields = try Fields([
      ("title", .string("<b> & \"q\"")), ("href", .string("java\tscript:alert(1)")),
    ])
    let item = try Item(id: "a\"b", kind: "link", width: .px(100), fields: fields)
    let answer = try app(catalogue([item])).get("/window?format=html")
    #expect(answer["Content-Type"] == "text/html; charset=utf-8")
    #expect(
      answer.text == """
        <li data-index="0" data-id="a&quot;b" data-slot="link-0" data-kind="link" \
        data-start="0" data-size="100"><a>&lt;b&gt; &amp; &quot;q&quot;</a></li>
        """)
  }
}
