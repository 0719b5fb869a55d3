import Items
import Views
import Windowing

extension BuiltIn {
  /// A museum's worth of drawn landscapes, in one group for each year. The items are computed.
  static func landscapes(version: String) throws(CatalogueError) -> Snapshot {
    let settings = try SettingsPatch(json: PackageResources.landscapes_json)
      .applied(to: StripSettings(title: "landscapes"), of: "landscapes")
    let pattern = (0..<Landscapes.period).map { index in
      StripItem(
        size: ItemSize(aspect: Landscapes.aspect(at: index), width: .zero), kind: Kind(number: 0))
    }
    var strip = Strip(kinds: [Landscapes.kind], repeating: pattern, count: Landscapes.count)
    strip.setGroups(
      Landscapes.years.map { year in
        (String(year), Landscapes.start(of: year + 1) - Landscapes.start(of: year))
      })
    return Snapshot(
      name: "landscapes", settings: settings,
      revision: revision(version: version, rule: Landscapes.rule.utf8), strip: strip,
      source: Landscapes())
  }
}

/// Prints of drawn pictures, each with a price. A picture has a sky, a sun or a moon, and two ranges of hills. A
/// template draws them from the fields `color`, `light`, `x`, `y`, `r`, `ground`, `far` and `near`, as `wide` as their
/// aspect in sixteenths.
private struct Landscapes: NonblockingItemSource {
  static let count = 69_202
  var count: Int { Self.count }
  /// The page has a template that draws this kind.
  static let kind = "landscape"
  /// Aspects repeat after as many items.
  static let period = 1000
  static let years = 1826..<2026
  static let rule =
    "landscape, ln, SplitMix64 of n, 1826 to 2025, aspects 0.625 to 2.125, prices 19 to 99"

  /// The index of the first item of `year`. From year to year the numbers of items grow evenly, from
  /// 117 to 575: they are differences of squares, and 250² - 50² is 60,000.
  static func start(of year: Int) -> Int {
    let squares = (year - 1776) * (year - 1776) - 2500
    return (squares * count + 59_999) / 60_000
  }

  static func year(at index: Int) -> Int {
    1776 + Int(Double(index * 60_000 / count + 2500).squareRoot())
  }

  static func aspect(at index: Int) -> Aspect {
    Aspect(units: UInt32(sixteenths(at: index)) * 4096)
  }

  /// The aspect in sixteenths.
  private static func sixteenths(at index: Int) -> Int {
    10 + Int(hash(index % period, 0) % 25)
  }

  private static let places = [
    "Hills", "Coast", "Moor", "Dunes", "Lake", "Valley", "Island", "Plain",
  ]

  private static let times = [
    (name: "at dawn", sky: "#f3cfb3", light: "#fff1cf", ground: "#7d6b7d"),
    (name: "in the morning", sky: "#cfe3ec", light: "#fff6d8", ground: "#6f8f78"),
    (name: "at noon", sky: "#a9d0e6", light: "#fffbe6", ground: "#5f8a5c"),
    (name: "in the afternoon", sky: "#d9e2c8", light: "#fff3c4", ground: "#8a8a4f"),
    (name: "at dusk", sky: "#e8a07a", light: "#ffe0a3", ground: "#5b4a5e"),
    (name: "by moonlight", sky: "#2f3d57", light: "#e9edf2", ground: "#182234"),
    (name: "in the rain", sky: "#b3bcc3", light: "#dfe4e6", ground: "#5d6b70"),
    (name: "in the snow", sky: "#dbe4ec", light: "#ffffff", ground: "#a9b7c4"),
  ]

  /// Mixes an index and the number of a property (SplitMix64).
  private static func hash(_ index: Int, _ property: Int) -> UInt64 {
    var bits = UInt64(index &* 64 &+ property &+ 1) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  private static func fields(at index: Int) -> Fields {
    func draw(_ property: Int, _ range: ClosedRange<Int>) -> Int {
      range.lowerBound + Int(hash(index, property) % UInt64(range.count))
    }
    func hills(_ first: Int, lower: Int) -> String {
      let ys = [40...56, 26...50, 40...54, 38...56].enumerated().map { k, range in
        draw(first + k, range) + lower
      }
      let (bend, middle) = (draw(first + 4, 18...30), draw(first + 5, 44...56))
      return "M0 \(ys[0])Q\(bend) \(ys[1]) \(middle) \(ys[2])T100 \(ys[3])V100H0Z"
    }
    let place = places[draw(1, 0...7)]
    let time = times[draw(2, 0...7)]
    let year = year(at: index)
    let json = """
      {"title":"\(place) \(time.name)","subtitle":"\(year)","year":\(year),"place":"\(place)",\
      "time":"\(time.name)","price":\(19 + 5 * draw(18, 0...16)),\
      "color":"\(time.sky)","light":"\(time.light)","ground":"\(time.ground)",\
      "x":\(draw(3, 22...78)),"y":\(draw(4, 26...46)),"r":\(draw(5, 4...11)),\
      "wide":\(sixteenths(at: index)),\
      "far":"\(hills(6, lower: 0))","near":"\(hills(12, lower: 17))"}
      """
    return Fields(written: Array(json.utf8))
  }

  func read(at sortKeys: [Int64], _ body: (ItemBytes) -> Void) {
    for sortKey in sortKeys {
      ItemContent(id: "l\(sortKey + 1)", fields: Self.fields(at: Int(sortKey))).withBytes(body)
    }
  }

  func items(at sortKeys: [Int64]) throws(CatalogueError) -> [Item] {
    try sortKeys.map { sortKey throws(CatalogueError) in
      let index = Int(sortKey)
      return try Item(
        id: "l\(sortKey + 1)", kind: Self.kind, aspect: Self.aspect(at: index),
        group: String(Self.year(at: index)),
        fields: Self.fields(at: index))
    }
  }

  func index(of id: String) -> Int? { BuiltIn.index(of: id, after: "l", count: Self.count) }
}
