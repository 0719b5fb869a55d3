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
