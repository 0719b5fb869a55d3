import Catalogue
import Foundation
import HTTP
import Testing
import Windowing

@testable import Serving

@Suite("GET /")
struct PageRouteTests {
  /// Ten cards of 100 px, 10 px apart.
  private static func cards() throws -> App {
    let items = try (0..<10).map { try Item(id: "c\($0)", width: .px(100)) }
    return try site(catalogue(items) { $0.gap = .px(10) })
  }

  private func link(_ relation: String, in page: String) -> String? {
    page.components(separatedBy: "<a rel=\"\(relation)\" href=\"").dropFirst().first?
      .components(separatedBy: "\"").first?.replacingOccurrences(of: "&amp;", with: "&")
  }

  @Test("has the first window in it, and names its style sheet's hash")
  func firstWindow() throws {
    let page = try Self.cards().get("/?width=250&offset=100")
    #expect(page.status == 200)
    #expect(page.text.contains("<li data-index=\"1\" data-id=\"c1\""))
    #expect(!page.text.contains("data-index=\"0\" data-id"))
    #expect(
      page.text.contains(
        "<style>carousel-strip{--height:180px}[data-index=\"1\"]{margin-left:10px;width:100px}"))
    #expect(page["Content-Security-Policy"]?.contains("style-src 'self' 'sha256-") == true)
  }

  @Test("leads on to the first item not wholly shown, and back by a width, past no end")
  func neighbours() throws {
    let site = try Self.cards()
    let first = try site.get("/?width=250").text
    #expect(link("prev", in: first) == nil)
    #expect(link("next", in: first) == "/?strip=strip&offset=220&width=250")
    let middle = try site.get("/?width=250&offset=220").text
    #expect(link("prev", in: middle) == "/?strip=strip&offset=0&width=250")
    let last = try site.get("/?width=250&item=c9").text
    #expect(last.contains("data-id=\"c9\""))
    #expect(link("next", in: last) == nil)
    // An item longer than the viewport gives way to the one after it.
    #expect(
      link("next", in: try site.get("/?width=50&offset=110").text)
        == "/?strip=strip&offset=220&width=50")
  }

  @Test("falls back to the offset when its item is gone, else to the start")
  func goneItem() throws {
    let site = try Self.cards()
    #expect(
      try site.get("/?width=250&item=gone&offset=220").text.contains("<li data-index=\"2\""))
    #expect(try site.get("/?width=250&item=gone").text.contains("<li data-index=\"0\""))
  }

  @Test("stands at an item's px of the viewport, as a shared link says")
  func placeOfItem() throws {
    let site = try Self.cards()
    let page = try site.get("/?width=250&item=c2&at=-30").text
    #expect(page.contains("&quot;offset&quot;:250,"))
    #expect(page.contains("[data-index=\"2\"]{margin-left:-30px;width:100px}"))
  }

  @Test("passes over parameters that links gather, and refuses bad values of its own")
  func parameters() throws {
    let site = try Self.cards()
    #expect(try site.get("/?utm_source=letter").status == 200)
    #expect(try site.get("/?width=x").json["parameter"] as? String == "width")
    #expect(try site.get("/?strip=nowhere").status == 404)
  }
}
