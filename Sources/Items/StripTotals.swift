package import Windowing

/// The sums over a strip's items that its row keeps, so that a list of strips reads no layout.
///
/// Items with neither aspect nor width are counted by themselves: their width is a setting.
package struct StripTotals: Equatable, Sendable {
  package var count = 0
  /// The sum of the aspects, in 1/65536.
  package var aspects = 0
  /// The sum of the widths, in 1/64 px.
  package var widths = 0
  /// How many items have neither.
  package var bare = 0

  package init(count: Int = 0, aspects: Int = 0, widths: Int = 0, bare: Int = 0) {
    self.count = count
    self.aspects = aspects
    self.widths = widths
    self.bare = bare
  }

  /// What the sums are with these items as well.
  package static func += (left: inout StripTotals, right: StripTotals) {
    left.count += right.count
    left.aspects += right.aspects
    left.widths += right.widths
    left.bare += right.bare
  }

  package mutating func add(_ item: StoredSize) { add(item, times: 1) }

  package mutating func subtract(_ item: StoredSize) { add(item, times: -1) }

  private mutating func add(_ item: StoredSize, times: Int) {
    count += times
    aspects += times * max(0, item.aspectPart - 1)
    widths += times * max(0, item.widthPart - 1)
    if item.isBare { bare += times }
  }

  /// The sums of a strip whose items without a size are `itemWidth` wide.
  package func totals(itemWidth: Length) -> Totals {
    Totals(
      count: count, aspectUnits: aspects, widthUnits: widths + bare * Int(itemWidth.units))
  }
}

extension StoredSize {
  /// The aspect and 1, the width and 1; 0 where absent.
  fileprivate var aspectPart: Int { Int(bits & 0x7FF_FFFF) }
  fileprivate var widthPart: Int { Int(bits >> 27 & 0xFF_FFFF) }
  fileprivate var isBare: Bool { bits << 13 == 0 }
}
