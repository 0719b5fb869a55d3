import Catalogue
import HTTP

extension App {
  /// All routes. Any other path is a file of `Public/`.
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
      "/strips/{strip}/lists",
      largeBody: LargeBody(limit: ItemList.maximumSize) { ListBody(expecting: $0) },
      changing(storeList, right: .lists)),
    .get("/strips/{strip}/groups", reading(groups)),
    .get("/strips/{strip}/facets", reading(facets)),
    .get("/strips/{strip}/items", reading(items, first: .mayBlock)),
    .get("/strips/{strip}/items/{id}", reading(item, first: .mayBlock)),
    .get("/events", reading(events, first: .mayBlock)),
    .get("/metrics", nonBlocking(metrics)),
    .get("/openapi.json", nonBlocking(openAPI)),
    .get("/livez", nonBlocking(liveness)),
    .get("/readyz", reading(readyz, first: .mayBlock, withoutToken: true)),
  ]
}

struct RouteContext: Sendable {
  let app: App
  /// Whether the body is not read yet. The server reads it only if the answer is 100.
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
    { context, request, _ throws(Problem) -> Answer in
      .response(try handler(context.app)(request))
    }
  }

  /// - Parameters:
  ///   - mode: `.mayBlock` for a handler that always needs the store.
  ///   - isOpen: whether the route never needs a token.
  private static func reading(
    _ handler: @escaping @Sendable (App) -> (ReadContext) throws(Problem) -> StepOutcome,
    first mode: ReadMode = .cachedOnly, withoutToken isOpen: Bool = false
  ) -> Action {
    { context, request, path throws(Problem) -> Answer in
      let app = context.app
      var read = ReadContext(app: app, request: request, path: path)
      // A closure that most requests do not need is made only when one needs it.
      func start() -> Step { { read throws(Problem) in try handler(app)(read) } }
      var waiting: StepOutcome?
      if mode == .mayBlock { waiting = .needs(.store) }
      if !isOpen, let authorizer = app.authorizer {
        switch try authorizer.check(request) {
        case .principal(let found): read.principal = found
        case .unverified(let token, let wasValid):
          waiting = .needs(wasValid ? .store : .unseenToken) {
            [start = start()] read throws(Problem) in
            read.principal = try authorizer.principal(of: token)
            return .needs(.store, then: start)
          }
        }
      }
      let outcome = if let waiting { waiting } else { try handler(app)(read) }
      switch outcome {
      case .response(let response): return .response(response)
      case .needs(let need, let next):
        return .deferred { [read, step = next ?? start()] responder in
          DeferredRequest(app: app, responder: responder).run(step, on: need, in: read)
        }
      }
    }
  }

  /// A route that changes a strip. It needs a token of the strip with this right.
  private static func changing(
    _ make: @escaping @Sendable (StripChange) throws(Problem) -> Response,
    right: TokenRight = .changes
  ) -> Action {
    { context, request, path throws(Problem) -> Answer in
      let app = context.app
      guard let editor = app.editor, let token = BearerToken(of: request) else {
        throw .unauthorized("A change")
      }
      let known = app.tokens.find(token.digest, at: .now)
      if known == .invalid { throw .unknownToken }
      let isBeforeBody = context.isBeforeBody
      let change = StripChange(
        request: request, strip: path["strip"], editor: editor, undoLimit: app.undoLimit)
      let check = { @Sendable () throws(Problem) in
        try app.tokens.authorize(token, toChange: change.strip, by: editor, with: right)
      }
      let apply = { @Sendable () throws(Problem) -> StepOutcome in
        .response(isBeforeBody ? .continue : try make(change))
      }
      var need = isBeforeBody ? PendingDependency.store : .changes(of: change.strip)
      var step: Step = { _ throws(Problem) in
        try check()
        return try apply()
      }
      // Wrong tokens do not delay changes, because unseen tokens are checked on another queue.
      if known == .unseen {
        need = .unseenToken
        step = { _ throws(Problem) in
          try check()
          if isBeforeBody { return try apply() }
          let checked = ContinuousClock.now
          return .needs(.changes(of: change.strip)) { _ throws(Problem) in
            if .now - checked > TokenCache.lifetime { try check() }
            return try apply()
          }
        }
      }
      let read = ReadContext(app: app, request: request, path: path)
      return .deferred { [need, step] responder in
        DeferredRequest(app: app, responder: responder, isChange: true)
          .run(step, on: need, in: read)
      }
    }
  }
}
