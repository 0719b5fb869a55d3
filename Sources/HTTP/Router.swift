/// Which function answers which method and path: a table that can be seen on one screen.
///
///     let router = Router<Site>([
///       .get("/window", window),
///       .get("/strips/{strip}/items/{id}", item),
///     ])
///
/// `HEAD` is answered as `GET` (the daemon leaves the body out), `OPTIONS` with the methods that the
/// path knows. A path is split at `/` before it is decoded, so that `%2F` is part of a segment.
///
/// - Complexity: a comparison with each route. A path that is a route's as it is spelled allocates
///   nothing, any other its list of segments.
package struct Router<Context: Sendable>: Sendable {
  package typealias Action =
    @Sendable (_ context: Context, _ request: Request, _ path: PathValues) throws(Problem) -> Answer

  /// A class, so that a route is looked at without copying all that it holds.
  package final class Route: Sendable {
    let method: Method
    let pattern: PathPattern
    let action: Action

    init(method: Method, pattern: PathPattern, action: @escaping Action) {
      self.method = method
      self.pattern = pattern
      self.action = action
    }

    /// What the action says, under the route's name whatever it says.
    func answer(
      _ request: Request, _ path: PathValues, in context: Context
    ) throws(Problem) -> Answer {
      do {
        return try action(context, request, path).named(pattern.text)
      } catch {
        return Answer.response(error.response).named(pattern.text)
      }
    }

    package static func get(_ pattern: StaticString, _ action: @escaping Action) -> Route {
      Route(method: .get, pattern: PathPattern(pattern), action: action)
    }

    package static func post(_ pattern: StaticString, _ action: @escaping Action) -> Route {
      Route(method: .post, pattern: PathPattern(pattern), action: action)
    }

    package static func put(_ pattern: StaticString, _ action: @escaping Action) -> Route {
      Route(method: .put, pattern: PathPattern(pattern), action: action)
    }

    package static func delete(_ pattern: StaticString, _ action: @escaping Action) -> Route {
      Route(method: .delete, pattern: PathPattern(pattern), action: action)
    }
  }

  private let routes: [Route]
  private let fallback: (any Handler)?

  /// A table of `routes`; `fallback` answers the paths that no route has, 404 where there is none.
  package init(_ routes: [Route], otherwise fallback: (any Handler)? = nil) {
    self.routes = routes
    self.fallback = fallback
  }

  package func answer(_ request: Request, in context: Context) -> Answer {
    do {
      return try route(request, in: context)
    } catch {
      return .response(error.response)
    }
  }

  private func route(_ request: Request, in context: Context) throws(Problem) -> Answer {
    if request.path.spells("*") { return .response(.options(allow(routes))) }
    let method: Method = request.method == .head ? .get : request.method
    let path = request.path
    for route in routes where route.method == method && route.pattern.spells(path) {
      return try route.answer(request, PathValues(), in: context)
    }
    guard let segments = PathSegments(request.path) else {
      throw Problem(status: 400, detail: "The path is not percent-encoded UTF-8.")
    }
    for route in routes where route.method == method {
      if let values = route.pattern.match(segments) {
        return try route.answer(request, values, in: context)
      }
    }
    let others = routes.filter { $0.pattern.match(segments) != nil }
    if !others.isEmpty {
      if method == .options { return .response(.options(allow(others))) }
      throw .methodNotAllowed(allow(others))
    }
    if let fallback { return fallback.answer(request).named("/{file}") }
    throw .notFound("There is nothing at this path.")
  }

  /// The value of `Allow` for `routes`.
  private func allow(_ routes: [Route]) -> String {
    Method.allCases.filter { method in
      let asked: Method = method == .head ? .get : method
      return method == .options || routes.contains { $0.method == asked }
    }.map(\.rawValue).joined(separator: ", ")
  }
}

extension Response {
  /// The answer to `OPTIONS`.
  static func options(_ allow: String) -> Response {
    Response(status: 204, fields: [Field("Allow", allow)])
  }
}
