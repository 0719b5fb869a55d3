package typealias Leaf = ContiguousArray<PackedItem>

/// A ``StripItem`` in eight bytes.
///
///      63    56 55                32 31                              0
///     ┌────────┬────────────────────┬─────────────────────────────────┐
///     │  kind  │ width, 1/64 px     │ aspect, 1/65536                 │
///     └────────┴────────────────────┴─────────────────────────────────┘
///
/// A width of 100,000 px needs 23 bits, and an aspect of 1000 needs 26.
package struct PackedItem: Hashable, Sendable {
  package let bits: UInt64

  /// The mask of the width and the aspect.
  static var size: UInt64 { 1 << 56 - 1 }

  package init(bits: UInt64) { self.bits = bits }

  package init(_ item: StripItem) {
    bits =
      UInt64(item.kind.number) << 56 | UInt64(item.size.width.units) << 32
      | UInt64(item.size.aspect.units)
  }

  /// The aspect in 1/65536.
  var aspect: Int { Int(UInt32(truncatingIfNeeded: bits)) }

  /// The fixed width in 1/64 px.
  var width: Int { Int(bits >> 32 & 0xFF_FFFF) }

  var kind: Int { Int(bits >> 56) }

  var isHidden: Bool { bits << 8 == 0 }

  /// 0 for a hidden item, else 1.
  var visible: Int { bits << 8 == 0 ? 0 : 1 }

  package var item: StripItem {
    StripItem(
      size: ItemSize(
        aspect: Aspect(units: UInt32(truncatingIfNeeded: bits)), width: Length(width)),
      kind: Kind(number: kind))
  }
}

extension Leaf {
  var totals: Totals {
    var sum = Totals.zero
    for item in self { sum.add(item) }
    return sum
  }

  var kindCount: Int {
    let sum = LeafSum(span)
    if let kind = sum.kind { return sum.visible > 0 ? kind + 1 : 0 }
    var most = 0
    for item in self where !item.isHidden { most = Swift.max(most, item.kind + 1) }
    return most
  }

  func count(ofKind kind: Int) -> Int {
    var count = 0
    for item in self where item.kind == kind { count &+= item.visible }
    return count
  }
}

/// The sums of a run of items. The loop has no branches, so that the compiler vectorizes it.
package struct LeafSum {
  let aspectUnits: Int
  let widthUnits: Int
  /// The number of items that are not hidden.
  let visible: Int
  /// The kind of all items; nil if they have several.
  let kind: Int?
  /// Whether no kind is above 7.
  let hasFewKinds: Bool

  init(_ items: Span<PackedItem>) {
    var (aspects, widths, visible) = (UInt64(0), UInt64(0), UInt64(0))
    var (some, all) = (UInt64(0), UInt64.max)
    for index in 0..<items.count {
      let item = items[index]
      aspects &+= item.bits & 0xFFFF_FFFF
      widths &+= item.bits >> 32 & 0xFF_FFFF
      // The sum sets bit 56 unless the size is 0.
      visible &+= ((item.bits & PackedItem.size) &+ PackedItem.size) >> 56
      some |= item.bits
      all &= item.bits
    }
    aspectUnits = Int(aspects)
    widthUnits = Int(widths)
    self.visible = Int(visible)
    kind = some >> 56 == all >> 56 ? Int(some >> 56) : nil
    hasFewKinds = some >> 56 < 8
  }
}

extension Span<PackedItem> {
  /// The numbers of visible items of the kinds 0 to 7, one byte for each, the lowest byte first.
  ///
  /// - Precondition: There are at most 255 items, so that no byte overflows, and no kind is above 7.
  var kindBytes: UInt64 {
    var bytes: UInt64 = 0
    for index in 0..<count {
      let item = self[index]
      bytes &+=
        UInt64(truncatingIfNeeded: item.visible) &<< UInt64(truncatingIfNeeded: item.kind &* 8)
    }
    return bytes
  }
}
