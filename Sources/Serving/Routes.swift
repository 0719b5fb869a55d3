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
    .get("/strips/{strip}/items", reading(items, first: .mayBlock)),
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

  /// A route that reads.
  ///
  /// - Parameters:
  ///   - mode: the mode of the first step. `.mayBlock` for a handler that always needs the store.
  ///   - isOpen: whether the route never needs a token.
  private static func reading(
    _ handler:
      @escaping @Sendable (App) -> (Request, PathValues, ReadContext) throws(Problem) -> StepOutcome,
    first mode: ReadMode = .cachedOnly, withoutToken isOpen: Bool = false
  ) -> Action {
    { context, request, path throws(Problem) -> Answer in
      let app = context.app
      var read = ReadContext(app: app)
      var need = mode == .mayBlock ? PendingDependency.store : nil
      if !isOpen, let authorizer = app.authorizer {
        switch try authorizer.check(request) {
        case .holder(let found): read.holder = found
        case .unverified(let token): need = .verification(token)
        }
      }
      var next: Step?
      if need == nil {
        switch try handler(app)(request, path, read) {
        case .response(let response): return .response(response)
        case .needs(let missing, then: let step): (need, next) = (missing, step)
        }
      }
      let start: Step = { read throws(Problem) in try handler(app)(request, path, read) }
      let step = next ?? start
      return .deferred { [need, read] responder in
        DeferredRequest(app: app, responder: responder).run(step, on: need ?? .store, in: read)
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
      guard let editor = app.editor, let token = Token(of: request) else {
        throw .unauthorized("A change")
      }
      let verdict = app.tokens.verdict(on: token.digest, at: .now)
      if verdict == .invalid { throw .unknownToken }
      let strip = path["strip"]
      // The deadline includes the time in the queue.
      let deadline = WriteDeadline()
      let isBeforeBody = context.isBeforeBody
      let check = { @Sendable () throws(Problem) in
        try app.tokens.authorize(token, toChange: strip, by: editor, with: right)
      }
      let make = { @Sendable () throws(Problem) -> StepOutcome in
        .response(isBeforeBody ? .continue : try change(app)(request, editor, strip, deadline))
      }
      let need: PendingDependency
      let step: Step
      if verdict == .unseen {
        // Wrong tokens do not delay changes, because unseen tokens are checked on another queue.
        need = .unseenToken
        step = { _ throws(Problem) in
          try check()
          if isBeforeBody { return try make() }
          let checked = ContinuousClock.now
          return .needs(.changes(of: strip)) { _ throws(Problem) in
            if .now - checked > TokenCache.lifetime { try check() }
            return try make()
          }
        }
      } else {
        need = isBeforeBody ? .store : .changes(of: strip)
        step = { _ throws(Problem) in
          try check()
          return try make()
        }
      }
      return .deferred { responder in
        DeferredRequest(app: app, responder: responder, isChange: true)
          .run(step, on: need, in: ReadContext(app: app))
      }
    }
  }
}
