import HTTP
import Items
import Serving
import Testing
import Views
import Windowing

struct ElementTests {
  private static func element(_ query: String) throws -> String {
    let items = try [640, 6432].enumerated().map { index, units in
      try Item(
        id: "i\(index)", width: Length(units: units),
        fields: Fields([("title", .string("It's <\(index)>")), ("image", .string("/a.jpg"))]))
    }
    return try app(catalogue(items) { $0.gap = Length(px: 8) }).get(
      "/window?format=element\(query)"
    ).text
  }

  @Test func `an element has its window, its templates and its list`() throws {
    let html = try Self.element("")
    #expect(html.hasPrefix(#"<carousel-strip strip="strip" role="region""#))
    #expect(html.contains(#"data-window='{"strip":"strip","revision":7,"#))
    #expect(html.contains(#""title":"It&#39;s <0>""#))
    #expect(html.contains(#"<template data-kind="card"><img src="{image}""#))
    #expect(html.contains(#"href="//localhost/css/strip.css""#))
    #expect(html.contains(#"<img src="//localhost/a.jpg""#))
    #expect(html.contains("<b>It's &lt;1&gt;</b></li></ul></carousel-strip>"))
    #expect(!html.contains("style=") && !html.contains("<script") && !html.contains("<style"))
  }

  @Test func `lengths are bits in 1/64 px`() throws {
    let html = try Self.element("&offset=4")
    #expect(html.contains(#"data-px="h8 h9 h10 h12 h13""#) == false)
    #expect(html.contains(#"data-px="w7 w9 -m m8""#))  // 10 px wide, -4 px from the edge
    #expect(html.contains(#"data-px="w5 w8 w11 w12 m9""#))  // 100.5 px, 8 px
    #expect(ElementWriter.bits(Length(units: 11520), "h") == "h8 h10 h11 h13")
  }

  @Test func `an element has the attributes that are asked for`() throws {
    let html = try Self.element("&attr-class=a+b&attr-aria-label=%22%3E&attr-loop=true&height=100")
    #expect(html.contains(#" class="a b""#))
    #expect(html.contains(#" aria-label="&quot;&gt;""#))
    #expect(html.contains(#" loop="true""#))
    #expect(html.contains(#" height="100""#))
  }

  @Test func `an attribute needs no value, and a heading takes the place of the label`() throws {
    let html = try Self.element("&attr-history=&attr-aria-labelledby=h")
    #expect(html.contains(#" history="""#))
    #expect(html.contains(#" aria-labelledby="h""#))
    #expect(!html.contains("aria-label=\""))
  }

  @Test(
    arguments: [
      ("/", ">€1,200.00<"), ("/?lang=en", ">€1,200.00<"), ("/window?format=element", ">1200<"),
      ("/window?format=element&attr-lang=de", ">1.200,00\u{A0}€<"),
      ("/window?format=element&attr-lang=de-CH", ">1200<"), ("/window?format=html", ">1200<"),
    ])
  func `values have formats in a language that is known`(target: String, text: String) throws {
    let items = [
      try Item(id: "a", kind: "priced", fields: Fields([("price", .number("1200"))])),
      try Item(id: "b", kind: "priced"),
    ]
    let fields = try StripSettings(
      json: Array(#"{"fields":{"price":{"unit":"EUR","format":"currency"}}}"#.utf8)
    ).fields
    let app = try app(catalogue(items) { $0.fields = fields })
    let html = app.get(target).text
    #expect(html.contains(#"<b data-if="price"\#(text)/b></li>"#), "\(html)")
    #expect(html.contains(#"<b data-if="price" hidden></b></li>"#))
  }

  @Test(
    arguments: [
      ("format=element&attr-onclick=x", "attr-onclick"), ("attr-id=x", "attr-id"),
      ("template=x", "template"), ("format=element&template=../x", "template"),
    ])
  func `other attributes and templates are refused`(query: String, parameter: String) throws {
    let answer = try app(catalogue([])).get("/window?\(query)")
    #expect(answer.status == 400)
    #expect(answer.text.contains("\"parameter\":\"\(parameter)\""))
  }

  @Test func `a template that is not there is 404`() throws {
    let answer = try app(catalogue([])).get("/window?format=element&template=none")
    #expect(answer.status == 404)
  }
}
