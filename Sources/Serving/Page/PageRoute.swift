import Catalogue
import HTTP
import Items
import Views
import Windowing

extension App {
  /// `GET /`: the first page, or the page of a strip, with first windows. It works without JavaScript.
  func page(_ context: ReadContext) throws(Problem) -> Outcome {
    var context = context
    return try withProblemPages(&context) { context throws(Problem) in
      let query = try PageQuery(context.request)
      if query.isEmpty, let page = try self.firstPage(context) { return page }
      return try self.firstWindow(of: context, query)
    }
  }

  /// Runs a continuation. A problem of it, or of a later one, becomes a page.
  private func withProblemPages(
    _ context: inout ReadContext, _ continuation: Continuation
  ) throws(Problem) -> Outcome {
    do {
      switch try continuation(&context) {
      case .suspended(on: let reason, then: let next?):
        return .suspended(on: reason) { context throws(Problem) in
          try self.withProblemPages(&context, next)
        }
      case let outcome: return outcome
      }
    } catch {
      guard let page = pages.problemPage(error, for: context.request) else { throw error }
      return .response(page)
    }
  }

  private func firstWindow(
    of context: ReadContext, _ query: PageQuery
  ) throws(Problem) -> Outcome {
    var query = query
    let (found, reason) = try context.snapshot(of: query.window.strip)
    guard let snapshot = found else { return .suspended(on: reason) }
    guard let fields = try snapshot.firstFields(context.mode) else {
      return .suspended(on: .store)
    }
    let page = try pages.current()
    let language = try pages.language(for: context.request)
    guard let strips = try context.summaries(after: nil, limit: 100) else {
      return .suspended(on: .store)
    }
    let isTour = PageFrame.isTour(strips)
    query.complete(for: snapshot, isOwn: !isTour)
    let layout = query.window.layout.mode ?? .strip
    // The tour's strips show what a strip is: their cards have a picture and two lines.
    let facts =
      isTour && layout == .strip
      ? nil : CardFacts(of: snapshot.settings, in: language.words.language, fields, for: layout)
    if fields.contains(where: { $0["image"] != nil }) {
      query.showPicturesWhole(of: snapshot, facts)
    }
    return try context.window(query.window) { [self, query] window, context throws(Problem) in
      let cards = try page.cards(with: facts)
      guard
        let items = try window.flowHTML(
          cards, view: query.view, in: language.words.language, context.mode)
      else { return .suspended(on: .store) }
      let values = PageValues(
        window: window, query: query, fields: fields, language: language)
      var html = page.template.rendered(
        values.all(
          strips: strips, items: items, version: version, staleness: freshness.staleness),
        in: language.words)
      for (old, new) in zip(page.cards.sources, cards.sources) where old.html != new.html {
        html = html.replacing(old.html, with: new.html, maxReplacements: 1)
      }
      return try context.response(
        Array(html.utf8), as: "text/html; charset=utf-8",
        fields: [SecurityPolicy.ofPage(allowing: values.style)], varyingBy: "Accept-Language")
    }
  }
}

/// The parameters of `GET /`, which select the page's first window.
struct PageQuery: Sendable {
  private(set) var window = WindowQuery()
  /// Whether the request has none of the page's parameters.
  let isEmpty: Bool
  private let hasHeading: Bool
  /// The parameters of the layout as the request spells them, for links.
  private let given: [(name: String, text: String)]

  /// The height of a page of a list, a grid or rows, in which all items stand in flow.
  private static let height = Length.px(1200)

  /// Reads the page's parameters. Unknown ones are ignored, because links contain some, such as
  /// `utm_source`.
  init(_ request: Request) throws(Problem) {
    let names = ["strip", "offset", "item", "index", "at"] + Self.layout + ViewQuery.names
    let parameters = try Parameters(request, known: names, ignoresOthers: true)
    isEmpty = names.allSatisfy { parameters.text($0) == nil }
    try parameters.exclude("index", "item")
    given = Self.layout.compactMap { name in
      parameters.text(name).map { (name.description, $0) }
    }
    window.view = try parameters.view()
    window.strip = try parameters.stripName("strip")
    window.offset = try parameters.length("offset", in: Limits.offset) ?? .zero
    window.layout = try LayoutQuery(parameters)
    if parameters.text("width") == nil { window.layout.width = Length(px: 2560) }
    hasHeading = parameters.text("heading") != nil
    window.ignoresMissingItem = true
    let place: WindowQuery.Target.Place =
      try parameters.length("at", in: Limits.offset).map { .at($0) } ?? .aligned(.start)
    let index = try parameters.index("index")
    let item = index.map(WindowQuery.Target.Item.index) ?? parameters.text("item").map { .id($0) }
    window.target = item.map { WindowQuery.Target(item: $0, place: place) }
  }

  private static let layout: [StaticString] = [
    "width", "layout", "columns", "column", "row", "line", "cell", "caption", "heading",
  ]

  /// Adds what the request does not say. Groups have headings unless items of the kinds `heading` or `spacer`
  /// separate them, or there are many short groups: each would take a row. "Many" is twenty, "short" is fewer
  /// than three items on average. In a list, a spacer is a line, which needs no row of its own. Items without
  /// groups have headings in no view: a sort by price has a group for each price.
  ///
  /// A strip that can be filtered or searched opens as a grid if it is `isOwn`, not a built-in one, and its setting
  /// is the default. Its element on other pages has the layout of the setting.
  fileprivate mutating func complete(for snapshot: Snapshot, isOwn: Bool) {
    let settings = snapshot.settings
    let isTable = !settings.filterable.isEmpty || !settings.searchable.isEmpty
    let opensAsGrid = isOwn && isTable && settings.layout == .strip && !settings.loop
    let mode = window.layout.mode ?? (opensAsGrid ? .grid : settings.layout)
    window.layout.mode = mode
    if mode != .strip { window.layout.height = Self.height }
    // A list of pictures has lines: a small picture at the side, then its title. A list of texts has its own heights.
    if mode == .list, window.layout.line == nil, snapshot.strip.totals.aspectUnits > 0 {
      window.layout.line = snapshot.settings.itemHeight
    }
    let runs = Array(snapshot.strip.groupRuns(from: 0).prefix(20))
    let areShort = runs.count == 20 && runs.reduce(0) { $0 + $1.range.count } < 60
    let separators = mode == .list ? ["heading"] : ["heading", "spacer"]
    let hasOwn = snapshot.strip.kinds.contains { separators.contains($0) }
    let hasNone = runs.isEmpty && snapshot.strip.count > 0
    guard !hasHeading else { return }
    window.layout.heading = areShort || hasOwn || hasNone ? .zero : Length(px: 44)
  }

  /// Gives the cells of a grid the median aspect of its pictures, and room for the words below them, unless the strip's
  /// settings or the address say how high they are. The room that the settings say is for the words, too.
  ///
  /// - Complexity: O(log *n*): it looks at no more than 200 items.
  fileprivate mutating func showPicturesWhole(of snapshot: Snapshot, _ facts: CardFacts?) {
    let (settings, standard) = (snapshot.settings, StripSettings(title: ""))
    guard window.layout.mode == .grid, window.layout.cell == nil, window.layout.caption == nil
    else { return }
    guard settings.caption == standard.caption else {
      window.layout.caption = settings.caption
      return
    }
    guard settings.cellAspect == standard.cellAspect else { return }
    window.layout.caption = facts?.caption ?? .px(56)
    let aspect = snapshot.medianAspect.map { min(max($0, 0.5), 2) }
    window.layout.cell = aspect.map { ($0 * 100).rounded() / 100 }
  }

  /// The length that is certainly in view: the given width, or else the width of a small screen.
  var view: Length {
    given.contains { $0.name == "width" } && window.layout.mode == .strip
      ? window.layout.width : Length(px: 640)
  }

  /// The address of the page with its viewport at `offset`.
  func link(to offset: Length, in strip: String) -> String {
    "/?strip=\(strip)&offset=\(offset)"
      + given.map { name, text in "&\(name)=\(text.utf8.percentEncoded())" }.joined()
      + viewParameters
  }

  /// The address of the page in another layout.
  func link(to layout: LayoutMode, in strip: String) -> String {
    "/?strip=\(strip)&layout=\(layout)" + viewParameters
  }

  private var viewParameters: String {
    window.view.parameters.map { parameter, text in
      "&\(parameter.rawValue)=\(text.utf8.percentEncoded())"
    }.joined()
  }
}

extension Snapshot {
  /// The fields of the first items, which say what the others have. Nil if the store has to be asked.
  func firstFields(_ mode: ReadMode) throws(Problem) -> [Fields]? {
    var found: [Fields] = []
    guard !strip.isEmpty else { return found }
    let isRead = try read(0..<min(16, strip.count), mode) {
      found.append(Fields(written: Array($0.fields)))
    }
    return isRead ? found : nil
  }

  /// The median aspect of at most 200 items. Nil if none has one.
  fileprivate var medianAspect: Double? {
    let step = max(1, strip.count / 100)
    let aspects = stride(from: 0, to: strip.count, by: step).map { strip[$0].size.aspect.ratio }
      .filter { $0 > 0 }.sorted()
    return aspects.isEmpty ? nil : aspects[aspects.count / 2]
  }
}

extension WindowAnswer {
  /// The window's items as `<li>` elements for a page whose style sheet is `styles(of:)`. In a list, a grid
  /// and rows, the heading of a group ends the list before it, and begins another one.
  func flowHTML(
    _ cards: CardTemplates, view: Length, in language: String, _ mode: ReadMode
  ) throws(Problem) -> [UInt8]? {
    try html(
      cards, view: view, in: language, mode,
      heading: { group in
        let title = self.texts(in: language).title(ofGroup: group.title)
        let list = "<ul class=\"flow \(self.layoutMode)\">"
        return "</ul><h2 class=\"heading\">\(HTML.escaped(title))</h2>\(list)"
      })
  }

  /// The CSS rules that place the items before and without the script, in the element of the selector `root`.
  func styles(of root: String) -> String {
    layoutMode == .strip ? styleSheet(of: root) : flowStyleSheet(of: root)
  }

  /// The sizes of the items of a list, a grid or rows. css/page-layouts.css puts them in flow, so that
  /// they fit a page of any width.
  ///
  /// - Precondition: The layout is not a strip.
  private func flowStyleSheet(of root: String) -> String {
    let column = window.frames.first.map { "\(root) .flow{--column:\($0.width)}" } ?? ""
    return zip(window.items, window.frames).reduce(into: column) { rules, item in
      rules +=
        "\(root) [data-index=\"\(item.0.index)\"]{--across:\(item.1.width);--along:\(item.0.size)}"
    }
  }
}
