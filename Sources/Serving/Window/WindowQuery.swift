import Catalogue
package import HTTP
import Items
package import Views
package import Windowing

/// The parameters of `GET /window`, checked for form and range.
///
/// ``ResolvedWindow`` checks the parameters that depend on the strip.
package struct WindowQuery: Sendable {
  /// Nil for the first strip.
  package var strip: String?
  /// Nil for the newest revision.
  package var revision: Int64?
  /// The viewport's left edge; its top edge if the layout is not a strip.
  package var offset = Length.zero
  package var layout = LayoutQuery()
  package var overscan = Length.zero
  /// The length for which slots are counted. Nil for the viewport with its overscan.
  package var pool: Length?
  package var target: Target?
  /// Whether the window begins at `offset` if the item does not exist.
  var ignoresMissingItem = false
  package var have: Range<Int>?
  package var view = ViewQuery()
  package var format = Format.json
  /// The attributes of the element, and its file of card templates: only for ``Format/element``.
  var attributes: [(name: String, value: String)] = []
  var template: String?

  /// An item, and its position in the viewport.
  package struct Target: Sendable {
    package enum Item: Sendable {
      case index(Int)
      case id(String)
    }

    package enum Position: Sendable {
      case aligned(Alignment)
      case at(Length)
    }

    package var item: Item
    package var position: Position
    /// Whether an index outside a strip that does not wrap stands for the nearest item, and an
    /// unknown id for the given offset.
    package var isClamped = false
  }

  package enum Format: String, CaseIterable, Sendable {
    case json, html, element
  }

  package init() {}
}

extension WindowQuery {
  init(_ request: Request) throws(Problem) {
    try self.init(Query(request, ignoring: "v"))
  }

  package init(_ query: Query) throws(Problem) {
    self.init()
    let parameters = try Parameters(query, known: Self.names)

    strip = try parameters.stripName("strip")
    revision = try parameters.revision()
    offset = try parameters.length("offset", in: Limits.offset) ?? offset
    layout = try LayoutQuery(parameters)
    overscan = try parameters.length("overscan", in: Limits.overscan) ?? overscan
    pool = try parameters.length("pool", in: Length(px: 1)...Limits.pool)
    layout.wrap = try parameters.boolean("wrap")
    format = try parameters.choice("format") ?? .json
    target = try Self.target(parameters)
    have = try parameters.range("have")
    view = try parameters.view()
    try readElement(parameters)

    if let have {
      guard revision != nil else {
        throw .parameter("have", "needs revision: items are held at one revision")
      }
      guard have.count <= Limits.items else {
        throw .parameter("have", "spans \(have.count) items; the most is \(Limits.items)")
      }
    }
  }

  /// The names of the parameters. Those that most requests have are first.
  private static let names: [StaticString] =
    ["strip", "revision", "offset"] + LayoutQuery.names + [
      "overscan", "pool", "index", "item",
      "align", "at", "clamp", "wrap", "have", "format", "v", "template", "attr-id",
      "attr-class", "attr-lang", "attr-dir", "attr-for",
      "attr-aria-label", "attr-aria-labelledby", "attr-loop", "attr-snap", "attr-step",
      "attr-selection", "attr-autoplay",
      "attr-controls", "attr-effects", "attr-indicator", "attr-inset", "attr-pinch",
      "attr-initial-index", "attr-initial-item", "attr-history", "attr-live", "attr-remember",
    ] + ViewQuery.names

  /// The length for which slots are counted, before it is rounded up to a size class.
  ///
  /// - Throws: 400 if `pool` is shorter than the viewport with its overscan.
  func poolLength(in settings: StripSettings) throws(Problem) -> Length {
    let least = layout.viewport(in: settings) + overscan + overscan
    guard let pool else { return least }
    guard pool >= least else {
      let length = layout.mode(in: settings) == .strip ? "width" : "height"
      throw .parameter("pool", "must be at least \(length) + 2 x overscan, which is \(least) px")
    }
    return pool
  }

  private mutating func readElement(_ parameters: Parameters) throws(Problem) {
    template = parameters.text("template")
    if let template, !StripName.isValid(template) {
      throw .parameter(
        "template", "must be the name of a file without .html: [a-z0-9][a-z0-9-]{0,63}")
    }
    if template != nil, format != .element {
      throw .parameter("template", "needs format=element")
    }
    // An empty value turns a switch on. Empty labels, languages and names are left out.
    let texts = ["id", "class", "lang", "dir", "for", "aria-label", "aria-labelledby"]
    attributes = parameters.values(startingWith: "attr-").filter {
      !$0.value.isEmpty || !texts.contains($0.name)
    }
    if format != .element, let attribute = attributes.first {
      throw .parameter("attr-" + attribute.name, "needs format=element")
    }
  }

  private static func target(_ parameters: Parameters) throws(Problem) -> Target? {
    let index = try parameters.index("index")
    let id = parameters.text("item")
    let alignment: Alignment? = try parameters.choice("align")
    let at = try parameters.length("at", in: Limits.offset)
    let isClamped = try parameters.boolean("clamp")

    try parameters.exclude("index", "item")
    try parameters.exclude("align", "at")
    guard let item = index.map(Target.Item.index) ?? id.map(Target.Item.id) else {
      if alignment != nil { throw .parameter("align", "needs index or item") }
      if at != nil { throw .parameter("at", "needs index or item") }
      if isClamped != nil { throw .parameter("clamp", "needs index or item") }
      return nil
    }
    return Target(
      item: item, position: at.map(Target.Position.at) ?? .aligned(alignment ?? .start),
      isClamped: isClamped ?? false)
  }
}
