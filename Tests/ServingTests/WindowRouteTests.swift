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
