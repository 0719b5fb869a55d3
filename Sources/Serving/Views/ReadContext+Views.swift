import Catalogue
package import HTTP
import Items
package import Views
import Windowing

/// Identifies a view or facets that are not in the cache. Requests for the same view run one at a time: the
/// first one computes it, and the others find it in the cache.
package struct PendingView: Sendable {
  package enum Key: Hashable {
    case view(ViewCache.Key, revision: Int64)
    case facets(FacetsQuery.Key)
  }

  let key: Key
  /// Whether another thread is building columns of the strip.
  let waitsForColumns: Bool

  init(_ query: ViewQuery, of base: Snapshot) {
    key = .view(ViewCache.Key(query, of: base.name), revision: base.revision)
    waitsForColumns = base.columns.isBuilding
  }

  init(_ query: FacetsQuery, of base: Snapshot) {
    key = .facets(query.key(of: base))
    waitsForColumns = base.columns.isBuilding
  }
}

extension ReadContext {
  /// The view of a strip for `query`. The strip itself if `query` is empty.
  ///
  /// - Returns: nil if the view must be computed and this thread may not do it.
  /// - Throws: 400 for a field that the strip does not declare.
  func view(_ query: ViewQuery, of base: Snapshot) throws(Problem) -> Snapshot? {
    guard !query.isEmpty else { return base }
    try query.check(base.settings)
    if let view = app.viewCache.cachedView(query, of: base) { return view.snapshot }
    guard thread.mayCompute else { return nil }
    return try app.viewCache.view(query, of: base, list: app.list(query.list, of: base)).snapshot
  }

  /// - Returns: nil if they must be computed and this thread may not do it.
  /// - Throws: 400 for a field that the strip does not declare.
  func facets(_ query: FacetsQuery, of base: Snapshot) throws(Problem) -> Facets? {
    try query.view.check(base.settings)
    try query.check(base.settings)
    if let facets = app.viewCache.cachedFacets(query, of: base) { return facets }
    guard thread.mayCompute else { return nil }
    return try app.viewCache.facets(query, of: base, list: app.list(query.view.list, of: base))
  }

  /// Passes the layout of a snapshot to `body`, with its pools.
  ///
  /// - Parameter poolLength: the length for which slots are counted; nil if the caller needs no pools.
  /// - Throws: 400 if the strip cannot be arranged so, or would be longer than 2^47 px.
  func withLayout(
    of snapshot: Snapshot, as query: LayoutQuery, poolLength: Length? = nil,
    _ body: (Layout, Pools) throws(Problem) -> Outcome
  ) throws(Problem) -> Outcome {
    let (cache, mode) = (snapshot.layouts, query.mode(in: snapshot.settings))
    let asked = try query.layout(of: snapshot.strip, in: snapshot.settings)
    let found: (Layout, Pools)?
    do {
      found =
        thread.mayCompute
        ? try cache.layout(asked, of: snapshot.strip, poolLength: poolLength)
        : try cache.cachedLayout(asked, of: snapshot.strip, poolLength: poolLength)
    } catch {
      throw query.problem(in: snapshot.settings)
    }
    guard let (layout, pools) = found else {
      return .suspended(
        on: .layout(PendingLayout(snapshot, asked.rule, poolLength: poolLength ?? .unit)))
    }
    guard layout.fits else {
      throw .parameter(
        mode == .strip ? "height" : "width", "makes the \(mode) longer than 2^47 px")
    }
    return try body(layout, pools)
  }
}

extension App {
  /// The queue for a request of `view`. It is the queue that already has a request for the same view, if there is one:
  /// otherwise two threads would build the view.
  func queue(for view: PendingView) -> WorkQueue<PendingView.Key> {
    let (queue, other) = view.waitsForColumns ? (columns, views) : (views, columns)
    return other.has(view.key) ? other : queue
  }

  /// A view of a strip at its newest revision, for a command. May block.
  package func view(_ query: Query, of strip: String) throws(Problem) -> Snapshot {
    let parameters = try Parameters(query, known: ViewQuery.names)
    let context = ReadContext.ofCommand(in: self)
    guard let base = try context.snapshot(of: strip).snapshot,
      let snapshot = try context.view(parameters.view(), of: base)
    else { preconditionFailure("A thread that may block needs no other thread.") }
    return snapshot
  }

  /// The ids of the stored list `name`. Nil if `name` is nil. May block.
  ///
  /// - Throws: 404 if there is no such list.
  fileprivate func list(_ name: String?, of base: Snapshot) throws(Problem) -> [String]? {
    guard let name else { return nil }
    guard let list = try Problem.mapping(catalogue.list(name, of: base.name)) else {
      throw .notFound("The strip \(base.name) has no list \(name).", parameter: "list")
    }
    return list.ids
  }
}

extension ViewQuery {
  /// The names of the parameters, in the order of `Parameter`.
  static let names: [StaticString] = ["list", "where", "q", "sort"]

  fileprivate func check(_ settings: StripSettings) throws(Problem) {
    for parameter in [Parameter.filter, .sort] {
      try Problem.mapping(
        check(parameter, filterable: settings.filterable), parameter: parameter.rawValue)
    }
  }
}

extension Parameters {
  func view() throws(Problem) -> ViewQuery {
    var query = ViewQuery()
    for (name, parameter) in zip(ViewQuery.names, ViewQuery.Parameter.allCases) {
      guard let text = text(name) else { continue }
      try Problem.mapping(query.set(parameter, to: text), parameter: parameter.rawValue)
    }
    return query
  }
}

extension JSONWriter {
  /// Starts an object with the members `strip`, `revision`, and `view` if there is one.
  mutating func start(of snapshot: Snapshot, view: ViewQuery?) {
    literal(#"{"strip":"#)
    string(snapshot.name)
    literal(#","revision":"#)
    integer(Int(snapshot.revision))
    self.view(view)
  }

  /// Writes a comma and the member `view`, and the member `corrected` if other words were searched than those of `q`.
  /// Writes nothing if `query` is nil.
  mutating func view(_ query: ViewQuery?) {
    guard let query else { return }
    literal(#","view":{"#)
    list(query.parameters) { json, entry in
      json.string(entry.parameter.rawValue)
      json.literal(":")
      json.string(entry.text)
    }
    literal("}")
    guard let terms = query.search?.corrections, !terms.isEmpty else { return }
    list("corrected", terms) { json, term in
      json.literal("{")
      json.member("word", String(decoding: term.word, as: UTF8.self))
      json.list("to", term.matchedWords) { json, word in
        json.string(String(decoding: word, as: UTF8.self))
      }
      json.literal("}")
    }
  }
}
