/// An item as the engine knows it: a size and a kind.
///
///     StripItem(size: ItemSize(width: .px(160)), kind: Kind(number: 0))
public struct StripItem: Hashable, Sendable {
  public var size: ItemSize
  public var kind: Kind

  public init(size: ItemSize, kind: Kind) {
    self.size = size
    self.kind = kind
  }
}

/// The width of an item: a part that grows with the height of the strip, and a fixed part.
///
///     ItemSize(aspect: Aspect(units: 65_536), width: .px(16))  // a square and a border of 16 px
///
/// At height h the size is aspect x h + width. An item is hidden if both parts are 0.
public struct ItemSize: Hashable, Sendable {
  /// 0 ... 1000.
  public let aspect: Aspect

  /// 0 ... 100,000 px.
  public let width: Length

  public static let maximumWidth = Length(units: 6_400_000)

  /// A hidden item has an index, but no rank and no slot, and is in no window.
  public static let hidden = ItemSize(aspect: .zero, width: .zero)

  /// - Precondition: `aspect` is at most 1000, and `width` is in 0 ... 100,000 px.
  public init(aspect: Aspect = .zero, width: Length = .zero) {
    precondition(aspect <= .maximum, "An item's aspect is at most 1000.")
    precondition(
      width >= .zero && width <= ItemSize.maximumWidth, "An item's width is 0 to 100000 px.")
    self.aspect = aspect
    self.width = width
  }

  public var isHidden: Bool { aspect == .zero && width == .zero }
}

/// A ratio of width to height, in whole 1/65536.
public struct Aspect: Hashable, Comparable, Sendable {
  public var units: UInt32

  public static let zero = Aspect(units: 0)

  /// The largest aspect of an item: 1000.
  public static let maximum = Aspect(units: 65_536_000)

  public init(units: UInt32) { self.units = units }

  /// Rounds to the nearest unit, halves upward: floor(ratio x 65536 + 0.5) in double arithmetic.
  /// Nil unless `ratio` is in 0 ... 1000.
  public init?(ratio: Double) {
    guard ratio >= 0, ratio <= 1000 else { return nil }
    self.units = UInt32((ratio * 65_536 + 0.5).rounded(.down))
  }

  /// Exact.
  public var ratio: Double { Double(units) / 65_536 }

  public static func < (a: Aspect, b: Aspect) -> Bool { a.units < b.units }
}

/// The template that draws an item: a number in the strip's table of kind names. Table views call it
/// a reuse identifier.
public struct Kind: Hashable, Comparable, Sendable {
  /// The index in ``Strip/kinds``.
  public let number: UInt8

  /// The largest number of kinds in a strip.
  public static let maximumCount = 64

  /// - Precondition: `number` is in 0 ..< 64.
  public init(number: Int) {
    precondition((0..<Kind.maximumCount).contains(number), "A strip has at most 64 kinds.")
    self.number = UInt8(number)
  }

  var index: Int { Int(number) }

  public static func < (a: Kind, b: Kind) -> Bool { a.number < b.number }
}

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

  static var size: UInt64 { 1 << 56 - 1 }

  package init(bits: UInt64) { self.bits = bits }

  package init(_ item: StripItem) {
    bits =
      UInt64(item.kind.number) << 56 | UInt64(item.size.width.units) << 32
      | UInt64(item.size.aspect.units)
  }

  var aspect: Int { Int(UInt32(truncatingIfNeeded: bits)) }

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
