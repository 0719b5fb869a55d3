/// A distance along a strip, in whole 1/64 CSS px.
///
/// Browsers lay out in 1/64 px. Sums of lengths are therefore exact, and equal to the browser's.
///
///     Length(px: 180) + Length(units: 1)  // 180.015625
///
/// - Complexity: Every operation is O(1).
public struct Length: Hashable, Comparable, Sendable, AdditiveArithmetic {
  /// The length in 1/64 px.
  public var units: Int64

  /// The number of units in one px.
  public static let unitsPerPixel: Int64 = 64

  /// The limit of positions, in both directions: 2^47 px.
  public static let farthest = Length(units: 1 << 53)

  public static let zero = Length(units: 0)

  /// The shortest length above zero: 1/64 px.
  public static let unit = Length(units: 1)

  /// Makes a length from a number of 1/64 px.
  public init(units: Int64) { self.units = units }

  /// Makes a length from whole px.
  ///
  /// - Precondition: `px` is in -2^47 ... 2^47.
  public init(px: Int) {
    precondition(px.magnitude <= 1 << 47, "A length is at most 2^47 px either way.")
    self.units = Int64(px) &* Length.unitsPerPixel
  }

  /// Rounds `px` to the nearest unit, halves upward: floor(px x 64 + 0.5) in double arithmetic.
  ///
  /// - Returns: nil if `px` is not finite or is outside -2^47 ... 2^47.
  public init?(px: Double) {
    let nearest = (px * 64 + 0.5).rounded(.down)
    guard nearest.magnitude <= Double(1 << 53 as Int64) else { return nil }
    self.units = Int64(nearest)
  }

  /// The length in px; exact up to 2^47 px.
  public var px: Double { Double(units) / 64 }

  public static func px(_ px: Int) -> Length { Length(px: px) }

  public static func < (a: Length, b: Length) -> Bool { a.units < b.units }
  public static func + (a: Length, b: Length) -> Length { Length(units: a.units + b.units) }
  public static func - (a: Length, b: Length) -> Length { Length(units: a.units - b.units) }
  public static prefix func - (a: Length) -> Length { Length(units: -a.units) }
}

extension Length {
  /// Makes a length from a position. Inside the engine, positions are `Int`s in 1/64 px.
  init(_ units: Int) { self.units = Int64(units) }

  /// The length as a position: an `Int` in 1/64 px.
  var position: Int { Int(units) }
}

extension Length: CustomStringConvertible {
  /// The length in px as an exact decimal, without exponent or trailing zeros.
  ///
  ///     Length(units: -224).description  // "-3.5"
  public var description: String {
    let magnitude = units.magnitude
    let whole = String(magnitude / 64)
    // 1/64 is 0.015625, so six digits are exact for every fraction.
    let millionths = magnitude % 64 * 15_625
    let sign = units < 0 ? "-" : ""
    guard millionths > 0 else { return sign + whole }
    let digits = String(millionths)
    var fraction = String(repeating: "0", count: 6 - digits.utf8.count) + digits
    while fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
    return sign + whole + "." + fraction
  }
}
