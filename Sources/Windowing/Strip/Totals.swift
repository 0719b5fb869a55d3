/// The sums over a run of items that positions are made of.
///
/// Taken over all items before some item, totals are that item's place in the strip at every
/// height, gap and inset at once.
public struct Totals: Hashable, Sendable {
  /// How many items, hidden ones counted.
  public var count: Int

  /// The sum of their aspects in 1/65536.
  public var aspectUnits: Int

  /// The sum of their fixed widths in 1/64 px.
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

  /// The totals with one more item.
  @inline(__always)
  mutating func add(_ item: PackedItem) {
    count &+= 1
    aspectUnits &+= item.aspect
    widthUnits &+= item.width
  }

  /// The totals with eight more items.
  @inline(__always)
  mutating func add(eight items: borrowing Span<PackedItem>, from first: Int) {
    var (aspects, widths) = (0, 0)
    for place in first..<first &+ 8 {
      aspects &+= items[place].aspect
      widths &+= items[place].width
    }
    count &+= 8
    aspectUnits &+= aspects
    widthUnits &+= widths
  }

  /// Whether every position that these totals can give, at any height and gap allowed, fits in
  /// 64 bits.
  ///
  /// At most 2^40 items of a gap of 2^22 units make 2^62; aspects of 2^57 at a height of 2^20
  /// units make 2^61; widths 2^60. Together they stay below 2^63.
  var isMeasurable: Bool {
    count <= 1 << 40 && aspectUnits <= 1 << 57 && widthUnits <= 1 << 60
  }
}

/// The height and gap that turn totals into positions.
struct Scale: Hashable, Sendable {
  /// The height in 1/64 px.
  let height: UInt64

  /// The gap after each item in 1/64 px.
  let gap: Int

  init(height: Length, gap: Length) {
    self.height = UInt64(height.units)
    self.gap = gap.position
  }

  /// Where the item that comes after `before` starts, in 1/64 px, in a strip without inset:
  /// floor(height x aspects / 65536) + widths + count x gap.
  ///
  /// The product is taken to 128 bits, so one path serves every strip.
  @inline(__always)
  func position(_ before: Totals) -> Int {
    let product = height.multipliedFullWidth(by: UInt64(bitPattern: Int64(before.aspectUnits)))
    let share = product.high << 48 | product.low >> 16
    return Int(bitPattern: UInt(share)) &+ before.widthUnits &+ before.count &* gap
  }

  /// The same scale without gaps: positions that grow with what is drawn alone.
  var withoutGap: Scale { Scale(height: Length(units: Int64(height)), gap: .zero) }
}
