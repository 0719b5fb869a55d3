import Catalogue
package import HTTP
import Items
import Views
import Windowing

extension App {
  /// `GET /window`: the items that intersect a viewport, each with the slot that draws it.
  func window(_ context: ReadContext) throws(Problem) -> Outcome {
    let request = context.request
    let (cached, isRepeated) = windows.find(request.rawQuery)
    if let cached {
      // The snapshot is looked up each time. A revision that the store has dropped is 410, even if
      // the window is cached.
      let (found, reason) = try context.snapshot(of: cached.strip, at: cached.revision)
      guard let snapshot = found else { return .suspended(on: reason) }
      if (snapshot.name, snapshot.revision) == cached.found {
        windows.count(hit: true)
        return try context.response(cached.representation)
      }
    }
    let query = try WindowQuery(request)
    // Only the format `element` needs the server's address in links.
    let host = query.format == .element ? request["host"].map { "//" + $0.text } ?? "" : ""
    return try context.withWindow(query) { [self] window, context throws(Problem) in
      guard let bytes = try write(window, as: query, linkedTo: host, context.mode) else {
        return .suspended(on: .store)
      }
      windows.count(hit: false)
      guard query.format == .json else {
        return try context.response(
          bytes, as: "text/html; charset=utf-8", fields: [ContentSecurityPolicy.ofFiles])
      }
      // Two kinds of windows are not cached. If reading needs a token, the first strip depends on the
      // token. Requests for a list must reach the view cache, which reads the list once a day, so that
      // the store keeps it.
      let isCached =
        isRepeated && (context.principal == nil || query.strip != nil) && query.view.list == nil
      let headers = windowHeaders[
        (context.isImmutable ? 1 : 0) + (context.principal == nil ? 0 : 2)]
      let representation = Representation(bytes, headers, encoder: encoder, isReused: isCached)
      if isCached {
        windows.insert(
          CachedWindow(
            strip: query.strip, revision: query.revision,
            found: (window.snapshot.name, window.snapshot.revision), representation: representation),
          for: request.rawQuery)
      }
      return try context.response(representation)
    }
  }

  private func write(
    _ window: ResolvedWindow, as query: WindowQuery, linkedTo host: String = "", _ mode: ReadMode
  ) throws(Problem) -> [UInt8]? {
    switch query.format {
    case .json: try window.json(mode)
    case .html: try window.html(pages.current().cards, view: window.viewport, mode)
    case .element:
      try ElementWriter(
        window: window, query: query, cards: pages.cards(named: query.template), host: host,
        version: version
      ).html(mode)
    }
  }

  /// The window for `query` as bytes, for the command `carousel window`. May block.
  package func renderWindow(_ query: WindowQuery) throws(Problem) -> [UInt8] {
    let outcome = try ReadContext.ofCommand(in: self).withWindow(query) {
      [self] window, context throws(Problem) in
      try write(window, as: query, context.mode).map { .response(Response("", $0)) }
        ?? .suspended(on: .store)
    }
    guard case .response(let response) = outcome else {
      preconditionFailure("A thread that may block and compute needs no other thread.")
    }
    return response.body.bytes
  }
}

extension ReadContext {
  /// Finds the window for `query`, and passes it to `body`.
  func withWindow(
    _ query: WindowQuery,
    _ body: @escaping @Sendable (ResolvedWindow, ReadContext) throws(Problem) -> Outcome
  ) throws(Problem) -> Outcome {
    try withSnapshot(of: query.strip, at: query.revision, view: query.view) {
      snapshot, context throws(Problem) in
      let poolLength = try query.poolLength(in: snapshot.settings)
      return try context.withLayout(of: snapshot, as: query.layout, poolLength: poolLength) {
        layout, pools throws(Problem) in
        let window = try ResolvedWindow(
          query, of: snapshot, layout, pools, poolLength: poolLength, context.mode)
        return if let window { try body(window, context) } else { .suspended(on: .store) }
      }
    }
  }
}
