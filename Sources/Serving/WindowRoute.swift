internal import HTTP
internal import Items
internal import Windowing

extension Site {
  /// `GET /window`: the items that meet a viewport, and the slot that draws each.
  func window(_ request: Request, _ path: PathValues) throws(Problem) -> Response {
    let query = try WindowQuery(request)
    let answer = try WindowAnswer(query, of: edition(of: query.strip, at: query.revision))
    let isPinned = query.revision != nil
    return switch query.format {
    case .json:
      reading(try answer.json(), isPinned: isPinned, to: request)
    case .html:
      reading(
        try answer.html(pages.current().cards), as: "text/html; charset=utf-8", isPinned: isPinned,
        to: request)
    }
  }
}
