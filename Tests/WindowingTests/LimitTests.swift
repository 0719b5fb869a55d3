import RandomTesting
import Testing
import Windowing

/// Repetitions, sums beyond 64 bits, and positions out of range.
struct LimitTests {
  private func pattern(_ seed: Int, _ count: Int) -> [StripItem] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in
      StripItem(
        size: ItemSize(
          aspect: Aspect(units: UInt32(random.pick(0...150_000))),
          width: Length(units: Int64(random.pick(0...6_400)))),
        kind: Kind(number: random.pick(0...2)))
    }
  }

  @Test(arguments: 0..<40)
  func `a repeated pattern equals its items one by one`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let items = pattern(seed, random.pick(1...9))
    let count = random.pick(1...700)
    let kinds = kindNames(3)
    let all = (0..<count).map { items[$0 % items.count] }
    let gap = random.gap()
    let repeated = StripLayout(
      Strip(kinds: kinds, repeating: items, count: count), height: .px(90), gap: gap,
      wraps: seed % 2 == 0)
    let plain = StripLayout(
      Strip(kinds: kinds, items: all), height: .px(90), gap: gap, wraps: seed % 2 == 0)
    #expect(repeated.strip == plain.strip)
    #expect(repeated.extent == plain.extent)
    for poolLength in [Length.px(50), .px(1_000), .px(30_000)] {
      let pools = repeated.pools(poolLength: poolLength)
      #expect(pools == plain.pools(poolLength: poolLength), "seed \(seed)")
      for _ in 0..<10 {
        let x = Length(units: Int64(random.pick(-100...Int(plain.extent.units) + 100)))
        let window = try repeated.window(meeting: x..<x + poolLength, pools: pools)
        #expect(try window == plain.window(meeting: x..<x + poolLength, pools: pools))
      }
    }
  }

  @Test func `a billion repeated items have exact windows at both ends`() throws {
    let items = pattern(1, 1_000)
    let strip = Strip(kinds: kindNames(3), repeating: items, count: 1_000_000_000)
    let layout = StripLayout(strip, height: .px(180), gap: .px(8), inset: .px(3))
    let lap = NaiveStripLayout(items, height: .px(180), gap: .px(8), inset: .zero, wraps: true)
    let sums = items.reduce((Int128(0), Int128(0))) {
      ($0.0 + Int128($1.size.aspect.units), $0.1 + Int128($1.size.width.units))
    }
    let extent =
      11_520 * sums.0 * 1_000_000 / 65_536 + sums.1 * 1_000_000 + 512 * 999_999_999 + 2 * 192
    #expect(Int128(layout.extent.units) == extent)
    let pools = layout.pools(poolLength: .px(2_000))
    let small = StripLayout(
      Strip(kinds: kindNames(3), repeating: items, count: 20_000), height: .px(180), gap: .px(8))
    #expect(pools == small.pools(poolLength: .px(2_000)))
    let x = layout.extent - .px(1_000)
    let window = try layout.window(meeting: x..<layout.extent, pools: pools)
    #expect(window.range.upperBound == 1_000_000_000)
    #expect(window.items.last.map { $0.end + .px(3) } == layout.extent)
    #expect(lap.lapLength > 0)
  }

  @Test func `sums beyond 64 bits are exact`() throws {
    let tall = StripItem(size: ItemSize(aspect: .maximum), kind: Kind(number: 0))
    let count = 8_000_000
    let layout = StripLayout(
      Strip(kinds: ["card"], repeating: [tall], count: count), height: .px(16_384))
    // 8,000,000 x 1000 x 16,384 px: the product of height and sum has 69 bits.
    #expect(layout.fits)
    #expect(layout.extent == .px(16_384_000 * count))
    let x = layout.extent - .px(1)
    #expect(try layout.items(meeting: x..<layout.extent) == count - 1..<count)
    #expect(layout.pools(poolLength: .px(262_144))[Kind(number: 0)] == 2)
    var cache = PoolCache()
    #expect(cache.pools(of: layout, poolLength: .px(262_144))[Kind(number: 0)] == 2)
    let longer = StripLayout(
      Strip(kinds: ["card"], repeating: [tall], count: count * 2), height: .px(16_384))
    #expect(!longer.fits)
    #expect(throws: WindowingError.outOfRange) { try longer.items(meeting: .zero..<Length.px(1)) }
  }

  @Test func `short laps of many items give an error and do not trap`() throws {
    let hidden = StripItem(size: .hidden, kind: Kind(number: 0))
    var strip = Strip(kinds: ["card"], repeating: [hidden], count: 1 << 39)
    strip.insert([StripItem(size: ItemSize(width: .unit), kind: Kind(number: 0))], at: strip.count)
    let layout = StripLayout(strip, height: .px(16), wraps: true)
    #expect(layout.wraps && layout.extent == .unit)
    #expect(try layout.items(meeting: .zero..<Length(units: 3)).count == (1 << 40) + 3)
    for px in [-(1 << 46), 1 << 46, (1 << 47) - 1] {
      #expect(throws: WindowingError.outOfRange) {
        try layout.items(meeting: .px(px)..<Length.px(px + 1))
      }
      #expect(throws: WindowingError.outOfRange) { try layout.copy(of: 0, nearest: .px(px)) }
    }
    for index in [Int.max, .min, Int.max / 2 + 1] {
      #expect(throws: WindowingError.outOfRange) {
        try layout.offset(showing: index, .center, in: .px(100))
      }
    }
  }

  @Test func `any index and offset gives a result or an error`() throws {
    for wraps in [false, true] {
      let layout = StripLayout(
        Strip(kinds: kindNames(3), items: pattern(4, 50)), height: .px(100), wraps: wraps)
      for index in [Int.min, Int.min + 1, -1, 50, Int.max - 1, Int.max] {
        for alignment in Alignment.allCases {
          let found = Result { () throws(WindowingError) in
            try layout.offset(showing: index, alignment, in: .px(65_536), from: .px(1 << 46))
          }
          switch found {
          case .success: #expect(wraps && index.magnitude < 100)
          case .failure(let error):
            #expect(error == (wraps ? .outOfRange : .noItem(at: index)))
          }
        }
      }
      for px in [-(1 << 46), 1 << 46] {
        let span = Length.px(px)..<Length.px(px + 65_536)
        let range = try layout.items(meeting: span)
        #expect(range.isEmpty == !wraps)
        let window = layout.window(of: range, pools: layout.pools(poolLength: .px(65_536)))
        #expect(window.items.count <= range.count)
      }
      #expect(throws: WindowingError.outOfRange) {
        try layout.items(meeting: Length(units: .min)..<Length(units: .max))
      }
    }
  }
}
