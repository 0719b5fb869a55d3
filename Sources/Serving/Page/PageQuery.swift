import Catalogue
import HTTP
import Items
import Views
import Windowing

/// The parameters of `GET /`, which select the page's first window.
struct PageQuery: Sendable {
  private(set) var window = WindowQuery()
  /// Whether the request has none of the page's parameters.
  let isEmpty: Bool
  private let hasHeading: Bool
  /// The height of headings in the strip's order, unless the address has one for all orders.
  private(set) var groupHeading = Length.zero
  /// The filterable fields whose value is the title of the item's group, as far as the first items show. A sort
  /// by one of them keeps the strip's groups.
  private(set) var groupFields: Set<FieldName> = []
  /// The parameters of the layout as the request spells them, for links.
  private let given: [(name: String, text: String)]

  /// The height of a page of a list, a grid or rows, in which all items stand in flow.
  private static let height = Length.px(1200)

  /// Reads the page's parameters. Unknown ones are ignored, because links contain some, such as
  /// `utm_source`.
  init(_ request: Request) throws(Problem) {
    let names =
      ["strip", "offset", "item", "index", "at"] + LayoutQuery.pageNames + ViewQuery.names
    let parameters = try Parameters(request, known: names, ignoresOthers: true)
    isEmpty = names.allSatisfy { parameters.text($0) == nil }
    try parameters.exclude("index", "item")
    given = LayoutQuery.pageNames.compactMap { name in
      parameters.text(name).map { (name.description, $0) }
    }
    window.view = try parameters.view()
    window.strip = try parameters.stripName("strip")
    window.offset = try parameters.length("offset", in: Limits.offset) ?? .zero
    window.layout = try LayoutQuery(parameters)
    if parameters.text("width") == nil { window.layout.width = Length(px: 2560) }
    hasHeading = parameters.text("heading") != nil
    window.ignoresMissingItem = true
    let position: WindowQuery.Target.Position =
      try parameters.length("at", in: Limits.offset).map { .at($0) } ?? .aligned(.start)
    let index = try parameters.index("index")
    let item = index.map(WindowQuery.Target.Item.index) ?? parameters.text("item").map { .id($0) }
    window.target = item.map { WindowQuery.Target(item: $0, position: position) }
  }

  /// Sets the parameters that the request leaves out.
  ///
  /// Groups have headings, with two exceptions: if items of the kind `heading` separate the groups, or if the first twenty
  /// groups have fewer than five items on average, because each heading takes a row. Items without groups have headings in
  /// no view. A sort has headings only if it keeps the groups: a sort by price would have a group for each price.
  ///
  /// A strip that can be filtered or searched opens as a grid if it is not built in (`isOwn`) and its layout is the default.
  /// Its element on other pages has the layout of the setting.
  ///
  /// - Parameter fields: those of the first items.
  mutating func complete(for snapshot: Snapshot, _ fields: [Fields], isOwn: Bool) {
    let settings = snapshot.settings
    let isTable = !settings.filterable.isEmpty || !settings.searchable.isEmpty
    let opensAsGrid = isOwn && isTable && settings.layout == .strip && !settings.loop
    let mode = window.layout.mode ?? (opensAsGrid ? .grid : settings.layout)
    window.layout.mode = mode
    if mode != .strip { window.layout.height = Self.height }
    // In a list of pictures, each line has the same height: a small picture at the side, then the title.
    if mode == .list, window.layout.line == nil, snapshot.strip.totals.aspectUnits > 0 {
      window.layout.line = snapshot.settings.itemHeight
    }
    let runs = Array(snapshot.strip.groupRuns(from: 0).prefix(20))
    let areShort = runs.count == 20 && runs.reduce(0) { $0 + $1.range.count } < 100
    let hasOwn = snapshot.strip.kinds.contains("heading")
    let hasNone = runs.isEmpty && snapshot.strip.count > 0
    guard !hasHeading else { return }
    groupHeading = areShort || hasOwn || hasNone ? .zero : Length(px: 44)
    let known = runs.prefix { $0.range.lowerBound < fields.count }
    groupFields = Set(settings.filterable).filter { field in
      !known.isEmpty
        && known.allSatisfy { fields[$0.range.lowerBound][field.text]?.text == $0.title }
    }
    let keepsGroups = window.view.sort.first.map { groupFields.contains($0.field) } ?? true
    window.layout.heading = keepsGroups ? groupHeading : .zero
  }

  /// Sets the shape of a grid's cells, so that pictures are not cropped: the median aspect of the pictures, and room for the
  /// words below them.
  ///
  /// Parameters in the address take precedence, then the strip's settings: if they have a caption, they decide the room and
  /// the aspect.
  ///
  /// - Complexity: O(log *n*): it looks at no more than 200 items.
  mutating func fitCellsToPictures(of snapshot: Snapshot, _ facts: CardFacts) {
    let (settings, standard) = (snapshot.settings, StripSettings(title: ""))
    guard window.layout.mode == .grid, window.layout.cell == nil, window.layout.caption == nil
    else { return }
    guard settings.caption == standard.caption else {
      window.layout.caption = settings.caption
      return
    }
    guard settings.cellAspect == standard.cellAspect else { return }
    window.layout.caption = facts.caption
    let aspect = snapshot.medianAspect.map { min(max($0, 0.5), 2) }
    window.layout.cell = aspect.map { ($0 * 100).rounded() / 100 }
  }

  /// The length that is certainly in view: the given width, or else the width of a small screen.
  var view: Length {
    given.contains { $0.name == "width" } && window.layout.mode == .strip
      ? window.layout.width : Length(px: 640)
  }

  /// The address of the page with its viewport at `offset`.
  func link(to offset: Length, in strip: String) -> String {
    "/?strip=\(strip)&offset=\(offset)"
      + given.map { name, text in "&\(name)=\(text.utf8.percentEncoded())" }.joined()
      + viewParameters
  }

  /// The address of the page in another layout.
  func link(to layout: LayoutMode, in strip: String) -> String {
    "/?strip=\(strip)&layout=\(layout)" + viewParameters
  }

  private var viewParameters: String {
    window.view.parameters.map { parameter, text in
      "&\(parameter.rawValue)=\(text.utf8.percentEncoded())"
    }.joined()
  }
}

extension Snapshot {
  /// The median aspect of at most 200 items. Nil if none has one.
  fileprivate var medianAspect: Double? {
    let step = max(1, strip.count / 100)
    let aspects = stride(from: 0, to: strip.count, by: step).map { strip[$0].size.aspect.ratio }
      .filter { $0 > 0 }.sorted()
    return aspects.isEmpty ? nil : aspects[aspects.count / 2]
  }
}
