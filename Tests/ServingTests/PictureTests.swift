import Items
import Serving
import Testing
import Views
import Windowing

struct PictureTests {
  /// Ten cards of 100.5 px without a gap, the first without a picture.
  private static func pictures(_ address: String) throws -> App {
    let fields = try Fields([("image", .string(address))])
    return try app(
      catalogue(
        (0..<10).map {
          try Item(id: "c\($0)", width: Length(px: 100.5), fields: $0 == 0 ? Fields() : fields)
        }
      ) { $0.gap = .zero })
  }

  private func urgencies(_ html: String) -> [String] {
    html.split(separator: "<li ").filter { $0.contains("<img") }.map { card in
      guard card.contains(" src=") else { return "none" }
      return (card.contains("loading=\"eager\"") ? "eager" : "lazy")
        + (card.contains("fetchpriority=\"high\"") ? " first" : "")
    }
  }

  @Test func `pictures in view load at once, the first with high priority, others lazily`() throws {
    let app = try Self.pictures("/a.jpg")
    let atStart = app.get("/window?format=html&width=250&overscan=150").text
    #expect(urgencies(atStart) == ["none", "eager first", "eager", "lazy"])
    let further = app.get("/window?format=html&offset=301.5&width=150&overscan=100").text
    #expect(urgencies(further) == ["lazy", "eager first", "eager", "lazy"])
  }

  @Test func `without a width, the pictures of a small viewport load at once`()
    throws
  {
    let app = try Self.pictures("/a.jpg")
    let items = app.get("/").text.split(separator: "<ul")[1]
    #expect(
      urgencies(String(items))
        == ["none", "eager first"] + Array(repeating: "eager", count: 5)
        + Array(repeating: "lazy", count: 3))
    let wide = app.get("/?width=900").text.split(separator: "<ul")[1]
    #expect(!urgencies(String(wide)).contains("lazy"))
  }

  @Test func `pictures are offered for screens of each density`() throws {
    let html = try Self.pictures("/a-{w}.jpg?x&w={w}").get("/window?format=html&offset=100.5").text
    #expect(
      html.contains(
        """
        <img srcset="/a-160.jpg?x&amp;w=160 1x,/a-240.jpg?x&amp;w=240 2x,\
        /a-320.jpg?x&amp;w=320 3x" src="/a-160.jpg?x&amp;w=160" loading="eager"
        """))
    #expect(ElementWriter.pictured(html) == " data-pictured")
    #expect(try !Self.pictures("/a.jpg").get("/window?format=html").text.contains("srcset"))
  }
}
