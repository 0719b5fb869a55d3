/// Sums over a run of items: their count, aspects and fixed widths.
///
/// The totals of all items before item i give the start of item i at every height, gap and inset.
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

  /// Whether positions fit in 64 bits at every allowed height and gap.
  ///
  /// 2^40 items with a gap of 2^22 units add up to 2^62. Aspects of 2^57 at a height of 2^20 units
  /// add up to 2^61, and widths to 2^60. The sum is below 2^63.
  var isMeasurable: Bool {
    count <= 1 << 40 && aspectUnits <= 1 << 57 && widthUnits <= 1 << 60
  }
}

/// The height and gap that convert totals into positions.
struct Scale: Hashable, Sendable {
  /// The height in 1/64 px.
  let height: UInt64

  /// The gap after each item in 1/64 px.
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

  /// The same scale without gaps. Its positions only grow at items that have a size.
  var withoutGap: Scale { Scale(height: Length(units: Int64(height)), gap: .zero) }
}
