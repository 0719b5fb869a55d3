import GRDB
import Items
import Windowing

/// The sums over a strip's items that its row keeps, so that a list of strips reads no layout.
///
/// Items with neither aspect nor width are counted by themselves: their width is a setting.
struct StripTotals: Equatable {
  var count = 0
  /// The sum of the aspects, in 1/65536.
  var aspects = 0
  /// The sum of the widths, in 1/64 px.
  var widths = 0
  /// How many items have neither.
  var bare = 0

  /// What the sums are with these items as well.
  static func += (left: inout StripTotals, right: StripTotals) {
    left.count += right.count
    left.aspects += right.aspects
    left.widths += right.widths
    left.bare += right.bare
  }

  mutating func add(_ item: PackedItem) { add(item, times: 1) }

  mutating func subtract(_ item: PackedItem) { add(item, times: -1) }

  private mutating func add(_ item: PackedItem, times: Int) {
    count += times
    aspects += times * max(0, item.aspectPart - 1)
    widths += times * max(0, item.widthPart - 1)
    if item.isBare { bare += times }
  }

  /// The sums of a strip whose items without a size are `itemWidth` wide.
  func totals(itemWidth: Length) -> Totals {
    Totals(
      count: count, aspectUnits: aspects, widthUnits: widths + bare * Int(itemWidth.units))
  }
}

extension Row {
  /// The sums in the columns of `strip`.
  func totals() throws -> StripTotals {
    StripTotals(
      count: try required("count"), aspects: try required("aspects"),
      widths: try required("widths"), bare: try required("bare"))
  }
}

extension PackedItem {
  /// The aspect and 1, the width and 1; 0 where absent.
  fileprivate var aspectPart: Int { Int(bits & 0x7FF_FFFF) }
  fileprivate var widthPart: Int { Int(bits >> 27 & 0xFF_FFFF) }
  fileprivate var isBare: Bool { bits << 13 == 0 }
}
