/// A ``StripItem`` in eight bytes.
///
///      63    56 55                32 31                              0
///     ┌────────┬────────────────────┬─────────────────────────────────┐
///     │  kind  │ width, 1/64 px     │ aspect, 1/65536                 │
///     └────────┴────────────────────┴─────────────────────────────────┘
///
/// A width of 100,000 px takes 23 bits and an aspect of 1000 takes 26, so sizes fit with room.
package struct PackedItem: Hashable, Sendable {
  let bits: UInt64

  /// The bits of the width and the aspect.
  static var size: UInt64 { 1 << 56 - 1 }

  package init(bits: UInt64) { self.bits = bits }

  init(_ item: StripItem) {
    bits =
      UInt64(item.kind.number) << 56 | UInt64(item.size.width.units) << 32
      | UInt64(item.size.aspect.units)
  }

  /// The aspect in 1/65536.
  var aspect: Int { Int(UInt32(truncatingIfNeeded: bits)) }

  /// The fixed width in 1/64 px.
  var width: Int { Int(bits >> 32 & 0xFF_FFFF) }

  /// The kind's number.
  var kind: Int { Int(bits >> 56) }

  var isHidden: Bool { bits << 8 == 0 }

  /// 1 where the item counts among its kind, 0 where it is hidden.
  var visible: Int { bits << 8 == 0 ? 0 : 1 }

  package var item: StripItem {
    StripItem(
      size: ItemSize(
        aspect: Aspect(units: UInt32(truncatingIfNeeded: bits)), width: Length(width)),
      kind: Kind(number: kind))
  }
}
