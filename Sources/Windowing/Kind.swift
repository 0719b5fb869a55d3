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
