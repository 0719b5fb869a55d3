package import Items
package import Views
package import Windowing

/// A strip without its items, for the list at `/strips`.
package struct StripSummary: Sendable {
  package let name: String
  package let settings: StripSettings
  package let revision: Int64
  package let count: Int
  /// The strip's length in px, at its own height.
  package let extent: Length
  /// The names of the kinds that its items have, in the order of their bytes.
  package let kinds: [String]

  package init(
    name: String, settings: StripSettings, revision: Int64, totals: Totals, kinds: [String]
  ) {
    self.name = name
    self.settings = settings
    self.revision = revision
    count = totals.count
    extent = StripLayout.extent(
      of: totals, height: settings.height, gap: settings.gap, inset: settings.inset,
      wraps: settings.loop)
    self.kinds = kinds.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  package init(_ snapshot: Snapshot) {
    self.init(
      name: snapshot.name, settings: snapshot.settings, revision: snapshot.revision,
      totals: snapshot.strip.totals, kinds: snapshot.strip.kindsInUse)
  }
}

/// The sums over a strip's items. A store keeps them in the strip's row, so a list of strips reads no geometry.
package struct StripTotals: Equatable, Sendable {
  package var count = 0
  /// The sum of the aspects, in 1/65536.
  package var aspects = 0
  /// The sum of the widths, in 1/64 px.
  package var widths = 0
  /// The number of items with neither aspect nor width. Their width is a setting.
  package var unsized = 0
  /// The number of items of each kind.
  package private(set) var kinds = [Int](repeating: 0, count: KindName.maximumCount)

  package init() {}

  /// - Parameter kinds: in the form of `kindText`.
  /// - Throws: `.corrupt` if `kinds` has another form.
  package init(
    count: Int, aspects: Int, widths: Int, unsized: Int, kinds text: String
  ) throws(CatalogueError) {
    self.count = count
    self.aspects = aspects
    self.widths = widths
    self.unsized = unsized
    for pair in text.split(separator: ",") {
      let numbers = pair.split(separator: ":").map { Int($0) }
      guard numbers.count == 2, let kind = numbers[0], kinds.indices ~= kind, let count = numbers[1]
      else { throw .corrupt("the stored counts of kinds are malformed: \(text.quoted)") }
      kinds[kind] = count
    }
  }

  /// Whether `count` items can have these sums. Lengths computed from plausible sums do not overflow.
  package var isValid: Bool {
    guard 0...1 << 32 ~= count else { return false }
    return 0...count ~= unsized && 0...count * 65_536_000 ~= aspects
      && 0...count * 6_400_000 ~= widths
      && kinds.allSatisfy { 0...count ~= $0 }
  }

  /// The kinds that items have, each with its count: `0:25,3:1`.
  package var kindText: String {
    kinds.indices.filter { kinds[$0] != 0 }.map { "\($0):\(kinds[$0])" }.joined(separator: ",")
  }

  /// The names of the kinds that items have, of the names of all kinds.
  package func kinds(of names: [String]) -> [String] {
    names.indices.filter { kinds[$0] > 0 }.map { names[$0] }
  }

  package static func += (left: inout StripTotals, right: StripTotals) {
    left.count += right.count
    left.aspects += right.aspects
    left.widths += right.widths
    left.unsized += right.unsized
    for kind in left.kinds.indices { left.kinds[kind] += right.kinds[kind] }
  }

  package mutating func add(_ item: PackedSizeAndKind, times: Int = 1) {
    count += times
    aspects += times * max(0, Int(item.aspectPart) - 1)
    widths += times * max(0, Int(item.widthPart) - 1)
    if item.aspectPart | item.widthPart == 0 { unsized += times }
    // A check of a damaged store can read an invalid kind.
    if kinds.indices ~= item.kind { kinds[item.kind] += times }
  }

  /// The sums of a strip whose items without a size are `itemWidth` wide.
  package func totals(itemWidth: Length) -> Totals {
    Totals(
      count: count, aspectUnits: aspects, widthUnits: widths + unsized * Int(itemWidth.units))
  }
}
