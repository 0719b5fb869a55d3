import Catalogue
import HTTP
import Items
import Views
import Windowing

extension App {
  /// `GET /`: the first page, or the page of a strip, with first windows. It works without JavaScript.
  func page(_ context: ReadContext) -> Outcome {
    do throws(Problem) {
      let query = try PageQuery(context.request)
      if query.isEmpty, let page = try firstPage(context) { return page }
      return try firstWindow(of: context, query)
    } catch {
      return .response(context.response(to: error))
    }
  }

  private func firstWindow(
    of context: ReadContext, _ query: PageQuery
  ) throws(Problem) -> Outcome {
    var query = query
    let (base, baseReason) = try context.snapshot(of: query.window.strip)
    guard let snapshot = base else { return .suspended(on: baseReason) }
    guard let fields = try snapshot.firstFields(context.mode) else {
      return .suspended(on: .store)
    }
    let page = try pages.current()
    let language = try pages.language(for: context.request)
    let (found, reason) = try context.summaries(after: nil, limit: 100)
    guard let strips = found else { return .suspended(on: reason) }
    query.complete(for: snapshot, fields, isOwn: !CommonPageValues.hasBuiltIns(strips))
    let layout = query.window.layout.mode ?? .strip
    let facts = CardFacts(of: snapshot.settings, in: language.words, fields, for: layout)
    if fields.contains(where: { $0["image"] != nil }) {
      query.fitCellsToPictures(of: snapshot, facts)
    }
    return try context.withWindow(query.window) { [self, query] window, context throws(Problem) in
      let cards = try page.cards(with: facts)
      guard
        let items = try window.flowHTML(
          cards, view: query.view, in: language.words.language, context.mode)
      else { return .suspended(on: .store) }
      let values = StripPageValues(
        window: window, of: snapshot, query: query, fields: fields, language: language)
      var html = page.template.rendered(
        values.all(
          strips: strips, items: items, version: version, staleness: freshness.staleness),
        in: language.words)
      for (old, new) in zip(page.cards.sources, cards.sources) where old.html != new.html {
        html = html.replacing(old.html, with: new.html, maxReplacements: 1)
      }
      return try context.response(
        Array(html.utf8), as: "text/html; charset=utf-8",
        fields: [ContentSecurityPolicy.ofPage(allowing: values.style)], varyingBy: "Accept-Language"
      )
    }
  }
}

extension Snapshot {
  /// The fields of the first items, as a sample of all items. Nil if they have to be read from the store first.
  func firstFields(_ mode: ReadMode) throws(Problem) -> [Fields]? {
    var found: [Fields] = []
    guard !strip.isEmpty else { return found }
    let isRead = try read(0..<min(16, strip.count), mode) {
      found.append(Fields(written: Array($0.fields)))
    }
    return isRead ? found : nil
  }
}

extension ResolvedWindow {
  /// The window's items as `<li>` elements for a page whose style sheet is `styles(of:)`. In a list, a grid
  /// and rows, the heading of a group ends the list before it, and begins another one.
  func flowHTML(
    _ cards: CardTemplates, view: Length, in language: String, _ mode: ReadMode
  ) throws(Problem) -> [UInt8]? {
    try html(
      cards, view: view, in: language, mode,
      heading: { group in
        let title = self.title(of: group, in: language)
        let list = "<ul class=\"flow \(self.layoutMode)\">"
        return "</ul><h2 class=\"heading\">\(HTML.escaped(title))</h2>\(list)"
      })
  }

  /// The CSS rules that place the items before and without the script, in the element of the selector `root`.
  ///
  /// - Parameter query: the layout that the window was requested with.
  func styles(of root: String, _ query: LayoutQuery) -> String {
    layoutMode == .strip ? styleSheet(of: root) : flowStyleSheet(of: root, query)
  }

  /// The sizes of a list, a grid or rows, and of their items. css/flow.css puts the items in flow, so that they
  /// fit a page of any width. The script later draws the same arrangement: a grid keeps its number of columns.
  ///
  /// - Precondition: The layout is not a strip.
  private func flowStyleSheet(of root: String, _ query: LayoutQuery) -> String {
    let settings = snapshot.settings
    var rules = "\(root) .before{--heading:\(heading)px;padding-block:\(settings.inset)px}"
    rules += "\(root) .flow{--gap:\(settings.gap)px"
    switch layoutMode {
    case .grid:
      let cell = query.cell ?? settings.cellAspect.ratio
      rules += ";--cell:\(cell);--words:\(query.caption ?? settings.caption)px"
      rules += ";--column:\(query.column ?? settings.itemWidth)"
      if let columns = query.columns {
        rules += ";grid-template-columns:repeat(\(columns),minmax(0,1fr))"
      }
    case .rows: rules += ";--row:\(query.row ?? settings.height)"
    case .list, .strip: break
    }
    return zip(window.items, window.frames).reduce(into: rules + "}") { rules, item in
      rules +=
        "\(root) [data-index=\"\(item.0.index)\"]{--across:\(item.1.width);--along:\(item.0.size)}"
    }
  }
}
