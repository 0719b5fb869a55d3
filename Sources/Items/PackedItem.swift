package import Windowing

/// The size and kind of an item in eight bytes, as stores keep them.
///
///      63       57 56   51 50                 27 26                    0
///     ┌───────────┬───────┬─────────────────────┬───────────────────────┐
///     │     0     │ kind  │ width + 1, 1/64 px  │ aspect + 1, 1/65536   │
///     └───────────┴───────┴─────────────────────┴───────────────────────┘
///
/// Where aspect or width is absent, its part is 0.
package struct PackedItem: Hashable, Sendable {
  package let bits: UInt64

  @inlinable
  package init(bits: UInt64) { self.bits = bits }

  package init(aspect: Aspect?, width: Length?, kind: Int) {
    bits =
      UInt64(kind) << 51 | (width.map { UInt64($0.units) + 1 } ?? 0) << 27
      | (aspect.map { UInt64($0.units) + 1 } ?? 0)
  }

  /// The kind's number.
  package var kind: Int { Int(bits >> 51) }

  /// What the item is in a strip; nil when these bits are none of ours.
  @inlinable
  package func item(itemWidth: Length, kinds: Int) -> StripItem? {
    let aspect = UInt32(truncatingIfNeeded: bits & 0x7FF_FFFF)
    let width = Int64(bits >> 27 & 0xFF_FFFF)
    let kind = Int(bits >> 51)
    guard aspect <= Aspect.widest.units + 1, width <= ItemSize.widest.units + 1, kind < kinds
    else { return nil }
    let isBare = aspect == 0 && width == 0
    return StripItem(
      size: ItemSize(
        aspect: Aspect(units: aspect == 0 ? 0 : aspect - 1),
        width: isBare ? itemWidth : Length(units: max(width - 1, 0))),
      kind: Kind(number: kind))
  }
}
