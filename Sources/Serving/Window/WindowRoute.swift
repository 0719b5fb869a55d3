import Catalogue
package import HTTP
import Windowing

extension App {
  /// `GET /window`: the items that intersect a viewport, each with the slot that draws it.
  func window(
    _ request: Request, _ path: PathValues, in context: ReadContext
  ) throws(Problem) -> StepOutcome {
    try window(request, windows.find(request.rawQuery), in: context)
  }

  /// - Parameter cached: the cached window, and whether the request's query came before.
  private func window(
    _ request: Request, _ cached: (window: CachedWindow?, isRepeated: Bool),
    in context: ReadContext
  ) throws(Problem) -> StepOutcome {
    if let window = cached.window {
      // The edition is looked up each time. A revision that the store has dropped is 410, even if
      // the window is cached.
      guard let edition = try context.edition(of: window.strip, at: window.revision) else {
        return .needs(.store) { context throws(Problem) in
          try self.window(request, cached, in: context)
        }
      }
      if (edition.name, edition.revision) == window.found {
        windows.count(hit: true)
        return .response(try window.answer.answer(to: request))
      }
    }
    // 1. Parse the request.
    let query = try WindowQuery(request)
    // Only the format `element` needs the server's address in links.
    let host = query.format == .element ? request["host"].map { "//" + $0.text } ?? "" : ""
    return try read(query, linkedTo: host, in: context) {
      [self] edition, context, bytes throws(Problem) in
      // 5. Respond.
      windows.count(hit: false)
      let isPinned = query.revision != nil
      guard query.format == .json else {
        return try context.response(
          bytes, as: "text/html; charset=utf-8", isPinned: isPinned, to: request,
          fields: [SecurityPolicy.ofFiles])
      }
      // If reading needs a token, the first strip depends on the token. A window of a list is not
      // cached here. Its requests use the view cache, which reads the list once a day. The store
      // then keeps the list.
      let isCached =
        cached.isRepeated && (context.holder == nil || query.strip != nil)
        && query.view.list == nil
      let headers = windowHeaders[(isPinned ? 1 : 0) + (context.holder == nil ? 0 : 2)]
      let answer = Representation(bytes, headers, encoder: encoder, isReused: isCached)
      if isCached {
        windows.insert(
          CachedWindow(
            strip: query.strip, revision: query.revision,
            found: (edition.name, edition.revision), answer: answer),
          for: request.rawQuery)
      }
      return try answer.answer(to: request)
    }
  }

  /// Reads the window for `query`, and passes its bytes to `respond`.
  ///
  /// - Parameter host: the prefix of the links of an element: `//strips.example`, or empty.
  private func read(
    _ query: WindowQuery, linkedTo host: String = "", in context: ReadContext,
    _ respond: @escaping @Sendable (Edition, ReadContext, [UInt8]) throws(Problem) -> Response
  ) throws(Problem) -> StepOutcome {
    // 2. Find the snapshot.
    try context.read(query.strip, at: query.revision, view: query.view) {
      [self] edition, context throws(Problem) in
      // 3. Find the pools.
      let layout = try edition.layout(fitting: query.height, wraps: query.wrap)
      guard let pools = context.pools(of: edition, layout, stretch: query.stretch) else {
        return .needs(.pools(PoolSearch(edition, layout, stretch: query.stretch)))
      }
      // 4. Find the window, and write it.
      guard
        let window = try WindowAnswer(query, of: edition, layout, pools, context.mode),
        let bytes = try write(window, as: query, linkedTo: host, context.mode)
      else { return .needs(.store) }
      return .response(try respond(edition, context, bytes))
    }
  }

  private func write(
    _ window: WindowAnswer, as query: WindowQuery, linkedTo host: String, _ mode: ReadMode
  ) throws(Problem) -> [UInt8]? {
    switch query.format {
    case .json: try window.json(mode)
    case .html: try window.html(pages.current().cards, view: window.width, mode)
    case .element:
      try ElementWriter(
        window: window, query: query, cards: pages.cards(named: query.template), host: host,
        version: version
      ).html(mode)
    }
  }

  /// The window for `query` as bytes, for the command `carousel window`. May block.
  package func window(_ query: WindowQuery) throws(Problem) -> [UInt8] {
    let context = ReadContext(app: self, mode: .mayBlock, mayCompute: true)
    let attempt = try read(query, in: context) { _, _, bytes in Response("", bytes) }
    guard case .response(let response) = attempt else {
      preconditionFailure("A thread that may block and searches for pools needs no other thread.")
    }
    return response.body.bytes
  }
}
