/// A distance along a strip, in whole 1/64 CSS px.
///
/// Browsers lay out in 1/64 px. Sums of lengths are therefore exact, and equal to the browser's.
///
///     Length(px: 180) + Length(units: 1)  // 180.015625
public struct Length: Hashable, Comparable, Sendable, AdditiveArithmetic {
  public var units: Int64

  public static let unitsPerPixel: Int64 = 64

  /// The limit of positions, in both directions: 2^47 px.
  public static let maximum = Length(units: 1 << 53)

  public static let zero = Length(units: 0)

  public static let unit = Length(units: 1)

  public init(units: Int64) { self.units = units }

  /// - Precondition: `px` is in -2^47 ... 2^47.
  public init(px: Int) {
    precondition(px.magnitude <= 1 << 47, "A length is at most 2^47 px either way.")
    self.units = Int64(px) &* Length.unitsPerPixel
  }

  /// Rounds to the nearest unit, halves upward: floor(px x 64 + 0.5) in double arithmetic. Nil
  /// unless `px` is in -2^47 ... 2^47.
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
  /// Inside the engine, positions are `Int`s in 1/64 px.
  init(_ position: Int) { units = Int64(position) }

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

/// Sums over a run of items. The sums over all items before an item give its start at any height,
/// gap and inset.
public struct Totals: Hashable, Sendable {
  /// The number of items, including hidden ones.
  public var count: Int

  /// The sum of the aspects in 1/65536.
  public var aspectUnits: Int

  /// The sum of the fixed widths in 1/64 px.
  public var widthUnits: Int

  public init(count: Int, aspectUnits: Int, widthUnits: Int) {
    self.count = count
    self.aspectUnits = aspectUnits
    self.widthUnits = widthUnits
  }

  static let zero = Totals(count: 0, aspectUnits: 0, widthUnits: 0)

  static func + (a: Totals, b: Totals) -> Totals {
    Totals(
      count: a.count &+ b.count, aspectUnits: a.aspectUnits &+ b.aspectUnits,
      widthUnits: a.widthUnits &+ b.widthUnits)
  }

  static func - (a: Totals, b: Totals) -> Totals {
    Totals(
      count: a.count &- b.count, aspectUnits: a.aspectUnits &- b.aspectUnits,
      widthUnits: a.widthUnits &- b.widthUnits)
  }

  static func * (a: Totals, times: Int) -> Totals {
    Totals(
      count: a.count &* times, aspectUnits: a.aspectUnits &* times,
      widthUnits: a.widthUnits &* times)
  }

  @inline(__always)
  mutating func add(_ item: PackedItem) {
    count &+= 1
    aspectUnits &+= item.aspect
    widthUnits &+= item.width
  }

  @inline(__always)
  mutating func add(eight items: borrowing Span<PackedItem>, from first: Int) {
    var (aspects, widths) = (0, 0)
    for index in first..<first &+ 8 {
      aspects &+= items[index].aspect
      widths &+= items[index].width
    }
    count &+= 8
    aspectUnits &+= aspects
    widthUnits &+= widths
  }

  /// Whether positions fit in 64 bits: 2^40 items with gaps of 2^22 units add up to 2^62, aspects
  /// of 2^57 at a height of 2^20 units to 2^61, and widths to 2^60.
  var fitsIn64Bits: Bool {
    count <= 1 << 40 && aspectUnits <= 1 << 57 && widthUnits <= 1 << 60
  }
}

/// Converts totals into positions. Lengths are in 1/64 px.
struct Scale: Hashable, Sendable {
  let height: UInt64

  let gap: Int

  init(height: Length, gap: Length) {
    self.height = UInt64(height.units)
    self.gap = gap.position
  }

  /// The start of the item after `before`, in 1/64 px, without inset:
  /// floor(height x aspects / 65536) + widths + count x gap.
  ///
  /// The product has 128 bits, so that one formula is exact for every strip.
  @inline(__always)
  func position(_ before: Totals) -> Int {
    let product = height.multipliedFullWidth(by: UInt64(bitPattern: Int64(before.aspectUnits)))
    let share = product.high << 48 | product.low >> 16
    return Int(bitPattern: UInt(share)) &+ before.widthUnits &+ before.count &* gap
  }

  /// Its positions only grow at items that have a size.
  var withoutGap: Scale { Scale(height: Length(units: Int64(height)), gap: .zero) }
}
