import Items
import Serving
import Testing
import Views

struct TemplateTests {
  private func rendered(
    _ html: String, _ values: [String: Template.Value] = [:]
  ) throws(Template.SyntaxError) -> String {
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
    let fault = #expect(throws: Template.SyntaxError.self) { try Template(html) }
    #expect(fault?.line == line)
    #expect(fault?.description == description)
  }

  @Test func `the template of a card may have more attributes`() throws {
    let cards = try CardTemplates(
      in: #"<template data-kind="heading" data-select="none"><i>{title}</i></template>"#)
    #expect(cards.sources.map(\.kind) == ["heading"])
    #expect(cards["heading"].filled(with: Fields()) { _ in "" } == "<i></i>")
  }

  @Test func `a card leaves out attributes without a field, but for alt`() throws {
    let card = try CardTemplate(
      #"<a href="{href}" title="x {title}"><img src="{image}" alt="{alt}">{title}{x"#)
    let fields = try Fields([("title", .string("A & B"))])
    #expect(
      card.filled(with: fields) { _ in " src" }
        == #"<a title="x A &amp; B"><img alt="">A &amp; B{x"#)
  }

  @Test(
    arguments: [
      (#"<form action="{href}">"#, "{href} stands in the attribute action"),
      (#"<button formaction="{x}">"#, "{x} stands in the attribute formaction"),
      (#"<iframe srcdoc="a {x}">"#, "{x} stands in the attribute srcdoc"),
      (#"<svg><use xlink:href="{x}"/></svg>"#, "{x} stands in the attribute xlink:href"),
      (#"<p ONCLICK = "f('{x}')">"#, "{x} stands in the attribute ONCLICK"),
      ("<script>let a = '{x}'</script>", "{x} stands in a <script>"),
      (#"<SCRIPT src="{x}"></SCRIPT>"#, "{x} stands in the attribute src"),
      ("<style>p { color: {x} }</style>", "{x} stands in a <style>"),
      ("<p title={x}>", "{x} in the attribute title needs double quotes"),
      ("<p title='{x}'>", "{x} in the attribute title needs double quotes"),
      ("<p {x}>", "{x} is the name of an attribute"),
    ])
  func `a card whose placeholder could run a script is rejected`(html: String, fault: String) {
    let error = #expect(throws: Template.SyntaxError.self) { try CardTemplate(html) }
    #expect(error?.description.hasPrefix(fault) == true, "\(error?.description ?? "")")
  }

  @Test func `an attribute with a URL is left out if the URL could run a script`() throws {
    let card = try CardTemplate(
      #"<a href="{link}"><video poster="{link}"></video><q cite="/{link}"><a href="{link}#x">"#)
    let bad = try Fields([("link", .string("javascript:alert(1)"))])
    #expect(
      card.filled(with: bad) { _ in "" }
        == #"<a><video></video><q cite="/javascript:alert(1)"><a>"#)
    let good = try Fields([("link", .string("a?b=1&c"))])
    #expect(
      card.filled(with: good, linkedTo: "//host") { _ in "" }
        == #"<a href="//host/a?b=1&amp;c"><video poster="//host/a?b=1&amp;c"></video>"#
        + #"<q cite="//host/a?b=1&amp;c"><a href="//host/a?b=1&amp;c#x">"#)
  }
}
