import HTTP
import Items
import Views

extension App {
  /// All routes. Any other path is a file of `Public/`. `carousel photos` has pictures before them: `PictureRoute`.
  static let routes: [Router<RouteContext>.Route] = [
    .get("/", reading(page, first: .mayBlock)),
    .get("/index.html", reading(page, first: .mayBlock)),
    .get("/first.html", reading(page, first: .mayBlock)),
    .get("/window", reading(window)),
    .get("/strips", reading(strips, first: .mayBlock)),
    .get("/strips/{strip}", reading(strip)),
    .put("/strips/{strip}", changing(set, types: settingsTypes)),
    .delete("/strips/{strip}", changing(remove)),
    .post("/strips/{strip}/edits", changing(edit, types: editTypes)),
    .post(
      "/strips/{strip}/lists",
      largeBody: LargeBody(limit: ItemList.maximumSize) { ListBody(expecting: $0) },
      changing(storeList, types: ["application/json"], scope: .lists)),
    .get("/strips/{strip}/groups", reading(groups)),
    .get("/strips/{strip}/facets", reading(facets)),
    .get("/strips/{strip}/items", reading(items, first: .mayBlock)),
    .get("/strips/{strip}/items/{id}", reading(item, first: .mayBlock)),
    .get("/events", reading(events, first: .mayBlock)),
    .get("/metrics") { context, _, _ in context.app.metricsResult },
    .get("/openapi.json", nonBlocking(openAPI)),
    .get("/livez", nonBlocking(liveness)),
    .get("/readyz", reading(readyz, first: .mayBlock, withoutToken: true)),
  ]
}

struct RouteContext: Sendable {
  let app: App
  /// Whether the body is not read yet. The server reads it only if the response is 100.
  var isBeforeBody = false
}

// Only this file decides what may block. A thread that answers requests calls handlers with
// `.cachedOnly`. A `DeferredRequest` does the rest on work queues.
extension App {
  private typealias Action = Router<RouteContext>.Action

  /// A route that never blocks.
  private static func nonBlocking(
    _ handler: @escaping @Sendable (App) -> (Request) throws(Problem) -> Response
  ) -> Action {
    { context, request, _ throws(Problem) -> HandlerResult in
      .response(try handler(context.app)(request))
    }
  }

  /// - Parameters:
  ///   - mode: `.mayBlock` for a handler that always needs the store.
  ///   - isOpen: whether the route never needs a token.
  private static func reading(
    _ handler: @escaping @Sendable (App) -> (ReadContext) throws(Problem) -> Outcome,
    first mode: ReadMode = .cachedOnly, withoutToken isOpen: Bool = false
  ) -> Action {
    { context, request, path throws(Problem) -> HandlerResult in
      let app = context.app
      var read = ReadContext(app: app, request: request, path: path)
      // A function, because most requests need no closure: only a request that is deferred makes it.
      func start() -> Continuation { { read throws(Problem) in try handler(app)(read) } }
      if !isOpen, let authorizer = app.authorizer {
        switch try authorizer.check(request) {
        case .principal(let found): read.principal = found
        case .unverified(let token, let wasValid):
          return read.deferred(on: wasValid ? .store : .unseenToken) {
            [start = start()] read throws(Problem) in
            read.principal = try authorizer.principal(of: token)
            return .suspended(on: .store, then: start)
          }
        }
      }
      if mode == .mayBlock { return read.deferred(on: .store, start()) }
      switch try handler(app)(read) {
      case .response(let response): return .response(response)
      case .suspended(on: let reason, then: let next):
        return read.deferred(on: reason, next ?? start())
      }
    }
  }

  /// A route that changes a strip. It needs a token of the strip with this scope, and a body of one of these
  /// media types. All but the body is checked before the body is asked for.
  private static func changing(
    _ make: @escaping @Sendable (StripChange) throws(Problem) -> Response,
    types: [String] = [], scope: TokenScope = .changes
  ) -> Action {
    { context, request, path throws(Problem) -> HandlerResult in
      let app = context.app
      guard let editor = app.editor, let token = BearerToken(of: request) else {
        throw .unauthorized("A change")
      }
      let known = app.tokens.find(token.digest, at: .now)
      if known == .invalid { throw .unknownToken }
      if context.isBeforeBody, case .valid(let grant) = known {
        try grant.check(path["strip"], with: scope)
        try request.checkChange(withBodyAs: types)
        return .response(.continue)
      }
      let change = StripChange(
        request: request, strip: path["strip"], editor: editor, undoLimit: app.undoLimit)
      let check = { @Sendable () throws(Problem) in
        try app.tokens.authorize(token, toChange: change.strip, by: editor, with: scope)
        try request.checkChange(withBodyAs: types)
      }
      let isBeforeBody = context.isBeforeBody
      let reason = isBeforeBody ? WaitReason.store : .changes(of: change.strip)
      let continuation: Continuation = { _ throws(Problem) in
        try check()
        return .response(isBeforeBody ? .continue : try make(change))
      }
      let read = ReadContext(app: app, request: request, path: path)
      guard known == .unseen else { return read.deferred(on: reason, isChange: true, continuation) }
      // Wrong tokens do not delay changes, because unseen tokens are checked on another queue.
      return read.deferred(on: .unseenToken, isChange: true) { _ throws(Problem) in
        try check()
        return .suspended(on: reason, then: continuation)
      }
    }
  }
}

extension ReadContext {
  /// The response of `continuation`, which runs on the thread that it needs.
  fileprivate func deferred(
    on reason: WaitReason, isChange: Bool = false, _ continuation: @escaping Continuation
  ) -> HandlerResult {
    .deferred { responder in
      DeferredRequest(responder: responder, isChange: isChange).run(
        continuation, on: reason, in: self)
    }
  }
}
