import Catalogue
import HTTP
import Items
import Views
import Windowing

/// The parameters that the routes of one strip share.
private struct StripQuery {
  let revision: Int64?
  let layout: LayoutQuery
  let view: ViewQuery

  init(_ parameters: Parameters) throws(Problem) {
    revision = try parameters.revision()
    layout = try LayoutQuery(parameters)
    view = try parameters.view()
  }

  static let names: [StaticString] = ["revision", "v"] + LayoutQuery.names + ViewQuery.names
}

extension ReadContext {
  /// Reads the strip of the path, in the layout of the query.
  fileprivate func withLayout(
    _ query: StripQuery,
    _ body: @escaping @Sendable (Snapshot, Layout, ReadContext) throws(Problem) -> Outcome
  ) throws(Problem) -> Outcome {
    try withSnapshot(of: path["strip"], at: query.revision, view: query.view) {
      snapshot, context throws(Problem) in
      try context.withLayout(of: snapshot, as: query.layout) { layout, _ throws(Problem) in
        try body(snapshot, layout, context)
      }
    }
  }
}

extension App {
  /// `GET /strips`: the strips in the order of their creation, in pages, each with the extent of one row.
  func strips(_ context: ReadContext) throws(Problem) -> Outcome {
    let parameters = try Parameters(context.request, known: ["after", "limit", "v"])
    let limit = try parameters.pageLimit()
    let (found, reason) = try context.summaries(after: parameters.text("after"), limit: limit + 1)
    guard let strips = found else { return .suspended(on: reason) }
    var json = JSONWriter()
    json.literal("{")
    json.list("strips", strips.prefix(limit)) { json, strip in json.strip(strip) }
    json.member("next", strips.count > limit ? strips[limit - 1].name : nil)
    json.literal("}")
    return try context.response(json.bytes)
  }

  /// `GET /strips/{strip}`: the settings, count, extent, revision and kinds of a strip.
  func strip(_ context: ReadContext) throws(Problem) -> Outcome {
    let query = try StripQuery(Parameters(context.request, known: StripQuery.names))
    return try context.withLayout(query) { snapshot, layout, context throws(Problem) in
      var json = JSONWriter()
      json.strip(StripSummary(snapshot), extent: layout.extent, snapshot.view)
      return try context.response(json.bytes, of: snapshot.revision)
    }
  }

  /// `GET /strips/{strip}/groups`: the groups with `title`, `first`, `end` and `start`, in pages.
  ///
  /// `after` is the `first` of the last group on the previous page. The strip can have become shorter since.
  func groups(_ context: ReadContext) throws(Problem) -> Outcome {
    let parameters = try Parameters(context.request, known: ["after", "limit"] + StripQuery.names)
    let limit = try parameters.pageLimit()
    let after = try parameters.index("after")
    let query = try StripQuery(parameters)
    return try context.withLayout(query) { snapshot, layout, context throws(Problem) in
      let start = after.map { snapshot.strip.endOfRun(at: $0) } ?? 0
      let runs = Array(layout.groups(from: start).prefix(limit + 1))
      var json = JSONWriter()
      json.start(of: snapshot, view: snapshot.view)
      json.list("groups", runs.prefix(limit)) { json, run in json.group(run) }
      json.member("next", runs.count > limit ? runs[limit - 1].first : nil)
      json.literal("}")
      return try context.response(json.bytes)
    }
  }

  /// `GET /strips/{strip}/items?ids=["a","b"]`: the ids that the strip has, each with its index, start
  /// and size. A text that is not a valid id is left out, as an unknown id is.
  func items(_ context: ReadContext) throws(Problem) -> Outcome {
    let parameters = try Parameters(context.request, known: ["ids"] + StripQuery.names)
    guard let text = parameters.text("ids") else {
      throw .parameter("ids", "is required: a JSON array of ids")
    }
    let ids: [String]
    do throws(CatalogueError) {
      ids = try ItemList.strings(json: Array(text.utf8))
    } catch {
      throw .badParameter("ids", "ids: \(error)")
    }
    guard ids.count <= Limits.ids else {
      throw .parameter("ids", "has \(ids.count) ids, more than \(Limits.ids)")
    }
    let query = try StripQuery(parameters)
    return try context.withLayout(query) { snapshot, layout, context throws(Problem) in
      guard context.mode == .mayBlock else { return .suspended(on: .store) }
      let indices = try Problem.mapping(snapshot.source.indices(of: ids))
      var json = JSONWriter()
      json.start(of: snapshot, view: snapshot.view)
      let found = zip(ids, indices).compactMap { id, index in index.map { (id: id, index: $0) } }
      json.list("items", found) { json, item in
        json.literal("{")
        json.member("id", item.id)
        json.bounds(of: item.index, in: layout)
        json.literal("}")
      }
      json.literal("}")
      return try context.response(json.bytes)
    }
  }

  /// `GET /strips/{strip}/items/{id}`: a complete item, with its index, start and size.
  func item(_ context: ReadContext) throws(Problem) -> Outcome {
    let query = try StripQuery(Parameters(context.request, known: StripQuery.names))
    return try context.withLayout(query) { snapshot, layout, context throws(Problem) in
      guard let index = try snapshot.index(of: context.path["id"], context.mode) else {
        return .suspended(on: .store)
      }
      let item = try Problem.mapping(snapshot.source.items(in: index..<index + 1)[0])
      var json = JSONWriter()
      // The JSON of the item, without the closing brace.
      json.json(item.json.dropLast())
      json.bounds(of: index, in: layout)
      json.literal("}")
      return try context.response(json.bytes, of: snapshot.revision)
    }
  }
}

extension Strip {
  /// The end of the group of the item at `index`, or of the item if it has none. The nearer end of
  /// the strip for an index outside it.
  fileprivate func endOfRun(at index: Int) -> Int {
    guard index >= 0 else { return 0 }
    guard index < count else { return count }
    return groupRun(at: index)?.range.upperBound ?? index + 1
  }
}

extension JSONWriter {
  /// Writes the members `index`, `start` and `size` of an item.
  ///
  /// - Precondition: The strip has the index, and the layout fits.
  fileprivate mutating func bounds(of index: Int, in layout: Layout) {
    guard let (start, size) = try? layout.bounds(of: index) else { return }
    member("index", index)
    member("start", start)
    member("size", size)
  }

  fileprivate mutating func strip(
    _ strip: StripSummary, extent: Length? = nil, _ view: ViewQuery? = nil
  ) {
    literal("{")
    member("strip", strip.name)
    literal(",")
    json(strip.settings.json.dropFirst().dropLast())
    member("count", strip.count)
    member("extent", extent ?? strip.extent)
    member("revision", Int(strip.revision))
    self.view(view)
    list("kinds", strip.kinds) { json, kind in json.string(kind) }
    literal("}")
  }

  mutating func group(_ group: PlacedGroup?) {
    guard let group else {
      literal("null")
      return
    }
    literal("{")
    member("title", group.title)
    member("first", group.first)
    member("end", group.end)
    member("start", group.start)
    literal("}")
  }
}
