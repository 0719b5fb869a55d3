package import Windowing

/// The size and kind of an item in eight bytes, as stores keep them.
///
///      63       57 56   51 50                 27 26                    0
///     ┌───────────┬───────┬─────────────────────┬───────────────────────┐
///     │     0     │ kind  │ width + 1, 1/64 px  │ aspect + 1, 1/65536   │
///     └───────────┴───────┴─────────────────────┴───────────────────────┘
///
/// Where aspect or width is absent, its part is 0.
package struct StoredSize: Hashable, Sendable {
  package let bits: UInt64

  package init(bits: UInt64) { self.bits = bits }

  /// The item at `place` of many that lie one after the other, little-endian.
  @inline(__always)
  init(at place: Int, of bytes: UnsafeRawBufferPointer) {
    bits = UInt64(
      littleEndian: bytes.loadUnaligned(fromByteOffset: 8 &* place, as: UInt64.self))
  }

  package init(aspect: Aspect?, width: Length?, kind: Int) {
    bits =
      UInt64(kind) << 51 | (width.map { UInt64($0.units) + 1 } ?? 0) << 27
      | (aspect.map { UInt64($0.units) + 1 } ?? 0)
  }

  /// The kind's number.
  package var kind: Int { Int(bits >> 51) }

  /// The largest values of the two parts: 1000 in 1/65536, 100,000 px in 1/64 px, and 1.
  private static var mostAspect: UInt64 { 65_536_001 }
  private static var mostWidth: UInt64 { 6_400_001 }

  /// Whether many items are sound, found without a branch for each.
  struct Check {
    private let lastKind: UInt64
    /// The sign is set where a part of some item was beyond its largest value.
    private var differences: UInt64 = 0

    init(kinds: Int) { lastKind = UInt64(kinds) &- 1 }

    @inline(__always)
    mutating func add(_ item: StoredSize) {
      differences |=
        (mostAspect &- item.bits & 0x7FF_FFFF) | (mostWidth &- item.bits >> 27 & 0xFF_FFFF)
        | (lastKind &- item.bits >> 51)
    }

    var isSound: Bool { differences >> 63 == 0 }
  }

  /// The same item as a strip keeps it: the bits of a `PackedItem`. Without a branch, so that the
  /// processor makes several at once.
  @inline(__always)
  func packed(itemWidth: UInt64) -> UInt64 {
    let aspect = bits & 0x7FF_FFFF
    let width = bits >> 27 & 0xFF_FFFF
    // 1 where there is one: the sum then reaches the bit above all of the part's own.
    let hasAspect = (aspect &+ 0x7FF_FFFF) >> 27
    let hasWidth = (width &+ 0xFF_FFFF) >> 24
    // All ones where there is neither.
    let isBare = (hasAspect | hasWidth) &- 1
    return (bits >> 51) << 56
      | ((width &- hasWidth) | (isBare & itemWidth)) << 32
      | (aspect &- hasAspect)
  }

  /// What the item is in a strip; nil when these bits are none of ours.
  package func item(itemWidth: Length, kinds: Int) -> StripItem? {
    var check = Check(kinds: kinds)
    check.add(self)
    guard check.isSound else { return nil }
    return PackedItem(bits: packed(itemWidth: UInt64(itemWidth.units))).item
  }
}
