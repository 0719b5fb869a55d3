/// A place in the page that is used again for item after item.
public struct Slot: Hashable, Sendable {
  public let kind: Kind

  /// The number among the slots of its kind, from 0.
  public let number: Int

  public init(kind: Kind, number: Int) {
    self.kind = kind
    self.number = number
  }
}

/// An item of a window: which it is, where it is drawn, and in what.
public struct WindowItem: Hashable, Sendable {
  /// Its index; wrapping, that of its turn.
  public let index: Int
  public let slot: Slot
  public let start: Length

  /// Its size: 0 for an item too small to be drawn that lies between others.
  public let size: Length

  public var kind: Kind { slot.kind }
  public var end: Length { start + size }
}

/// The items that meet a stretch of a strip.
public struct Window: Hashable, Sendable {
  /// The whole window, half open, hidden items counted.
  public let range: Range<Int>

  /// Its items in order; hidden ones are not among them.
  public let items: [WindowItem]
}
