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
