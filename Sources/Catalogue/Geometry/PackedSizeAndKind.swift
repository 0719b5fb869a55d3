package import Windowing

/// The size and kind of an item in eight bytes, as a store has it.
///
///      63       57 56   51 50                 27 26                    0
///     ┌───────────┬───────┬─────────────────────┬───────────────────────┐
///     │     0     │ kind  │ width + 1, 1/64 px  │ aspect + 1, 1/65536   │
///     └───────────┴───────┴─────────────────────┴───────────────────────┘
///
/// A part is 0 if the item has no aspect or no width.
package struct PackedSizeAndKind: Hashable, Sendable {
  package let bits: UInt64

  package init(bits: UInt64) { self.bits = bits }

  /// The element at `index` of an array, little-endian.
  @inline(__always)
  init(at index: Int, of bytes: UnsafeRawBufferPointer) {
    bits = UInt64(
      littleEndian: bytes.loadUnaligned(fromByteOffset: 8 &* index, as: UInt64.self))
  }

  package init(aspect: Aspect?, width: Length?, kind: Int) {
    bits =
      UInt64(kind) << 51 | (width.map { UInt64($0.units) + 1 } ?? 0) << 27
      | (aspect.map { UInt64($0.units) + 1 } ?? 0)
  }

  package var kind: Int { Int(bits >> 51) }

  package var aspect: Aspect? {
    aspectPart > 0 ? Aspect(units: UInt32(aspectPart - 1)) : nil
  }

  package var width: Length? { widthPart > 0 ? Length(units: Int64(widthPart) - 1) : nil }

  @inline(__always) var aspectPart: UInt64 { bits & 0x7FF_FFFF }
  @inline(__always) var widthPart: UInt64 { bits >> 27 & 0xFF_FFFF }

  /// Checks whether all parts of many items are in range, without a branch for each item.
  struct Check {
    private let lastKind: UInt64
    /// The sign bit is set if a part of an item exceeds its largest value.
    private var differences: UInt64 = 0

    init(kinds: Int) { lastKind = UInt64(kinds) &- 1 }

    @inline(__always)
    mutating func add(_ item: PackedSizeAndKind) {
      // The largest parts are 1000 in 1/65536, and 100,000 px in 1/64 px, each plus 1.
      differences |=
        (65_536_001 &- item.aspectPart) | (6_400_001 &- item.widthPart)
        | (lastKind &- item.bits >> 51)
    }

    var isValid: Bool { differences >> 63 == 0 }
  }

  /// The bits of the item's `PackedItem`. Has no branch, so that loops over it are vectorized.
  @inline(__always)
  func packed(itemWidth: UInt64) -> UInt64 {
    let (aspect, width) = (aspectPart, widthPart)
    // 1 if the item has an aspect: the sum then carries into the bit above the part.
    let hasAspect = (aspect &+ 0x7FF_FFFF) >> 27
    let hasWidth = (width &+ 0xFF_FFFF) >> 24
    // All ones if the item has neither.
    let unsizedMask = (hasAspect | hasWidth) &- 1
    return (bits >> 51) << 56
      | ((width &- hasWidth) | (unsizedMask & itemWidth)) << 32
      | (aspect &- hasAspect)
  }

  /// The item as a strip has it; nil if a part is out of range.
  package func item(itemWidth: Length, kinds: Int) -> StripItem? {
    var check = Check(kinds: kinds)
    check.add(self)
    guard check.isValid else { return nil }
    return PackedItem(bits: packed(itemWidth: UInt64(itemWidth.units))).item
  }
}
