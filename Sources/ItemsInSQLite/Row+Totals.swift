import Catalogue
import GRDB

extension Row {
  /// The sums in the columns of `strip`.
  func totals() throws -> StripTotals {
    try StripTotals(
      count: required("count"), aspects: required("aspects"),
      widths: required("widths"), bare: required("bare"), kinds: required("kind_counts"))
  }
}
