import Catalogue
package import HTTP
import Windowing

extension WindowQuery {
  /// Reads the query string of `GET /window`.
  ///
  /// - Throws: a 400 that names the parameter that is unknown, given twice, out of range or no
  ///   valid value.
  init(_ request: Request) throws(Problem) {
    try self.init(Query(request))
  }

  /// Reads the parameters of `GET /window`.
  ///
  /// - Throws: as for a request.
  package init(_ query: Query) throws(Problem) {
    self.init()
    let parameters = try Parameters(query, known: Self.names)

    strip = try parameters.stripName("strip")
    revision = try parameters.revision()
    offset = try parameters.length("offset", in: Limits.offset) ?? offset
    width = try parameters.length("width", in: Limits.width) ?? width
    height = try parameters.length("height", in: Limits.height)
    overscan = try parameters.length("overscan", in: Limits.overscan) ?? overscan
    pool = try parameters.length("pool", in: Length(px: 1)...Limits.pool)
    wrap = try parameters.choice("wrap", ["true": true, "false": false])
    format = try parameters.choice("format", ["json": .json, "html": .html]) ?? .json
    target = try Self.target(parameters)
    have = try parameters.range("have")

    let stretch = width + overscan + overscan
    if let pool, pool < stretch {
      throw .parameter("pool", "must be at least width + 2 x overscan, which is \(stretch) px")
    }
    if let have {
      guard revision != nil else {
        throw .parameter("have", "needs revision: items are held at one revision")
      }
      guard have.count <= Limits.items else {
        throw .parameter("have", "spans \(have.count) items; the most is \(Limits.items)")
      }
    }
  }

  private static let names: KnownNames = [
    "strip", "offset", "width", "height", "overscan", "pool", "index", "item", "align", "at",
    "wrap", "have", "revision", "format", "v",
  ]

  private static func target(_ parameters: Parameters) throws(Problem) -> Target? {
    let index = try parameters.index("index")
    let id = parameters.text("item")
    let alignment = try parameters.choice(
      "align", ["start": Alignment.start, "center": .center, "end": .end, "nearest": .nearest])
    let at = try parameters.length("at", in: Limits.offset)

    try parameters.exclude("index", "item")
    try parameters.exclude("align", "at")
    guard let item = index.map(Target.Item.index) ?? id.map(Target.Item.id) else {
      if alignment != nil { throw .parameter("align", "needs index or item") }
      if at != nil { throw .parameter("at", "needs index or item") }
      return nil
    }
    return Target(item: item, place: at.map(Target.Place.at) ?? .aligned(alignment ?? .start))
  }
}
