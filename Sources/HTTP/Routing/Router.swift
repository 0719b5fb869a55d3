/// Maps methods and paths to functions.
///
///     let router = Router<App>([
///       .get("/window", window),
///       .get("/strips/{strip}/items/{id}", item),
///     ])
///
/// `HEAD` uses the routes of `GET`; the server omits the body. `OPTIONS` returns the methods of the
/// path. A path is split at `/` before it is decoded, so `%2F` stays inside its segment.
///
/// - Complexity: one comparison for each route. A path that equals a pattern without parameters
///   allocates nothing. Any other path allocates its segments.
package struct Router<Context: Sendable>: Sendable {
  package typealias Action =
    @Sendable (_ context: Context, _ request: Request, _ path: PathValues) throws(Problem) ->
    HandlerResult

  /// A class, so that a loop over routes copies no closures.
  package final class Route: Sendable {
    let method: Method
    let pattern: PathPattern
    let action: Action
    let largeBody: LargeBody?

    init(
      _ method: Method, _ pattern: StaticString, largeBody: LargeBody? = nil,
      _ action: @escaping Action
    ) {
      self.method = method
      self.largeBody = largeBody
      self.pattern = PathPattern(pattern)
      self.action = action
    }

    package static func get(_ pattern: StaticString, _ action: @escaping Action) -> Route {
      Route(.get, pattern, action)
    }

    package static func post(
      _ pattern: StaticString, largeBody: LargeBody? = nil, _ action: @escaping Action
    ) -> Route {
      Route(.post, pattern, largeBody: largeBody, action)
    }

    package static func put(_ pattern: StaticString, _ action: @escaping Action) -> Route {
      Route(.put, pattern, action)
    }

    package static func delete(_ pattern: StaticString, _ action: @escaping Action) -> Route {
      Route(.delete, pattern, action)
    }
  }

  private let routes: [Route]
  private let table: RouteTable
  private let fallback: (any Handler)?

  /// - Parameter fallback: answers the paths that match no route. Nil for 404.
  package init(_ routes: [Route], otherwise fallback: (any Handler)? = nil) {
    self.routes = routes
    table = RouteTable(routes: routes.map { ($0.method, $0.pattern) })
    self.fallback = fallback
  }

  package func largeBody(after head: Head) -> LargeBody? {
    guard case .route(let index, _)? = try? table.match(head.method, head.path) else { return nil }
    return routes[index].largeBody
  }

  package func handle(_ request: Request, in context: Context) -> HandlerResult {
    var pattern: StaticString?
    do throws(Problem) {
      switch try table.match(request.method, request.path) {
      case .route(let index, let values):
        pattern = routes[index].pattern.text
        return try routes[index].action(context, request, values)
          .withRoute(routes[index].pattern.text)
      case .otherMethods(let allow):
        guard request.method == .options else { throw .methodNotAllowed(allow) }
        return .response(.options(allow))
      case .nothing:
        if let fallback { return fallback.handle(request).withRoute("/{file}") }
        throw .notFound("There is nothing at this path.")
      }
    } catch {
      var response = error.response
      response.route = pattern
      return .response(response)
    }
  }
}

/// The methods and the patterns of a router's routes. It is not generic, because the compiler
/// specializes no generic code of another module.
private struct RouteTable: Sendable {
  enum Match {
    case route(Int, PathValues)
    /// The path has routes of other methods. The value is that of `Allow`.
    case otherMethods(String)
    case nothing
  }

  let routes: [(method: Method, pattern: PathPattern)]

  /// - Throws: 400 for a path that is not percent-encoded UTF-8.
  func match(_ method: Method, _ path: Bytes) throws(Problem) -> Match {
    if path.equals("*") { return .otherMethods(allow(routes.map(\.method))) }
    let method: Method = method == .head ? .get : method
    for index in routes.indices
    where routes[index].method == method && routes[index].pattern.equals(path) {
      return .route(index, PathValues())
    }
    guard let segments = path.pathSegments else {
      throw Problem(
        status: 400, detail: "The path is not percent-encoded UTF-8 without NUL characters.")
    }
    var others: [Method] = []
    for index in routes.indices {
      guard let values = routes[index].pattern.match(segments) else { continue }
      if routes[index].method == method { return .route(index, values) }
      others.append(routes[index].method)
    }
    return others.isEmpty ? .nothing : .otherMethods(allow(others))
  }

  /// The value of `Allow` for a path with routes of these methods.
  private func allow(_ methods: [Method]) -> String {
    Method.allCases.filter { $0 == .options || methods.contains($0 == .head ? .get : $0) }
      .map(\.rawValue).joined(separator: ", ")
  }
}

extension Response {
  static func options(_ allow: String) -> Response {
    Response(status: 204, fields: [Field("Allow", allow)])
  }
}

/// A path pattern: `/strips/{strip}/items/{id}`. A class, so that a loop copies no segments.
final class PathPattern: Sendable {
  private enum Segment: Sendable {
    case text(Bytes)
    case parameter(String)
  }

  let text: StaticString
  private let segments: [Segment]
  /// The whole path if the pattern has no parameters.
  private let literal: Bytes?

  init(_ pattern: StaticString) {
    text = pattern
    let path = Array(pattern.description.utf8)
    precondition(path.first == UInt8(ascii: "/"), "A path pattern begins with /.")
    segments = path.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    )
    .map { segment in
      segment.first == UInt8(ascii: "{") && segment.last == UInt8(ascii: "}")
        ? .parameter(segment.dropFirst().dropLast().text) : .text(segment)
    }
    literal = path.contains(UInt8(ascii: "{")) ? nil : path[...]
  }

  /// Whether the pattern has no parameters and equals `path`, which is not decoded.
  func equals(_ path: Bytes) -> Bool { literal?.equals(path) ?? false }

  /// - Parameter path: the decoded segments.
  func match(_ path: [Bytes]) -> PathValues? {
    guard path.count == segments.count else { return nil }
    var values = PathValues()
    for (segment, found) in zip(segments, path) {
      switch segment {
      case .text(let text):
        guard text.equals(found) else { return nil }
      case .parameter(let name):
        guard !found.isEmpty else { return nil }
        values.values.append((name, found))
      }
    }
    return values
  }
}

extension Bytes {
  /// The decoded segments of a path. Nil if one is not percent-encoded UTF-8.
  package var pathSegments: [Bytes]? {
    let segments = dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let decoded = segments.compactMap { $0.percentDecoded() }
    return decoded.count == segments.count ? decoded : nil
  }
}

/// The decoded values of a path's parameters.
package struct PathValues: Sendable {
  fileprivate var values: [(name: String, value: Bytes)] = []

  package init() {}

  /// - Precondition: the route's pattern has the parameter `name`.
  package subscript(_ name: String) -> String {
    guard let value = values.first(where: { $0.name == name })?.value else {
      preconditionFailure("The route's pattern has no {\(name)}.")
    }
    return value.text
  }
}
