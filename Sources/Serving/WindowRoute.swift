package import HTTP
internal import Items
internal import Windowing

extension Site {
  /// `GET /window`: the items that meet a viewport, and the slot that draws each.
  func window(_ request: Request, _ path: PathValues) throws(Problem) -> Response {
    let query = try WindowQuery(request)
    let type =
      switch query.format {
      case .json: "application/json"
      case .html: "text/html; charset=utf-8"
      }
    return reading(
      try window(query), as: type, isPinned: query.revision != nil, to: request)
  }

  /// The window that `query` asks for, written as it asks.
  package func window(_ query: WindowQuery) throws(Problem) -> [UInt8] {
    try reading(query.strip, at: query.revision) { edition throws(Problem) in
      let answer = try WindowAnswer(query, of: edition)
      return switch query.format {
      case .json: try answer.json()
      case .html: try answer.html(pages.current().cards)
      }
    }
  }
}
