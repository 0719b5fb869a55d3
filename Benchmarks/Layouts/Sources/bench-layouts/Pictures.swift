import CRows
import Windowing

/// Pictures of aspects from 0.5 to 2, and what lays them out.
struct Pictures {
  private static let (gap, row) = (Length.px(8), Length.px(220))
  private static let cell = Aspect(units: 65_536)
  /// The height of a viewport of rows, and the width of one of a strip.
  static let viewport = (rows: Length.px(900), strip: Length.px(1_440))

  private let aspects: [UInt32]
  var strip: Strip

  init(_ count: Int, kinds: Int = 1) {
    var random = SeededRandom()
    let aspects = (0..<count).map { _ in UInt32(32_768 + random.next() % 98_304) }
    strip = Strip(kinds: ["photo", "film", "note", "map"], count: count) { index in
      StripItem(
        size: ItemSize(aspect: Aspect(units: aspects[index])), kind: Kind(number: index % kinds))
    }
    self.aspects = aspects
  }

  static func rows(_ width: Length) -> LayoutRule { .rows(width: width, row: row, cell: cell) }

  static func list(_ width: Length) -> LayoutRule {
    .list(width: width, itemHeight: .px(64), caption: .px(40))
  }

  static func grid(_ width: Length) -> LayoutRule {
    .grid(width: width, columns: .atLeast(.px(160)), cell: cell, caption: .px(40))
  }

  /// The strip as one line.
  var line: StripLayout { StripLayout(strip, height: Self.row, gap: Self.gap) }

  func layout(_ rule: LayoutRule, _ cache: inout LayoutCache) -> Layout {
    guard let found = cache.layout(of: strip, rule, gap: Self.gap) else {
      fatalError("These lengths are possible.")
    }
    return found
  }

  /// The time of the C loop that breaks rows and does nothing else.
  func loopSeconds(_ width: Length) -> Double {
    var counts = [UInt16](repeating: 0, count: aspects.count)
    var heights = [UInt32](repeating: 0, count: aspects.count)
    return seconds {
      let rows = break_rows(
        aspects, aspects.count, width.units, Self.row.units, Self.gap.units, &counts, &heights)
      use(rows)
    }
  }
}

/// The time of a window, and the number of its items.
struct WindowTime {
  var seconds: Double
  var items: Double

  var perItem: Double { seconds / items }

  var text: String {
    "\(Figure.decimal(seconds * 1e6)) us for \(Figure.decimal(items)) items"
  }
}

extension WindowTime {
  /// At uniformly distributed offsets of a line.
  init(_ layout: StripLayout) {
    let pools = layout.pools(poolLength: Pictures.viewport.strip)
    self.init(layout.extent, Pictures.viewport.strip) { span in
      try? layout.window(meeting: span, pools: pools)
    }
  }

  init(_ layout: Layout, _ pools: Pools) {
    self.init(layout.extent, Pictures.viewport.rows) { span in
      try? layout.window(meeting: span, pools: pools)
    }
  }

  init(_ extent: Length, _ viewport: Length, _ window: (Range<Length>) -> Window?) {
    var random = SeededRandom(state: 7)
    let offsets = (0..<20_000).map { _ in
      Length(units: Int64.random(in: 0..<extent.units - viewport.units, using: &random))
    }
    var items = 0
    seconds = median(batches: 20, of: 1_000) { call in
      items += window(offsets[call]..<offsets[call] + viewport)?.items.count ?? 0
    }
    self.items = Double(items) / Double(offsets.count)
  }
}
