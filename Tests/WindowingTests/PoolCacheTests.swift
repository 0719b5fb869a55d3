import RandomTesting
import Testing
import Windowing

struct PoolCacheTests {
  /// Many chunks, and lengths from a few items to more than the strip.
  @Test(arguments: 0..<6)
  func `cached pools stay exact after edits anywhere, for every poolLength`(seed: Int) {
    var random = SeededRandom(seed: seed)
    let kinds = kindNames(4)
    var strip = Strip(
      kinds: kinds,
      items: (0..<25_000).map { _ in
        StripItem(
          size: ItemSize(width: .px(random.pick(0...60))),
          kind: Kind(number: random.pick(0...(seed % 2 == 0 ? 2 : 3))))
      })
    var cache = PoolCache()
    let poolLengths = [200, 3_000, 60_000, 262_144].map { Length.px($0) }
    for step in 0..<15 {
      let low = random.pick(0...strip.count - 100)
      switch step % 5 {
      case 0: strip[low] = random.item(kinds: 4)
      case 1: strip.move(low..<low + 3, to: random.pick(0...strip.count))
      case 2: strip.insert([random.item(kinds: 4)], at: random.pick(0...strip.count))
      case 3: strip.remove(low..<low + random.pick(0...90))
      default:
        strip.insert(
          contentsOf: Strip(kinds: kinds, repeating: [random.item(kinds: 4)], count: 5_000), at: low
        )
      }
      let layout = StripLayout(strip, height: .px(64), gap: .px(seed % 2), wraps: seed % 3 == 0)
      for poolLength in step % 3 == 0 ? poolLengths : Array(poolLengths.prefix(2)) {
        #expect(
          cache.pools(of: layout, poolLength: poolLength) == layout.pools(poolLength: poolLength),
          "seed \(seed), step \(step), \(poolLength) px")
      }
    }
  }

  /// A new strip has chunks of 96 x 24 items. Only the edits make short distances.
  @Test func `an edit at the end of a chunk changes the pools of the next chunks`() {
    func item(_ px: Int) -> StripItem {
      StripItem(size: ItemSize(width: .px(px)), kind: Kind(number: 0))
    }
    for (width, poolLength) in [(60, 120), (4, 16_000)] {
      var strip = Strip(kinds: ["card"], items: Array(repeating: item(width), count: 2_304 * 8))
      var cache = PoolCache()
      func check(_ place: String, _ boundary: Int) {
        let layout = StripLayout(strip, height: .px(64))
        #expect(
          cache.pools(of: layout, poolLength: .px(poolLength))
            == layout.pools(poolLength: .px(poolLength)),
          "\(place) \(boundary)")
      }
      for boundary in stride(from: 2_304, to: strip.count, by: 2_304) {
        for place in boundary..<boundary + 3 { strip[place] = item(1) }
        check("after", boundary)
        for place in boundary - 3..<boundary { strip[place] = item(1) }
        check("before", boundary)
        for place in boundary - 3..<boundary { strip[place] = item(width) }
        check("widened before", boundary)
        for place in boundary..<boundary + 3 { strip[place] = item(width) }
        check("widened after", boundary)
      }
    }
  }

  @Test func `strips that share a cache do not mix`() {
    var random = SeededRandom(seed: 1)
    let layouts = (0..<3).map { _ in
      StripLayout(
        Strip(kinds: kindNames(2), items: random.items(count: 700, kinds: 2)), height: .px(64))
    }
    var cache = PoolCache(capacity: 1)
    for step in 0..<12 {
      let layout = layouts[step % 3]
      #expect(cache.pools(of: layout, poolLength: .px(500)) == layout.pools(poolLength: .px(500)))
    }
    #expect(cache.pools(of: StripLayout(Strip(), height: .px(64)), poolLength: .px(8)) == Pools([]))
  }
}
