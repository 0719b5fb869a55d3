import Catalogue
package import HTTP
import Windowing

extension App {
  /// `GET /window`: the items that meet a viewport, and the slot that draws each.
  func window(_ request: Request, _ path: PathValues) throws(Problem) -> Answer {
    let count = catalogue.changeCount
    let asked = windows.ask(request.rawQuery)
    if let kept = asked.kept {
      // Asked each time, so that a revision that is no longer held is refused, kept or not.
      let edition = try edition(of: kept.strip, at: kept.revision)
      if edition.revision == kept.found {
        windows.count(hit: true)
        return .response(standing(try kept.answer.answer(to: request), since: count))
      }
    }
    windows.count(hit: false)
    let query = try WindowQuery(request)
    return try afterPools(of: query) { site, strip throws(Problem) in
      try site.response(to: request, asking: query, again: asked.isAgain, of: strip)
    }
  }

  /// `response`, which stands as long as the catalogue has counted no change after `count`; where
  /// reading is closed, the bearer is looked at each time.
  private func standing(_ response: Response, since count: Int?) -> Response {
    guard let count, reader == nil else { return response }
    var response = response
    response.cacheValidator = CacheValidator { [catalogue, windows] in
      guard catalogue.changeCount == count else { return false }
      windows.count(hit: true)
      return true
    }
    return response
  }

  /// The window that `query` asks for, written as it asks; waits for the catalogue.
  package func window(_ query: WindowQuery) throws(Problem) -> [UInt8] {
    try patient.found(query).bytes
  }

  private func response(
    to request: Request, asking query: WindowQuery, again isAgain: Bool, of strip: DrawnStrip?
  ) throws(Problem) -> Response {
    let (bytes, revision) = try found(query, in: strip)
    let isPinned = query.revision != nil
    guard query.format == .json else {
      return try reading(bytes, as: "text/html; charset=utf-8", isPinned: isPinned, to: request)
    }
    // Where reading is closed, the first strip is not the same for all who ask.
    let isForAll = reader == nil || query.strip != nil
    let isKept = isForAll && isAgain
    let answer = representation(window: bytes, isPinned: isPinned, isKept: isKept)
    if isKept {
      windows.keep(
        .init(strip: query.strip, revision: query.revision, found: revision, answer: answer),
        for: request.rawQuery)
    }
    return try answer.answer(to: request)
  }

  private func found(
    _ query: WindowQuery, in known: DrawnStrip? = nil
  ) throws(Problem) -> (bytes: [UInt8], revision: Int64) {
    try reading(query.strip, at: query.revision, known: known?.edition) {
      edition throws(Problem) in
      let strip =
        if let known, known.edition === edition { known } else {
          try DrawnStrip(edition, for: query)
        }
      let answer = try WindowAnswer(query, of: strip)
      let bytes =
        switch query.format {
        case .json: try answer.json()
        case .html: try answer.html(pages.current().cards, view: answer.width)
        }
      return (bytes, edition.revision)
    }
  }
}
