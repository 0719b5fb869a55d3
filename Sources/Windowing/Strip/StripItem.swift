/// How wide an item is: a share that grows with the strip's height, and a part that does not.
///
///     ItemSize(aspect: Aspect(units: 65_536), width: .px(16))  // a square with a border of 16 px
///
/// At height h its size is aspect x h + width. An item with neither is hidden.
public struct ItemSize: Hashable, Sendable {
  /// The share of the height, 0 ... 1000.
  public let aspect: Aspect

  /// The fixed part, 0 ... 100,000 px.
  public let width: Length

  /// The widest fixed part: 100,000 px.
  public static let widest = Length(units: 6_400_000)

  /// The size of an item that is not shown: it has an index, but no rank, no slot, no window.
  public static let hidden = ItemSize(aspect: .zero, width: .zero)

  /// Makes a size of `aspect` times the height, plus `width`.
  ///
  /// - Precondition: `aspect` is at most 1000, `width` in 0 ... 100,000 px.
  public init(aspect: Aspect = .zero, width: Length = .zero) {
    precondition(aspect <= .widest, "An item's aspect is at most 1000.")
    precondition(width >= .zero && width <= ItemSize.widest, "An item's width is 0 to 100000 px.")
    self.aspect = aspect
    self.width = width
  }

  /// Whether both parts are 0.
  public var isHidden: Bool { aspect == .zero && width == .zero }
}

/// What the engine knows of an item: its size and its kind.
public struct StripItem: Hashable, Sendable {
  public var size: ItemSize
  public var kind: Kind

  public init(size: ItemSize, kind: Kind) {
    self.size = size
    self.kind = kind
  }
}

/// A width for each unit of height, in whole 65,536ths.
///
/// An item of aspect 1.5 is drawn 1.5 times as wide as the strip is high.
public struct Aspect: Hashable, Comparable, Sendable {
  /// The ratio in 1/65536.
  public var units: UInt32

  public static let zero = Aspect(units: 0)

  /// The widest aspect an item can have: 1000.
  public static let widest = Aspect(units: 65_536_000)

  /// Makes an aspect of `units` 65,536ths.
  public init(units: UInt32) { self.units = units }

  /// Makes the aspect nearest to `ratio`, halves upward: floor(ratio x 65536 + 0.5) in double
  /// arithmetic.
  ///
  /// - Returns: nil unless `ratio` is a number from 0 to 1000.
  public init?(ratio: Double) {
    guard ratio >= 0, ratio <= 1000 else { return nil }
    self.units = UInt32((ratio * 65_536 + 0.5).rounded(.down))
  }

  /// The ratio as a number; exact.
  public var ratio: Double { Double(units) / 65_536 }

  public static func < (a: Aspect, b: Aspect) -> Bool { a.units < b.units }
}

/// Which card an item is drawn with: a number in its strip's table of kind names.
///
/// A kind is what list controls call a reuse identifier. A strip has at most 64.
public struct Kind: Hashable, Comparable, Sendable {
  /// The kind's place in ``Strip/kinds``, 0 ... 63.
  public let number: UInt8

  /// How many kinds a strip can have.
  public static let most = 64

  /// Makes the kind that stands at `number` in a strip's table of kinds.
  ///
  /// - Precondition: `number` is in 0 ..< 64.
  public init(number: Int) {
    precondition((0..<Kind.most).contains(number), "A strip has at most 64 kinds.")
    self.number = UInt8(number)
  }

  /// The number as an index.
  var index: Int { Int(number) }

  public static func < (a: Kind, b: Kind) -> Bool { a.number < b.number }
}
