import Catalogue
import HTTP
import Windowing

extension App {
  /// `GET /strips`: the strips in the order of their creation, in pages.
  func strips(
    _ request: Request, _ path: PathValues, in context: ReadContext
  ) throws(Problem) -> StepOutcome {
    let parameters = try Parameters(request, known: ["after", "limit", "v"])
    let limit = try parameters.pageLimit()
    guard
      let strips = try context.summaries(after: parameters.text("after"), limit: limit + 1)
    else { return .needs(.store) }
    var json = JSONWriter()
    json.literal(#"{"strips":["#)
    json.list(strips.prefix(limit)) { json, strip in json.strip(strip) }
    json.literal(#"],"next":"#)
    if strips.count > limit { json.string(strips[limit - 1].name) } else { json.literal("null") }
    json.literal("}")
    return .response(try context.response(json.bytes, isPinned: false, to: request))
  }

  /// `GET /strips/{strip}`: the settings, count, extent, revision and kinds of a strip.
  func strip(
    _ request: Request, _ path: PathValues, in context: ReadContext
  ) throws(Problem) -> StepOutcome {
    let parameters = try Parameters(
      request, known: ["revision", "v"] + .view)
    let revision = try parameters.revision()
    let view = try parameters.view()
    return try context.read(path["strip"], at: revision, view: view) {
      edition, context throws(Problem) in
      var json = JSONWriter()
      json.strip(StripSummary(edition), edition.view)
      return .response(
        try context.response(
          json.bytes, isPinned: revision != nil, to: request, of: edition.revision))
    }
  }

  /// `GET /strips/{strip}/groups`: the groups with `title`, `first`, `end` and `start`, in pages.
  ///
  /// `after` is the `first` of the last group on the previous page. The strip can be shorter now.
  func groups(
    _ request: Request, _ path: PathValues, in context: ReadContext
  ) throws(Problem) -> StepOutcome {
    let parameters = try Parameters(
      request,
      known: ["after", "limit", "height", "revision", "v"] + .view)
    let limit = try parameters.pageLimit()
    let after = try parameters.index("after")
    let revision = try parameters.revision()
    let height = try parameters.length("height", in: Limits.height)
    let view = try parameters.view()
    return try context.read(path["strip"], at: revision, view: view) {
      edition, context throws(Problem) in
      let layout = try edition.layout(fitting: height)

      let start = after.map { edition.strip.endOfRun(at: $0) } ?? 0
      let runs = Array(layout.groups(from: start).prefix(limit + 1))

      var json = JSONWriter()
      json.start(of: edition, view: edition.view)
      json.literal(#","groups":["#)
      json.list(runs.prefix(limit)) { json, run in json.group(run) }
      json.literal(#"],"next":"#)
      if runs.count > limit { json.integer(runs[limit - 1].first) } else { json.literal("null") }
      json.literal("}")
      return .response(
        try context.response(json.bytes, isPinned: revision != nil, to: request))
    }
  }

  /// `GET /strips/{strip}/items?ids=["a","b"]`: those of the ids that the strip has, with index, start and
  /// size.
  ///
  /// The store's index of ids answers it, so it is cheap for every strip.
  func items(
    _ request: Request, _ path: PathValues, in context: ReadContext
  ) throws(Problem) -> StepOutcome {
    let parameters = try Parameters(
      request, known: ["ids", "height", "revision", "v"] + .view)
    guard let text = parameters.text("ids") else {
      throw .parameter("ids", "is required: a JSON array of ids")
    }
    let ids: [String]
    do throws(CatalogueError) {
      ids = try ItemList(json: Array(text.utf8), limit: Limits.ids).ids
    } catch {
      throw .badParameter("ids", "ids: \(error)")
    }
    let revision = try parameters.revision()
    let height = try parameters.length("height", in: Limits.height)
    let view = try parameters.view()
    return try context.read(path["strip"], at: revision, view: view) {
      edition, context throws(Problem) in
      guard context.mode == .mayBlock else { return .needs(.store) }
      let layout = try edition.layout(fitting: height)
      let indices = try edition.indices(of: ids)
      var json = JSONWriter()
      json.start(of: edition, view: edition.view)
      json.literal(#","items":["#)
      json.list(zip(ids, indices).filter { $1 != nil }) { json, item in
        json.literal(#"{"id":"#)
        json.string(item.0)
        if let index = item.1 { json.place(of: index, in: layout) }
      }
      json.literal("]}")
      return .response(
        try context.response(
          json.bytes, isPinned: revision != nil, to: request))
    }
  }

  /// `GET /strips/{strip}/items/{id}`: a complete item, with its index, start and size.
  func item(
    _ request: Request, _ path: PathValues, in context: ReadContext
  ) throws(Problem) -> StepOutcome {
    let parameters = try Parameters(
      request, known: ["height", "revision", "v"] + .view)
    let revision = try parameters.revision()
    let height = try parameters.length("height", in: Limits.height)
    let view = try parameters.view()
    return try context.read(path["strip"], at: revision, view: view) {
      edition, context throws(Problem) in
      let layout = try edition.layout(fitting: height)
      guard let index = try edition.index(of: path["id"], context.mode) else {
        return .needs(.store)
      }
      var json = JSONWriter()
      // The JSON of the item, without the closing brace.
      json.json(try edition.item(at: index).json.dropLast())
      json.place(of: index, in: layout)
      return .response(
        try context.response(
          json.bytes, isPinned: revision != nil, to: request, of: edition.revision))
    }
  }
}

extension Strip {
  /// The end of the group that contains the item at `index`. `index + 1` if the item has no group.
  /// For an index outside the strip, the nearer end of the strip. O(log groups).
  fileprivate func endOfRun(at index: Int) -> Int {
    guard index >= 0 else { return 0 }
    guard index < count else { return count }
    return groupRun(at: index)?.range.upperBound ?? index + 1
  }
}

extension JSONWriter {
  /// Writes the members `index`, `start` and `size` of an item, and the closing brace.
  fileprivate mutating func place(of index: Int, in layout: Layout) {
    literal(#","index":"#)
    integer(index)
    literal(#","start":"#)
    length(layout.start(of: index))
    literal(#","size":"#)
    length(layout.size(of: index))
    literal("}")
  }

  /// Writes a strip's name, settings, measures and kinds.
  fileprivate mutating func strip(_ strip: StripSummary, _ view: ViewQuery? = nil) {
    let settings = strip.settings
    literal(#"{"strip":"#)
    string(strip.name)
    for setting in Setting.all {
      literal(",")
      string(setting.name)
      literal(":")
      switch setting.rule {
      case .text(let path, _): string(settings[keyPath: path])
      case .length(let path, _): length(settings[keyPath: path])
      case .flag(let path): bool(settings[keyPath: path])
      case .fields(let path, _):
        json(Array(FieldName.json(settings[keyPath: path]).utf8)[...])
      }
    }
    literal(#","count":"#)
    integer(strip.count)
    literal(#","extent":"#)
    length(strip.extent)
    literal(#","revision":"#)
    integer(Int(strip.revision))
    self.view(view)
    literal(#","kinds":["#)
    list(strip.kinds) { json, kind in json.string(kind) }
    literal("]}")
  }
}
