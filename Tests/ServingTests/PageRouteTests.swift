import Foundation
import HTTP
import Items
import Serving
import Testing
import Views
import Windowing

struct PageRouteTests {
  /// Ten cards of 100 px, 10 px apart.
  private static func cards() throws -> App {
    let items = try (0..<10).map { try Item(id: "c\($0)", width: .px(100)) }
    return try app(catalogue(items) { $0.gap = .px(10) })
  }

  private func link(_ relation: String, in page: String) -> String? {
    page.components(separatedBy: "<a rel=\"\(relation)\" href=\"").dropFirst().first?
      .components(separatedBy: "\"").first?.replacingOccurrences(of: "&amp;", with: "&")
  }

  @Test func `the page has its first window, and a policy with the hash of its style`() throws {
    let page = try Self.cards().get("/?width=250&offset=100")
    #expect(page.status == 200)
    #expect(page.text.contains("<li data-index=\"1\" data-id=\"c1\""))
    #expect(!page.text.contains("data-index=\"0\" data-id"))
    #expect(
      page.text.contains(
        "<style>:where(#strip){--height:180px;--taller:calc(var(--height) - 180px)}"
          + ":where(#strip) [data-index=\"1\"]{margin-inline-start:10px;width:100px}"
      ))
    #expect(page["Content-Security-Policy"]?.contains("style-src 'self' 'sha256-") == true)
  }

  @Test func `the page has the layout of the request, or else of the settings`() throws {
    let items = try (0..<10).map { try Item(id: "c\($0)", aspect: Aspect(ratio: 2)) }
    let app = try app(catalogue(items) { ($0.layout, $0.gap) = (.rows, .px(10)) })
    let rows = app.get("/?width=500&row=100").text
    #expect(rows.contains("[data-index=\"1\"]{--across:160;--along:80}"))
    #expect(app.get("/?layout=strip").text.contains("{margin-inline-start:10px;width:calc(360px"))
    #expect(app.get("/?layout=wall").status == 400)
  }

  @Test func `the links of a layout lead from row to row, and keep its parameters`() throws {
    let items = try (0..<100).map { try Item(id: "c\($0)", width: .px(100)) }
    let app = try app(catalogue(items) { ($0.gap, $0.itemHeight) = (.zero, .px(50)) })
    let first = app.get("/?layout=list&width=500").text
    #expect(link("prev", in: first) == nil)
    #expect(link("next", in: first) == "/?strip=strip&offset=1200&width=500&layout=list")
    let second = app.get("/?layout=list&width=500&offset=1200").text
    #expect(link("prev", in: second) == "/?strip=strip&offset=0&width=500&layout=list")
    #expect(link("next", in: app.get("/?layout=list&offset=3800").text) == nil)
  }

  @Test func `an item with an aspect grows with the height that a style sheet sets`() throws {
    let items = [try Item(id: "a", aspect: Aspect(ratio: 1.5), width: .px(16))]
    let page = try app(catalogue(items)).get("/").text
    #expect(page.contains("{margin-inline-start:0px;width:calc(286px + 1.5*var(--taller))}"))
  }

  @Test
  func `the links lead to the first item that is not whole, and back by a width, within the strip`()
    throws
  {
    let app = try Self.cards()
    let first = app.get("/?width=250").text
    #expect(link("prev", in: first) == nil)
    #expect(link("next", in: first) == "/?strip=strip&offset=220&width=250")
    let middle = app.get("/?width=250&offset=220").text
    #expect(link("prev", in: middle) == "/?strip=strip&offset=0&width=250")
    let last = app.get("/?width=250&item=c9").text
    #expect(last.contains("data-id=\"c9\""))
    #expect(link("next", in: last) == nil)
    // If an item is longer than the viewport, the link leads to the item after it.
    #expect(
      link("next", in: app.get("/?width=50&offset=110").text)
        == "/?strip=strip&offset=220&width=50")
  }

  @Test func `a link can place an item at a px of the viewport`() throws {
    let app = try Self.cards()
    let page = app.get("/?width=250&item=c2&at=-30").text
    #expect(page.contains("&quot;offset&quot;:250,"))
    #expect(page.contains("[data-index=\"2\"]{margin-inline-start:-30px;width:100px}"))
  }

  @Test
  func `the page ignores parameters that it does not know, and rejects wrong values of its own`()
    throws
  {
    let app = try Self.cards()
    #expect(app.get("/?utm_source=letter").status == 200)
    #expect(app.get("/?width=x").json["parameter"] as? String == "width")
    #expect(app.get("/?strip=nowhere").status == 404)
  }

  @Test func `a template that is not valid is named with its line, an unreadable one has a cause`()
    throws
  {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try "<ul>\n{{#strips}}".write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let app = App(catalogue: try catalogue([]), files: nil, pages: PageFile(path: path))
    let response = app.get("/")
    #expect(response.status == 500)
    #expect(
      response.json["detail"] as? String
        == "The page template index.html is not valid: line 2, unclosed section \"strips\".")
    let folder = PageFile(path: FileManager.default.temporaryDirectory.path)
    let unreadable = App(catalogue: try catalogue([]), files: nil, pages: folder).get("/")
    #expect(unreadable.status == 500 && unreadable.cause?.hasSuffix(": Is a directory") == true)
  }
}
