import HTTP
package import Items
import Views
package import Windowing

/// The layout parameters of a request. Nil means the strip's setting.
package struct LayoutQuery: Sendable {
  package var mode: LayoutMode?
  /// The length of a strip's viewport. The other layouts take it as the width of their content.
  package var width = Length.px(1024)
  /// The height of a strip, or of the viewport of another layout.
  package var height: Length?
  package var wrap: Bool?
  /// The number of columns of a grid; nil for as many as are `column` wide.
  package var columns: Int?
  package var column: Length?
  /// The target height of justified rows.
  package var row: Length?
  /// The height of each line of a list, whatever the aspect of its item.
  package var line: Length?
  /// The aspect of a cell of a grid, without its caption.
  package var cell: Double?
  /// The height that a list and a grid add to an item for its words.
  package var caption: Length?
  /// The height above the first row of a group.
  package var heading = Length.zero

  package init() {}

  /// The parameters that a page takes, too.
  static let pageNames: [StaticString] = [
    "width", "layout", "columns", "column", "row", "line", "cell", "caption", "heading",
  ]
  static let names = pageNames + ["height"]

  init(_ parameters: Parameters) throws(Problem) {
    mode = try parameters.choice("layout")
    width = try parameters.length("width", in: Limits.width) ?? width
    height = try parameters.length("height", in: Limits.height)
    columns = try parameters.integer("columns", in: 1...4096).map { Int($0) }
    column = try parameters.length("column", in: Limits.width)
    row = try parameters.length("row", in: Limits.width)
    line = try parameters.length("line", in: Limits.width)
    cell = try parameters.ratio("cell", in: 0.01...100)
    caption = try parameters.length("caption", in: Limits.overscan)
    heading = try parameters.length("heading", in: Limits.overscan) ?? heading
  }

  /// The lengths and numbers that are attributes of the element too.
  var attributes: [(name: String, value: String)] {
    let lengths = [
      ("height", height), ("column", column), ("row", row), ("line", line), ("caption", caption),
      ("heading", heading == .zero ? nil : heading),
    ]
    return (columns.map { [("columns", String($0))] } ?? [])
      + (cell.map { [("cell", "\($0)")] } ?? [])
      + lengths.compactMap { name, length in length.map { (name, "\($0)") } }
  }

  func mode(in settings: StripSettings) -> LayoutMode { mode ?? settings.layout }

  /// The length of the viewport along the direction of scrolling.
  func viewport(in settings: StripSettings) -> Length {
    mode(in: settings) == .strip ? width : height ?? settings.height
  }

  func layout(
    of strip: Strip, in settings: StripSettings
  ) throws(Problem) -> SharedLayoutCache.Query {
    let mode = mode(in: settings)
    guard mode != .rows || strip.count <= Limits.rowItems else {
      throw .parameter(
        "layout", "cannot be rows: the strip has more than \(Limits.rowItems) items"
      )
    }
    guard mode == .strip || wrap != true else {
      throw .parameter("wrap", "cannot be true: a \(mode) does not wrap")
    }
    let rule: LayoutRule =
      switch mode {
      case .strip: .strip(height: height ?? settings.height, wraps: wrap ?? settings.loop)
      case .list:
        .list(
          width: width, itemHeight: line ?? settings.itemHeight,
          itemHeights: settings.itemHeights.numbered(strip.kinds),
          caption: caption ?? settings.caption,
          ignoresAspects: line != nil)
      case .grid:
        .grid(
          width: width,
          columns: columns.map { .count($0) } ?? .atLeast(column ?? settings.itemWidth),
          cell: cell.flatMap { Aspect(ratio: $0) } ?? settings.cellAspect,
          caption: caption ?? settings.caption)
      case .rows:
        .rows(width: width, row: row ?? settings.height, cell: settings.cellAspect)
      }
    return SharedLayoutCache.Query(rule, settings, heading: heading)
  }

  /// The problem if this query has no layout.
  func problem(in settings: StripSettings) -> Problem {
    guard mode(in: settings) == .grid else {
      return .parameter("width", "makes an item higher than 2^20 px")
    }
    let gap = settings.gap.units
    let least = (column ?? settings.itemWidth).units + gap
    let count = columns.map(Int64.init) ?? max(1, (width.units + gap) / max(1, least))
    if (width.units + gap) / count <= gap {
      return .parameter(
        columns == nil ? "column" : "columns",
        "leaves no width for a column: the width is \(width) px")
    }
    return .parameter("width", "makes a cell higher than 2^20 px")
  }
}
