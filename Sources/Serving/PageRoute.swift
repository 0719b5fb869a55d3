import Catalogue
import HTTP
import Windowing

extension App {
  /// `GET /`: the demo page with its first window in it, which works without JavaScript.
  func page(
    _ request: Request, _ path: PathValues, in context: ReadContext
  ) throws(Problem) -> Attempt {
    let query = try PageQuery(request)
    let page = try pages.current()
    return try context.read(query.window.strip, at: nil) { edition throws(Problem) in
      let layout = try edition.layout(fitting: nil)
      guard let pools = edition.pools.cachedPools(of: layout, stretch: query.window.stretch) else {
        return .needs(.pools(PoolSearch(edition, layout, stretch: query.window.stretch)))
      }
      guard let answer = try query.answer(from: edition, layout, pools, context.mode),
        let items = try answer.html(page.cards, view: query.view, context.mode)
      else { return .needs(.store) }
      let values = PageValues(
        of: answer, linkedBy: query, version: version, staleness: freshness.staleness,
        strips: try links(current: edition.name, in: context), items: items,
        window: answer.jsonWithoutItems())
      return .response(
        try context.response(
          page.rendered(values), as: "text/html; charset=utf-8", isPinned: false, to: request,
          fields: [SecurityPolicy.ofPage(allowing: values.style)]))
    }
  }

  /// The strips to choose from: as many as one page of the list has.
  private func links(
    current: String, in context: ReadContext
  ) throws(Problem) -> [PageValues.Link] {
    try context.summaries(after: nil, limit: 100).map { strip in
      PageValues.Link(
        name: strip.name, title: strip.settings.title, isCurrent: strip.name == current)
    }
  }
}
