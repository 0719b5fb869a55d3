package import Windowing

/// The sums over a strip's items that its row keeps, so that a list of strips reads no layout.
///
/// Items with neither aspect nor width are counted by themselves: their width is a setting.
package struct StripTotals: Equatable, Sendable {
  package var count = 0
  /// The sum of the aspects, in 1/65536.
  package var aspects = 0
  /// The sum of the widths, in 1/64 px.
  package var widths = 0
  /// How many items have neither.
  package var bare = 0
  /// How many items are of each kind, by its number.
  package private(set) var kinds = [Int](repeating: 0, count: KindName.maximumCount)

  package init() {}

  /// - Parameter kinds: as `kindText` gives them.
  /// - Throws: `.corrupt` where that is not how many items are of which kinds.
  package init(
    count: Int, aspects: Int, widths: Int, bare: Int, kinds text: String
  ) throws(CatalogueError) {
    self.count = count
    self.aspects = aspects
    self.widths = widths
    self.bare = bare
    for pair in text.split(separator: ",") {
      let numbers = pair.split(separator: ":").map { Int($0) }
      guard numbers.count == 2, let kind = numbers[0], kinds.indices ~= kind, let count = numbers[1]
      else { throw .corrupt("\(text.quoted) does not say how many items are of which kind") }
      kinds[kind] = count
    }
  }

  /// The kinds that items have, each with how many: `0:25,3:1`.
  package var kindText: String {
    kinds.indices.filter { kinds[$0] != 0 }.map { "\($0):\(kinds[$0])" }.joined(separator: ",")
  }

  /// The names of the kinds that items have.
  ///
  /// - Parameter names: those of all, by their numbers.
  package func kinds(of names: [String]) -> [String] {
    names.indices.filter { kinds[$0] > 0 }.map { names[$0] }
  }

  /// What the sums are with these items as well.
  package static func += (left: inout StripTotals, right: StripTotals) {
    left.count += right.count
    left.aspects += right.aspects
    left.widths += right.widths
    left.bare += right.bare
    for kind in left.kinds.indices { left.kinds[kind] += right.kinds[kind] }
  }

  package mutating func add(_ item: StoredSize) { add(item, times: 1) }

  package mutating func subtract(_ item: StoredSize) { add(item, times: -1) }

  private mutating func add(_ item: StoredSize, times: Int) {
    count += times
    aspects += times * max(0, item.aspectPart - 1)
    widths += times * max(0, item.widthPart - 1)
    if item.isBare { bare += times }
    // Whoever looks through a damaged row counts what no item of ours could be.
    if kinds.indices ~= item.kind { kinds[item.kind] += times }
  }

  /// The sums of a strip whose items without a size are `itemWidth` wide.
  package func totals(itemWidth: Length) -> Totals {
    Totals(
      count: count, aspectUnits: aspects, widthUnits: widths + bare * Int(itemWidth.units))
  }
}

extension StoredSize {
  /// The aspect and 1, the width and 1; 0 where absent.
  fileprivate var aspectPart: Int { Int(bits & 0x7FF_FFFF) }
  fileprivate var widthPart: Int { Int(bits >> 27 & 0xFF_FFFF) }
  fileprivate var isBare: Bool { bits << 13 == 0 }
}
