import Catalogue
import HTTP
import Items
import Views
import Windowing

extension App {
  /// `GET /` of several strips: `first.html`, with a first window in each of its elements. Nil if there
  /// is one strip, which has a page, or if the folder has no such file.
  func firstPage(_ context: ReadContext) throws(Problem) -> Outcome? {
    guard let template = try pages.first() else { return nil }
    let (found, reason) = try context.summaries(after: nil, limit: 100)
    guard let strips = found else { return .suspended(on: reason) }
    guard strips.count > 1 else { return nil }
    let language = try pages.language(for: context.request)
    let common = CommonPageValues(language: language, strips: strips, address: "/")
    let values = common.values.merging([
      "version": .text(version), "live": .text(freshness.staleness.map(String.init) ?? ""),
    ]) { $1 }
    let html = Sample.showingCode(in: template.rendered(values, in: language.words))
    return try fill(
      PageBuilder(
        html[...], language.words, pages.current().cards,
        hasFacts: !CommonPageValues.hasBuiltIns(strips)),
      context)
  }

  /// Fills the next element of a page, and then those after it.
  private func fill(_ page: PageBuilder, _ context: ReadContext) throws(Problem) -> Outcome {
    var page = page
    guard let element = page.nextElement() else {
      return try context.response(
        Array(page.html.utf8), as: "text/html; charset=utf-8",
        fields: [ContentSecurityPolicy.ofPage(allowing: page.style)], varyingBy: "Accept-Language")
    }
    var context = context
    return try withEmptyFallback(element, of: page, &context) {
      [self, page] context throws(Problem) in
      let query = try element.query()
      return try context.withWindow(query) { [self] window, context throws(Problem) in
        let language = page.words.language
        var element = element
        if page.hasFacts {
          guard let fields = try window.snapshot.firstFields(context.mode) else {
            return .suspended(on: .store)
          }
          let facts = CardFacts(
            of: window.snapshot.settings, in: page.words, fields, for: window.layoutMode)
          if !facts.isEmpty {
            element.content += facts.added(to: page.cards).first { $0.kind == "card" }?.html ?? ""
          }
        }
        let cards: CardTemplates
        do throws(Template.SyntaxError) {
          cards = try CardTemplates(in: element.content, otherwise: page.cards)
        } catch {
          // Returned, because a thrown problem would count as one of the strip.
          return .response(
            Problem(
              status: 500, detail: "A card template of first.html is not valid: \(error)."
            ).response)
        }
        guard
          let items = try window.flowHTML(
            cards, view: Length(px: 640), in: language, context.mode)
        else { return .suspended(on: .store) }
        var page = page
        page.add(
          element, query.layout, window, String(decoding: items, as: UTF8.self), version: version)
        return try fill(page, context)
      }
    }
  }

  /// Fills an element with `continuation`. If its strip cannot be shown, for example because it is damaged, the element
  /// stays empty, and the rest of the page is shown. The script of the element then requests the window. The whole page is
  /// rejected if the server is busy, or if the client accepts no coding of the page.
  private func withEmptyFallback(
    _ element: PageElement, of page: PageBuilder, _ context: inout ReadContext,
    _ continuation: Continuation
  ) throws(Problem) -> Outcome {
    do {
      let outcome = try continuation(&context)
      guard case .suspended(on: let reason, then: let next?) = outcome else { return outcome }
      return .suspended(on: reason) { context throws(Problem) in
        try self.withEmptyFallback(element, of: page, &context, next)
      }
    } catch {
      guard ![406, 503].contains(error.status) else { throw error }
      var page = page
      page.add(element, version: version)
      return try fill(page, context)
    }
  }
}

/// A page whose elements get their first windows, one after the other.
private struct PageBuilder: Sendable {
  /// The part that is not filled yet.
  private(set) var rest: Substring
  let words: Translation
  /// The templates of the page of a strip, for elements that have none.
  let cards: CardTemplates
  /// Whether cards have the `CardFacts` of their strip.
  let hasFacts: Bool
  private var filled = ""
  /// The style sheet of the first windows.
  private(set) var style = ""

  init(_ rest: Substring, _ words: Translation, _ cards: CardTemplates, hasFacts: Bool) {
    self.rest = rest
    self.words = words
    self.cards = cards
    self.hasFacts = hasFacts
  }

  var html: String {
    (filled + rest).replacing(
      "<style></style>", with: "<style>\(style)</style>", maxReplacements: 1)
  }

  /// Takes the next element from the page.
  mutating func nextElement() -> PageElement? {
    guard let start = rest.firstRange(of: "<carousel-strip "),
      let end = rest[start.upperBound...].firstRange(of: "</carousel-strip>"),
      let open = rest[start.upperBound...].firstIndex(of: ">")
    else { return nil }
    filled += rest[..<start.lowerBound]
    let element = PageElement(
      attributes: String(rest[start.upperBound..<open]),
      content: String(rest[rest.index(after: open)..<end.lowerBound]))
    rest = rest[end.upperBound...]
    return element
  }

  /// Adds an element without a window.
  mutating func add(_ element: PageElement, version: String) {
    filled += "<carousel-strip \(element.attributes)\(HTML.attribute("data-version", version))>"
    filled += "\(element.content)<ul></ul></carousel-strip>"
  }

  mutating func add(
    _ element: PageElement, _ query: LayoutQuery, _ window: ResolvedWindow, _ items: String,
    version: String
  ) {
    style += window.styles(of: ":where(#\(element["id"] ?? ""))", query)
    let title = window.title(of: window.group, in: words.language)
    let content = element.content.replacing(
      "<p class=\"group\"></p>", with: "<p class=\"group\">\(HTML.escaped(title))</p>")
    filled += "<carousel-strip \(element.attributes)\(HTML.attribute("data-version", version))"
    let pictured = ElementWriter.pictured(items)
    if window.layoutMode == .strip {
      let json = String(decoding: window.jsonWithoutItems(), as: UTF8.self)
      filled += HTML.attribute("data-window", json) + ">\(content)<ul"
      filled += HTML.attribute("data-empty", words["This strip has no items."])
      filled += "\(pictured)>\(items)</ul></carousel-strip>"
    } else {
      // The positions of the items depend on the width of the page. They are in normal flow until the script has drawn its
      // own items.
      filled += " data-before>\(content)<ul></ul><div class=\"before\">"
      filled +=
        "<ul class=\"flow \(window.layoutMode)\"\(pictured)>\(items)</ul></div></carousel-strip>"
    }
  }
}

/// A `<carousel-strip>` of a page, as it is written there.
private struct PageElement: Sendable {
  let attributes: String
  var content: String

  /// The value of an attribute, without escapes.
  subscript(_ name: String) -> String? {
    guard let start = " \(attributes)".firstRange(of: " \(name)=\"") else { return nil }
    let value = String(" \(attributes)"[start.upperBound...].prefix { $0 != "\"" })
    return value.replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
  }

  private static let parameters = ["strip"] + LayoutQuery.pageNames + ViewQuery.names

  /// The query for the first window of the element. The element's width is unknown, so this takes that of a large screen.
  func query() throws(Problem) -> WindowQuery {
    let pairs = Self.parameters.map(\.description).compactMap { name in
      self[name].map { (name: Array(name.utf8)[...], value: Array($0.utf8)[...]) }
    }
    var query = try WindowQuery(Query(pairs))
    query.layout.width = Length(px: 2560)
    if query.layout.mode != nil, query.layout.mode != .strip { query.layout.height = .px(800) }
    return query
  }
}

/// A part of a page between `<!-- sample -->` and `<!-- end -->`, which shows its own HTML.
private enum Sample {
  /// The page with the code of each sample after the sample. The code of a drawing is abbreviated.
  static func showingCode(in page: String) -> String {
    var parts = page.split(separator: "<!-- sample -->", omittingEmptySubsequences: false)
    var html = String(parts.removeFirst())
    for part in parts {
      guard let end = part.firstRange(of: "<!-- end -->") else { continue }
      let lines = part[..<end.lowerBound].split(separator: "\n")
        .filter { $0.contains { !$0.isWhitespace } }
      let indent = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
      let code = lines.map { $0.dropFirst(indent) }.joined(separator: "\n")
        .replacing(/<svg.*?<\/svg>/.dotMatchesNewlines(), with: "<svg>…</svg>")
      html += "<div class=\"live\">\(part[..<end.lowerBound])</div>"
      html += "<pre tabindex=\"0\"><code>\(HTML.escaped(code))</code></pre>"
      html += part[end.upperBound...]
    }
    return html
  }
}
