/// A distance along a strip, in whole sixty-fourths of a CSS px.
///
/// Browsers lay out in 1/64 px, so a sum of lengths here is the sum there, with nothing lost on
/// the way: no position is ever a floating-point sum.
///
///     Length(px: 180) + Length(units: 1)  // 180.015625
///
/// - Complexity: every operation is O(1).
public struct Length: Hashable, Comparable, Sendable, AdditiveArithmetic {
  /// The length in 1/64 px.
  public var units: Int64

  /// How many units one px has.
  public static let unitsPerPixel: Int64 = 64

  /// The farthest that any position may lie from 0, either way: 2^47 px.
  public static let farthest = Length(units: 1 << 53)

  public static let zero = Length(units: 0)

  /// The least length that is more than none: 1/64 px.
  public static let unit = Length(units: 1)

  /// Makes a length of `units` sixty-fourths of a px.
  public init(units: Int64) { self.units = units }

  /// Makes a length of whole px.
  ///
  /// - Precondition: `px` is at most 2^47 either way.
  public init(px: Int) {
    precondition(px.magnitude <= 1 << 47, "A length is at most 2^47 px either way.")
    self.units = Int64(px) &* Length.unitsPerPixel
  }

  /// Makes the length nearest to `px`, halves upward: floor(px x 64 + 0.5) in double arithmetic.
  ///
  /// - Returns: nil when `px` is not finite or lies beyond 2^47 either way.
  public init?(px: Double) {
    let nearest = (px * 64 + 0.5).rounded(.down)
    guard nearest.magnitude <= Double(1 << 53 as Int64) else { return nil }
    self.units = Int64(nearest)
  }

  /// The length in px; exact up to 2^47 px.
  public var px: Double { Double(units) / 64 }

  /// A length of whole px; see ``init(px:)-(Int)``.
  public static func px(_ px: Int) -> Length { Length(px: px) }

  public static func < (a: Length, b: Length) -> Bool { a.units < b.units }
  public static func + (a: Length, b: Length) -> Length { Length(units: a.units + b.units) }
  public static func - (a: Length, b: Length) -> Length { Length(units: a.units - b.units) }
  public static prefix func - (a: Length) -> Length { Length(units: -a.units) }
}

extension Length {
  /// A length from a position inside the engine, where positions are plain `Int`s.
  init(_ units: Int) { self.units = Int64(units) }

  /// The units as the `Int` that the engine computes in.
  var position: Int { Int(units) }
}

extension Length: CustomStringConvertible {
  /// The length in px as an exact decimal, without exponent or trailing zeros.
  ///
  ///     Length(units: -224).description  // "-3.5"
  public var description: String {
    let magnitude = units.magnitude
    let whole = String(magnitude / 64)
    // A sixty-fourth is 0.015625: six digits say any fraction exactly.
    let millionths = magnitude % 64 * 15_625
    let sign = units < 0 ? "-" : ""
    guard millionths > 0 else { return sign + whole }
    let digits = String(millionths)
    var fraction = String(repeating: "0", count: 6 - digits.utf8.count) + digits
    while fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
    return sign + whole + "." + fraction
  }
}
