import RandomTesting
import Testing
import Windowing

struct StripLayoutTests {
  @Test(arguments: 0..<400)
  func `starts, windows and pools agree with the naive model`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let kinds = random.pick(1...4)
    let items = random.items(count: random.pick(0...(random.once(in: 4) ? 300 : 25)), kinds: kinds)
    let (height, gap) = (random.height(), random.gap())
    let inset = random.gap()
    let wraps = random.once(in: 2)
    let layout = StripLayout(
      Strip(kinds: kindNames(kinds), items: items), height: height, gap: gap, inset: inset,
      wraps: wraps)
    let naive = NaiveStripLayout(items, height: height, gap: gap, inset: inset, wraps: wraps)

    #expect(layout.wraps == naive.wraps)
    #expect(Int128(layout.extent.units) == naive.extent)
    let places = naive.places
    for index in items.indices {
      #expect(Int128(layout.start(of: index).units) == places[index].start)
      #expect(Int128(layout.end(of: index).units) == places[index].end)
    }
    let edges = places.flatMap { [Int($0.start), Int($0.end)] } + [0]
    for _ in 0..<60 {
      let lapLength = naive.wraps ? Int(min(naive.lapLength, 1 << 30)) : 0
      let x =
        random.once(in: 2)
        ? (edges.randomElement(using: &random) ?? 0) + random.pick(-2...2)
          + lapLength * random.pick(-3...3)
        : random.pick(-3_000...max(1, Int(min(naive.extent, 1 << 40))) + 3_000)
      var width = random.once(in: 5) ? random.pick(1...3) : random.pick(1...100_000)
      if naive.wraps { width = min(width, lapLength * 30 + 1) }
      if naive.wraps, x.magnitude > UInt(lapLength * 1000) { continue }
      let span = Length(units: Int64(x))..<Length(units: Int64(x + width))
      #expect(
        try layout.items(meeting: span) == naive.items(meeting: x, x + width),
        "seed \(seed) \(x)+\(width)")
    }
    if items.count <= 25 {
      let poolLength = Length(
        units: Int64(random.once(in: 2) ? random.pick(64...2_000) : random.pick(64...60_000)))
      let pools = layout.pools(poolLength: poolLength)
      let expected = naive.pools(poolLength: poolLength)
      for kind in 0..<kinds {
        let kind = Kind(number: kind)
        #expect(pools[kind] == expected[kind, default: 0], "seed \(seed) wraps \(wraps)")
      }
    }
  }
}
