import GRDB
import Items

extension Row {
  /// The sums in the columns of `strip`.
  func totals() throws -> StripTotals {
    StripTotals(
      count: try required("count"), aspects: try required("aspects"),
      widths: try required("widths"), bare: try required("bare"))
  }
}
