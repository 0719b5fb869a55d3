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

  package init(bits: UInt64) { self.bits = bits }

  package init(aspect: Aspect?, width: Length?, kind: Int) {
    bits =
      UInt64(kind) << 51 | (width.map { UInt64($0.units) + 1 } ?? 0) << 27
      | (aspect.map { UInt64($0.units) + 1 } ?? 0)
  }

  /// The kind's number.
  package var kind: Int { Int(bits >> 51) }

  /// Whether these bits are an item's in a strip of so many kinds.
  func isSound(kinds: Int) -> Bool {
    bits & 0x7FF_FFFF <= Self.mostAspect && bits >> 27 & 0xFF_FFFF <= Self.mostWidth
      && bits >> 51 < UInt64(kinds)
  }

  /// The largest values of the two parts: 1000 in 1/65536, 100,000 px in 1/64 px, and 1.
  private static var mostAspect: UInt64 { 65_536_001 }
  private static var mostWidth: UInt64 { 6_400_001 }

  /// The same item as `Strip.init(kinds:packed:)` takes it.
  func bitsOfStrip(itemWidth: Length) -> UInt64 {
    let aspect = bits & 0x7FF_FFFF
    let width = bits >> 27 & 0xFF_FFFF
    let isBare = bits << 13 == 0
    return (bits >> 51) << 56
      | (isBare ? UInt64(itemWidth.units) : width - (width > 0 ? 1 : 0)) << 32
      | (aspect - (aspect > 0 ? 1 : 0))
  }

  /// What the item is in a strip; nil when these bits are none of ours.
  package func item(itemWidth: Length, kinds: Int) -> StripItem? {
    guard isSound(kinds: kinds) else { return nil }
    let bits = bitsOfStrip(itemWidth: itemWidth)
    return StripItem(
      size: ItemSize(
        aspect: Aspect(units: UInt32(truncatingIfNeeded: bits)),
        width: Length(units: Int64(bits >> 32 & 0xFF_FFFF))),
      kind: Kind(number: Int(bits >> 56)))
  }
}
