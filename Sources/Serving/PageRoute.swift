import Catalogue
import HTTP
import Windowing

extension App {
  /// `GET /`: the demo page with its first window in it, which works without JavaScript.
  func page(_ request: Request, _ path: PathValues) throws(Problem) -> Answer {
    let query = try PageQuery(request)
    return try afterPools(of: query.window) { site, _ throws(Problem) in
      try site.page(query, to: request)
    }
  }

  private func page(_ query: PageQuery, to request: Request) throws(Problem) -> Response {
    let page = try pages.current()
    let (html, style) = try reading(query.window.strip, at: nil) { edition throws(Problem) in
      let answer = try query.answer(from: edition)
      let values = PageValues(
        of: answer, linkedBy: query, version: version, staleness: freshness.staleness,
        strips: try links(current: edition.name),
        items: try answer.html(page.cards, view: query.view),
        window: try answer.json(withItems: false))
      return (page.rendered(values), values.style)
    }
    return try reading(
      html, as: "text/html; charset=utf-8", isPinned: false, to: request,
      fields: [SecurityPolicy.ofPage(allowing: style)])
  }

  /// The strips to choose from: as many as one page of the list has.
  private func links(current: String) throws(Problem) -> [PageValues.Link] {
    try summaries(after: nil, limit: 100).map { strip in
      PageValues.Link(
        name: strip.name, title: strip.settings.title, isCurrent: strip.name == current)
    }
  }
}
