import Catalogue
import Cryptography
import HTTP

extension App {
  /// All routes. Any other path is a file of `Public/`.
  ///
  /// The handlers are in `Page/PageRoute.swift`, `Window/WindowRoute.swift`,
  /// `Strips/StripRoutes.swift`, `Views/FacetsRoute.swift`, `Edits/EditRoutes.swift`,
  /// `Events/EventsRoute.swift` and `Operating/`.
  static let routes: [Router<RouteContext>.Route] = [
    .get("/", reading(page, first: .mayBlock)),
    .get("/index.html", reading(page, first: .mayBlock)),
    .get("/window", reading(window)),
    .get("/strips", reading(strips, first: .mayBlock)),
    .get("/strips/{strip}", reading(strip)),
    .put("/strips/{strip}", changing(set)),
    .delete("/strips/{strip}", changing(remove)),
    .post("/strips/{strip}/edits", changing(edit)),
    .post(
      "/strips/{strip}/lists", bodyLimit: ItemList.maximumSize, changing(storeList, right: .lists)),
    .get("/strips/{strip}/groups", reading(groups)),
    .get("/strips/{strip}/facets", reading(facets)),
    .get("/strips/{strip}/items/{id}", reading(item, first: .mayBlock)),
    .get("/events", reading(events, first: .mayBlock)),
    .get("/metrics", nonBlocking(metrics)),
    .get("/openapi.json", nonBlocking(openAPI)),
    .get("/livez", nonBlocking(liveness)),
    .get("/readyz", reading(readyz, first: .mayBlock, withoutToken: true)),
  ]
}

/// What the router passes to a route.
struct RouteContext: Sendable {
  let app: App
  /// Whether the body is not read yet. The server reads it only if the answer is 100.
  var isBeforeBody = false
}

// Only this file decides what may block. A thread that answers requests calls handlers with
// `.cachedOnly`. A work queue does the work that may block, and calls the handlers again.
extension App {
  private typealias Action = Router<RouteContext>.Action

  /// A route that never blocks.
  private static func nonBlocking(
    _ handler: @escaping @Sendable (App) -> (Request) throws(Problem) -> Response
  ) -> Action {
    { context, request, _ throws(Problem) -> Answer in
      .response(try handler(context.app)(request))
    }
  }

  /// A route that reads.
  ///
  /// - Parameters:
  ///   - mode: the mode of the first attempt. `.mayBlock` for a handler that always needs the
  ///     store.
  ///   - isOpen: whether the route never needs a token.
  private static func reading(
    _ handler:
      @escaping @Sendable (App) -> (Request, PathValues, ReadContext) throws(Problem) -> ReadOutcome,
    first mode: ReadMode = .cachedOnly, withoutToken isOpen: Bool = false
  ) -> Action {
    { context, request, path throws(Problem) -> Answer in
      let app = context.app
      var holder: TokenHolder?
      var need = mode == .mayBlock ? Prerequisite.store : nil
      if !isOpen, let authorizer = app.authorizer {
        switch try authorizer.check(request) {
        case .holder(let found): holder = found
        case .unverified(let token): need = .verification(token)
        }
      }
      if need == nil {
        let cached = ReadContext(app: app, mode: .cachedOnly, holder: holder)
        switch try handler(app)(request, path, cached) {
        case .response(let response): return .response(response)
        case .needs(let missing): need = missing
        }
      }
      return .deferred { [need, holder] responder in
        let read = DeferredRead(app: app, responder: responder, first: mode) {
          context throws(Problem) in
          try handler(app)(request, path, context)
        }
        read.run(after: need ?? .store, by: holder)
      }
    }
  }

  /// A route that changes a strip. It needs a token of the strip.
  ///
  /// - Parameter right: the right that the token must have.
  private static func changing(
    _ change:
      @escaping @Sendable (App) -> (Request, any StripEditor, String, WriteDeadline)
      throws(Problem) -> Response, right: TokenRight = .changes
  ) -> Action {
    { context, request, path throws(Problem) -> Answer in
      let app = context.app
      guard let editor = app.editor, let token = request.bearer.map({ Array($0) }) else {
        throw .unauthorized("A change")
      }
      let verdict = app.tokens.verdict(on: Digest(of: token), at: .now)
      if verdict == .invalid { throw .unknownToken }
      let strip = path["strip"]
      // The deadline includes the time in the queue.
      let deadline = WriteDeadline()
      var make: (@Sendable () throws(Problem) -> Response)?
      if !context.isBeforeBody {
        make = { () throws(Problem) in try change(app)(request, editor, strip, deadline) }
      }
      return .deferred { [make] responder in
        DeferredChange(
          app: app, editor: editor, token: token, right: right, strip: strip, responder: responder,
          make: make
        ).run(isNewToken: verdict == .unseen)
      }
    }
  }
}

/// A request that waits on a work queue for its data.
private struct DeferredRead: Sendable {
  let app: App
  let responder: Responder
  /// The mode in which the handler runs after a search for pools.
  let first: ReadMode
  let handler: @Sendable (ReadContext) throws(Problem) -> ReadOutcome

  /// Does the work `need` on its queue, calls the handler again, and responds. Responds 503 if the
  /// queue is full.
  func run(after need: Prerequisite, by holder: TokenHolder?) {
    let isAdded =
      switch need {
      case .store:
        app.reads.add { attempt(.mayBlock, by: holder) }
      case .pools(let search): limited(to: app.viewWait).run(search, by: holder)
      case .view(let work): limited(to: app.viewWait).run(work, by: holder)
      case .verification(let token):
        if token.wasValid {
          app.reads.add { verify(token) }
        } else {
          app.newTokens.add { verify(token) }
        }
      }
    if !isAdded {
      responder(
        Problem.unavailable("Too many requests wait for the catalogue.", retryAfter: 1).response)
    }
  }

  /// Finds pools on a queue, and then calls the handler.
  ///
  /// - Returns: false if the queue is full.
  private func run(_ search: PoolSearch, by holder: TokenHolder?) -> Bool {
    app.searches.add(search.key) {
      guard responder.isAwaited else {
        return responder(Problem.unavailable("The client has disconnected.").response)
      }
      search.run()
      if first == .cachedOnly {
        attempt(.cachedOnly, by: holder)
      } else {
        run(after: .store, by: holder)
      }
    }
  }

  /// Computes a view or facets on a queue, and then calls the handler.
  ///
  /// - Returns: false if the queue is full.
  private func run(_ work: ViewWork, by holder: TokenHolder?) -> Bool {
    let queue = work.waitsForColumns ? app.columnWaits : app.viewWork
    return queue.add(work.key) {
      guard responder.isAwaited else {
        return responder(Problem.unavailable("The client has disconnected.").response)
      }
      attempt(.mayBlock, by: holder, with: work.run())
    }
  }

  /// This read with a time limit. It responds 503 after `time`. Work that has started continues.
  private func limited(to time: Duration) -> DeferredRead {
    DeferredRead(
      app: app, responder: ResponseTimeout(responder, time).responder, first: first,
      handler: handler)
  }

  private func attempt(
    _ mode: ReadMode, by holder: TokenHolder?, with product: ViewWork.Product? = nil
  ) {
    guard responder.isAwaited else {
      return responder(Problem.unavailable("The client has closed its sending half.").response)
    }
    do throws(Problem) {
      let context = ReadContext(
        app: app, mode: mode, holder: holder, isRetry: true,
        mayCompute: product != nil, product: product)
      switch try handler(context) {
      case .response(let response): responder(response)
      case .needs(let need): run(after: need, by: holder)
      }
    } catch {
      responder(error.response)
    }
  }

  private func verify(_ token: ReadToken) {
    do throws(Problem) {
      run(after: .store, by: try token.holder())
    } catch {
      responder(error.response)
    }
  }
}

/// A change that waits on a work queue, behind earlier changes of the same strip.
private struct DeferredChange: Sendable {
  let app: App
  let editor: any StripEditor
  let token: [UInt8]
  let right: TokenRight
  let strip: String
  let responder: Responder
  /// Makes the change. Nil before the body is read: then only the token is checked.
  let make: (@Sendable () throws(Problem) -> Response)?

  /// Checks the token, and makes the change.
  ///
  /// An unseen token is checked first on a separate queue. So wrong tokens do not delay changes.
  func run(isNewToken: Bool) {
    if isNewToken {
      add {
        app.newTokens.add(nil, $0)
      } then: {
        guard make != nil else { return .continue }
        run(isNewToken: false)
        return nil
      }
    } else if let make {
      add {
        app.changes.add(strip, $0)
      } then: { () throws(Problem) in
        try make()
      }
    } else {
      add {
        app.reads.add(nil, $0)
      } then: {
        .continue
      }
    }
  }

  /// Adds a check of the token to a queue. If the token is valid, calls `next` and sends its
  /// response.
  private func add(
    to queue: (@escaping @Sendable () -> Void) -> Bool,
    then next: @escaping @Sendable () throws(Problem) -> Response?
  ) {
    let isAdded = queue {
      do throws(Problem) {
        try app.tokens.authorize(token, toChange: strip, by: editor, with: right)
        if let response = try next() { responder(response) }
      } catch {
        responder(error.response)
      }
    }
    if !isAdded { responder(Problem.unavailable("Too many changes wait.").response) }
  }
}
