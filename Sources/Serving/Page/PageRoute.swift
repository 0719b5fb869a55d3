import Catalogue
import HTTP
import Windowing

extension App {
  /// `GET /`: the demo page with its first window. It works without JavaScript.
  func page(
    _ request: Request, _ path: PathValues, in context: ReadContext
  ) throws(Problem) -> StepOutcome {
    try withProblemPages(for: request, in: context) { context throws(Problem) in
      try self.page(request, in: context)
    }
  }

  /// Runs a step. A problem of it, or of a later step, becomes a page.
  private func withProblemPages(
    for request: Request, in context: ReadContext, _ step: @escaping Step
  ) throws(Problem) -> StepOutcome {
    do {
      switch try step(context) {
      case .needs(let need, then: let next?):
        return .needs(need) { context throws(Problem) in
          try self.withProblemPages(for: request, in: context, next)
        }
      case let outcome: return outcome
      }
    } catch {
      guard let page = ProblemPage(error, for: request, among: pages) else { throw error }
      return .response(page.response)
    }
  }

  private func page(_ request: Request, in context: ReadContext) throws(Problem) -> StepOutcome {
    let query = try PageQuery(request)
    let page = try pages.current()
    let language = try pages.language(for: request)
    let view = query.window.view
    return try context.read(query.window.strip, at: nil, view: view) {
      [self] edition, context throws(Problem) in
      let layout = try edition.layout(fitting: nil)
      guard let pools = context.pools(of: edition, layout, stretch: query.window.stretch) else {
        return .needs(.pools(PoolSearch(edition, layout, stretch: query.window.stretch)))
      }
      guard let answer = try query.answer(from: edition, layout, pools, context.mode),
        let items = try answer.html(page.cards, view: query.view, context.mode),
        let strips = try context.summaries(after: nil, limit: 100)
      else { return .needs(.store) }
      let values = PageValues(
        of: answer, linkedBy: query, in: language, version: version,
        staleness: freshness.staleness,
        strips: links(to: strips, current: edition.name, in: language), items: items,
        window: answer.jsonWithoutItems())
      let html = page.template.rendered(values.values, in: language.words)
      return .response(
        try context.response(
          Array(html.utf8), as: "text/html; charset=utf-8", isPinned: false, to: request,
          fields: [SecurityPolicy.ofPage(allowing: values.style)], varyingBy: "Accept-Language"))
    }
  }

  private func links(
    to strips: [StripSummary], current: String, in language: PageLanguage
  ) -> [PageValues.Link] {
    strips.map { strip in
      PageValues.Link(
        name: strip.name, title: strip.settings.title,
        href: "/?strip=\(strip.name)\(language.parameter)", isCurrent: strip.name == current)
    }
  }
}

/// The parameters of `GET /`, which select the page's first window.
struct PageQuery: Sendable {
  var window = WindowQuery()
  /// The width as the request spells it, for links.
  private let givenWidth: String?

  /// Reads the page's parameters. Unknown ones are ignored, because links contain some, such as
  /// `utm_source`.
  init(_ request: Request) throws(Problem) {
    let parameters = try Parameters(
      request,
      known: ["strip", "offset", "item", "index", "at", "width"] + .view,
      ignoresOthers: true)
    try parameters.exclude("index", "item")
    givenWidth = parameters.text("width")
    window.view = try parameters.view()
    window.strip = try parameters.stripName("strip")
    window.offset = try parameters.length("offset", in: Limits.offset) ?? .zero
    window.width = try parameters.length("width", in: Limits.width) ?? Length(px: 2560)
    let place: WindowQuery.Target.Place =
      try parameters.length("at", in: Limits.offset).map { .at($0) } ?? .aligned(.start)
    if let index = try parameters.index("index") {
      window.target = .init(item: .index(index), place: place)
    } else if let id = parameters.text("item") {
      window.target = .init(item: .id(id), place: place)
    }
  }

  /// The width that is certainly in view: the given width, or else the width of a small screen.
  var view: Length { givenWidth == nil ? Length(px: 640) : window.width }

  /// The page's first window. If the query's item does not exist, the window begins at `offset`.
  /// The default offset is 0.
  ///
  /// - Returns: nil if an item is not in memory and the mode is `cachedOnly`.
  func answer(
    from edition: Edition, _ layout: Layout, _ pools: Pools, _ mode: ReadMode
  ) throws(Problem) -> WindowAnswer? {
    do {
      return try WindowAnswer(window, of: edition, layout, pools, mode)
    } catch {
      guard error.status == 404, window.target != nil else { throw error }
      var fallback = window
      fallback.target = nil
      return try WindowAnswer(fallback, of: edition, layout, pools, mode)
    }
  }

  /// The address of the page with its viewport at `offset`.
  func link(to offset: Length, in strip: String) -> String {
    "/?strip=\(strip)&offset=\(offset)" + (givenWidth == nil ? "" : "&width=\(window.width)")
      + window.view.parameters.map { parameter, text in
        "&\(parameter.rawValue)=\(text.percentEncoded)"
      }.joined()
  }
}

/// The offsets of the links "previous" and "next", for pages without JavaScript. Neither is past an
/// end of the strip.
struct PageLinks {
  var previous: Length?
  var next: Length?

  init(of answer: WindowAnswer) {
    let layout = answer.layout
    let (offset, width) = (answer.offset, answer.width)
    let last = layout.wraps ? Length(units: .max) : max(.zero, layout.extent - width)

    let back = layout.wraps ? offset - width : min(max(.zero, offset - width), last)
    previous = back < offset ? back : nil

    let edge = offset + width
    let cut = answer.window.items.first { $0.start > offset && $0.start + $0.size > edge }
    let index = cut?.index ?? answer.window.range.upperBound
    guard layout.wraps || index < layout.count else { return }
    let start = min(layout.start(of: index), last)
    next = start > offset ? start : nil
  }
}

extension String {
  /// The text as the value of a parameter. All bytes except unreserved characters (RFC 3986) are
  /// escaped.
  fileprivate var percentEncoded: String {
    var encoded = ""
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += digits.count == 1 ? "%0" + digits : "%" + digits
      }
    }
    return encoded
  }
}
