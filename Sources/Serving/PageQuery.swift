import Catalogue
import HTTP
import Windowing

/// What `GET /` was asked: where the page's first window stands.
struct PageQuery: Sendable {
  var window = WindowQuery()
  /// The width as it was given; links keep it.
  private let givenWidth: String?

  /// Reads the page's parameters; others, which links gather on their way, are left alone.
  init(_ request: Request) throws(Problem) {
    let parameters = try Parameters(
      request, known: ["strip", "offset", "item", "index", "at", "width"], ignoresOthers: true)
    try parameters.exclude("index", "item")
    givenWidth = parameters.text("width")
    window.strip = try parameters.stripName("strip")
    window.offset = try parameters.length("offset", in: Limits.offset) ?? .zero
    window.width = try parameters.length("width", in: Limits.width) ?? Length(px: 2560)
    let place: WindowQuery.Target.Place =
      try parameters.length("at", in: Limits.offset).map { .at($0) } ?? .aligned(.start)
    if let index = try parameters.index("index") {
      window.target = .init(item: .index(index), place: place)
    } else if let id = parameters.text("item") {
      window.target = .init(item: .id(id), place: place)
    }
  }

  /// How much of the window is surely in view: where no width is given, a small window's.
  var view: Length { givenWidth == nil ? Length(px: 640) : window.width }

  /// The page's first window. An item that is gone falls back to `offset`, else the start.
  func answer(from edition: Edition) throws(Problem) -> WindowAnswer {
    do {
      return try WindowAnswer(window, of: edition)
    } catch {
      guard error.status == 404, window.target != nil else { throw error }
      var fallback = window
      fallback.target = nil
      return try WindowAnswer(fallback, of: edition)
    }
  }

  /// The address of the page with its viewport at `offset`.
  func link(to offset: Length, in strip: String) -> String {
    "/?strip=\(strip)&offset=\(offset)" + (givenWidth == nil ? "" : "&width=\(window.width)")
  }
}

/// Where "previous" and "next" lead without JavaScript; neither goes past an end.
struct Neighbours {
  var previous: Length?
  var next: Length?

  init(of answer: WindowAnswer) {
    let layout = answer.layout
    let (offset, width) = (answer.offset, answer.width)
    let last = layout.wraps ? Length(units: .max) : max(.zero, layout.extent - width)

    let back = layout.wraps ? offset - width : min(max(.zero, offset - width), last)
    previous = back < offset ? back : nil

    let edge = offset + width
    let cut = answer.window.items.first { $0.start > offset && $0.start + $0.size > edge }
    let index = cut?.index ?? answer.window.range.upperBound
    guard layout.wraps || index < layout.count else { return }
    let start = min(layout.start(of: index), last)
    next = start > offset ? start : nil
  }
}
