package import Catalogue
import Dispatch
package import HTTP
import Synchronization

/// Computes a view or facets that are not in the cache. It runs on a separate queue with the lowest
/// priority.
package final class ViewWork: Sendable {
  /// Identifies the view or the facets. Work with equal keys runs one at a time, and only the first
  /// computes them.
  enum Key: Hashable {
    case view(ViewCache.Key, revision: Int64)
    case facets(FacetsQuery.Key)
  }

  enum Subject: Sendable {
    case view(ViewQuery)
    case facets(FacetsQuery)
  }

  enum Product: Sendable {
    case view(StripView)
    case facets(FacetsQuery, Facets, of: Edition)
    /// For example, the edition's revision was purged while the work waited.
    case failure(Problem, of: Edition)
  }

  private let app: App
  private let base: Edition
  private let subject: Subject

  init(_ app: App, _ subject: Subject, of base: Edition) {
    self.app = app
    self.subject = subject
    self.base = base
  }

  var key: Key {
    switch subject {
    case .view(let query):
      .view(ViewCache.Key(query, of: base.name), revision: base.revision)
    case .facets(let query): .facets(query.key(of: base))
    }
  }

  /// The longest time that a request waits for a view, facets or pools. Most proxies wait for 60 seconds.
  package static let longestWait = Duration.seconds(10)

  /// Whether another thread is building columns of the strip.
  var waitsForColumns: Bool { base.columns.isBuilding }

  /// Computes the view or the facets, unless they are in the cache now.
  func run() -> Product {
    do throws(Problem) {
      return try product()
    } catch {
      return .failure(error, of: base)
    }
  }

  func product() throws(Problem) -> Product {
    switch subject {
    case .view(let query):
      .view(
        try app.views.view(query, of: base) { () throws(Problem) in
          try app.list(query.list, of: base)
        })
    case .facets(let query):
      .facets(
        query,
        try app.views.facets(query, of: base) { () throws(Problem) in
          try app.list(query.view.list, of: base)
        }, of: base)
    }
  }
}

extension App {
  /// The ids of the stored list `name`. Nil if `name` is nil. May block.
  ///
  /// - Throws: 404 if there is no such list.
  fileprivate func list(_ name: String?, of base: Edition) throws(Problem) -> [String]? {
    guard let name else { return nil }
    do throws(CatalogueError) {
      if let list = try catalogue.list(name, of: base.name) { return list.ids }
    } catch {
      throw Problem(error)
    }
    throw .notFound("The strip \(base.name) has no list \(name).", parameter: "list")
  }
}

extension ReadContext {
  /// The view of a strip for `query`. The strip itself if `query` is empty.
  ///
  /// - Throws: 400 for a field that the strip does not declare.
  func view(_ query: ViewQuery, of base: Edition) throws(Problem) -> ViewOutcome<Edition> {
    guard !query.isEmpty else { return .ready(base) }
    try query.check(base.settings)
    try throwFailure(of: base)
    if case .view(let view)? = product, view.query == query,
      view.revision == base.revision, view.isView(of: base)
    {
      return .ready(view.edition)
    }
    if let view = app.views.cachedView(query, of: base) { return .ready(view.edition) }
    let work = ViewWork(app, .view(query), of: base)
    guard mayCompute, case .view(let view) = try work.product() else { return .needs(.view(work)) }
    return .ready(view.edition)
  }

  private func throwFailure(of base: Edition) throws(Problem) {
    if case .failure(let problem, of: let edition)? = product, edition === base { throw problem }
  }

  /// The facets for `query`.
  ///
  /// - Throws: 400 for a field that the strip does not declare.
  func facets(_ query: FacetsQuery, of base: Edition) throws(Problem) -> ViewOutcome<Facets> {
    try query.view.check(base.settings)
    try query.check(base.settings)
    try throwFailure(of: base)
    if case .facets(query, let facets, of: let edition)? = product, edition === base {
      return .ready(facets)
    }
    if let facets = app.views.cachedFacets(query, of: base) { return .ready(facets) }
    let work = ViewWork(app, .facets(query), of: base)
    guard mayCompute, case .facets(_, let facets, _) = try work.product() else {
      return .needs(.view(work))
    }
    return .ready(facets)
  }
}

extension App {
  /// A view of a strip at its newest revision, for a command. May block.
  package func view(_ query: Query, of strip: String) throws(Problem) -> Edition {
    let parameters = try Parameters(query, known: .view)
    let context = ReadContext(app: self, mode: .mayBlock, mayCompute: true)
    guard let base = try context.edition(of: strip),
      case .ready(let edition) = try context.view(parameters.view(), of: base)
    else { preconditionFailure("A thread that may block needs no other thread.") }
    return edition
  }
}

/// A responder with a time limit: the client gets 503 if there is no response in time.
final class ResponseTimeout: Sendable {
  private let client: Responder
  private let isDone = Atomic(false)

  /// Starts the time limit. It ends without effect if no copy of `responder` exists any more.
  init(_ client: Responder, _ time: Duration) {
    self.client = client
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
      self?.respond(Problem.notReady.response)
    }
  }

  /// Passes the first response to the client, and ignores later ones.
  var responder: Responder {
    Responder(isAwaited: { self.isAwaited }) { self.respond($0) }
  }

  private var isAwaited: Bool { !isDone.load(ordering: .relaxed) && client.isAwaited }

  private func respond(_ response: Response) {
    if !isDone.exchange(true, ordering: .relaxed) { client(response) }
  }
}

extension Problem {
  fileprivate static let notReady = Problem.unavailable(
    "The answer is not ready yet. Send the request again.", retryAfter: 5)
}

/// A view or facets, or the work that must compute them first.
enum ViewOutcome<Value> {
  case ready(Value)
  case needs(Prerequisite)
}

extension ViewQuery {
  /// - Throws: 400 that names the parameter.
  fileprivate func check(_ settings: StripSettings) throws(Problem) {
    for parameter in [Parameter.filter, .sort] {
      do throws(CatalogueError) {
        try check(parameter, filterable: settings.filterable)
      } catch {
        throw .badParameter(parameter.rawValue, error.description)
      }
    }
  }
}

// MARK: - Parameters

extension Parameters {
  /// The parameters of a view.
  ///
  /// - Throws: 400 that names the parameter.
  func view() throws(Problem) -> ViewQuery {
    var query = ViewQuery()
    for (name, parameter) in zip(KnownNames.view.names, ViewQuery.Parameter.allCases) {
      guard let text = text(name) else { continue }
      do throws(CatalogueError) {
        try query.set(parameter, to: text)
      } catch {
        throw .badParameter(parameter.rawValue, error.description)
      }
    }
    return query
  }
}

extension JSONWriter {
  /// Writes a comma and the member `view`. Writes nothing if `query` is nil.
  mutating func view(_ query: ViewQuery?) {
    guard let query else { return }
    literal(#","view":{"#)
    list(query.parameters) { json, entry in
      json.string(entry.parameter.rawValue)
      json.literal(":")
      json.string(entry.text)
    }
    literal("}")
  }
}
