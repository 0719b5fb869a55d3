import Catalogue
import Testing

@testable import Serving

struct TemplateTests {
  private func rendered(
    _ html: String, _ values: [String: Template.Value] = [:]
  ) throws(Template.Fault) -> String {
    try Template(html).rendered(values)
  }

  @Test func `a value is escaped, unless it is HTML`() throws {
    let values = ["a": Template.Value.text("<b>&\"")]
    #expect(
      try rendered("1{{a}}2{{{a}}}3{{b}}{ a }", values) == "1&lt;b&gt;&amp;&quot;2<b>&\"3{ a }")
    #expect(try rendered("{{ a }}", ["a": .text("x")]) == "x")
  }

  @Test func `a section is rendered once for each element, and sees the page's values`() throws {
    let values: [String: Template.Value] = [
      "all": .list([["n": .text("1")], ["n": .text("2"), "on": .text("")]]), "t": .text("x"),
    ]
    #expect(
      try rendered("{{#all}}<i{{#on}} on{{/on}}>{{n}}{{t}}</i>{{/all}}", values)
        == "<i>1x</i><i on>2x</i>")
  }

  @Test func `a section depends on its value, an inverted one on its absence`() throws {
    let html = "{{#a}}+{{.}}{{/a}}{{^a}}-{{/a}}"
    #expect(try rendered(html) == "-")
    #expect(try rendered(html, ["a": .list([])]) == "-")
    #expect(try rendered(html, ["a": .text("x")]) == "+x")
  }

  @Test(
    arguments: [
      ("\n\n{{#strips}}\n<li>", 3, "unclosed section \"strips\""),
      ("{{#a}}\n{{#b}}\n{{/a}}", 3, "the section \"a\" is not open here"),
      ("a\n{{/a}}", 2, "the section \"a\" is not open here"), ("<p>\n{{a}", 2, "unclosed tag"),
    ])
  func `a fault has its line`(html: String, line: Int, description: String) {
    let fault = #expect(throws: Template.Fault.self) { try Template(html) }
    #expect(fault?.line == line)
    #expect(fault?.description == description)
  }

  @Test func `a card leaves out attributes without a field, but for alt`() throws {
    let card = Template(
      card: #"<a href="{href}" title="x {title}"><img src="{image}" alt="{alt}">{title}{x"#)
    let fields = try Fields([("title", .string("A & B"))])
    #expect(
      card.filled(with: fields) { _ in " src" }
        == #"<a title="x A &amp; B"><img alt="">A &amp; B{x"#)
  }
}
