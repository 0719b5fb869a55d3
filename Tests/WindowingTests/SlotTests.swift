import RandomTesting
import Testing
import Windowing

/// The five consequences of the slot rule, as the contract lists them.
struct SlotTests {
  private struct Scene {
    let layout: StripLayout
    let poolLength: Length
    let pools: Pools
    let kinds: Int
  }

  /// A random strip after random edits, at a height of 16 to 16,384 px.
  private func scene(_ seed: Int, _ random: inout SeededRandom) -> Scene {
    let kinds = random.pick(1...4)
    var model = NaiveStrip()
    model.replace(0..<0, with: random.items(count: random.pick(1...200), kinds: kinds), group: nil)
    var strip = Strip(kinds: kindNames(kinds), items: model.items)
    var script = EditScript(random: random, kinds: kinds, size: 100)
    for _ in 0..<random.pick(0...20) { script.step(&strip, &model) }
    random = script.random
    let layout = StripLayout(
      strip, height: random.height(), gap: random.gap(), inset: random.gap(),
      wraps: seed % 2 == 0)
    let poolLength = Length(units: Int64(random.pick(64...(random.once(in: 2) ? 3_000 : 200_000))))
    return Scene(
      layout: layout, poolLength: poolLength, pools: layout.pools(poolLength: poolLength),
      kinds: kinds)
  }

  private func position(_ layout: StripLayout, _ random: inout SeededRandom) -> Length {
    let laps = layout.wraps ? random.pick(-4...4) : 0
    let limit = Int(min(layout.extent.units, 1 << 40))
    return Length(units: Int64(laps * limit + random.pick(-1_000...limit + 1_000)))
  }

  @Test(arguments: 0..<300)
  func `1. no two items of a window share a slot`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let scene = scene(seed, &random)
    for _ in 0..<40 {
      let x = position(scene.layout, &random)
      guard try scene.layout.items(meeting: x..<x + scene.poolLength).count < 4_096 else {
        continue
      }
      let window = try scene.layout.window(meeting: x..<x + scene.poolLength, pools: scene.pools)
      let slots = window.items.map(\.slot)
      #expect(Set(slots).count == slots.count, "seed \(seed), at \(x)")
      for slot in slots { #expect(slot.number < scene.pools[slot.kind]) }
    }
  }

  @Test func `2. an item keeps its slot while the viewport moves`() throws {
    for seed in 0..<100 {
      var random = SeededRandom(seed: 1_000 + seed)
      let scene = scene(seed, &random)
      guard let index = scene.layout.indices.randomElement(using: &random) else { continue }
      let wanted = scene.layout.wraps ? index % (scene.layout.count * 3) : index
      var seen: [Int: Slot] = [:]
      for alignment in Alignment.allCases {
        for from in [Length.zero, position(scene.layout, &random)] {
          let x = try scene.layout.offset(
            showing: wanted, alignment, in: scene.poolLength, from: from)
          guard try scene.layout.items(meeting: x..<x + scene.poolLength).count < 4_096 else {
            continue
          }
          for item in try scene.layout.window(meeting: x..<x + scene.poolLength, pools: scene.pools)
            .items
          {
            #expect(seen[item.index, default: item.slot] == item.slot, "seed \(seed)")
            seen[item.index] = item.slot
          }
        }
      }
    }
  }

  @Test(arguments: 0..<200)
  func `3. no smaller pool is enough, except for 1/64 px of rounding`(seed: Int) throws {
    var random = SeededRandom(seed: 2_000 + seed)
    let kinds = random.pick(1...3)
    let items = (0..<random.pick(1...60)).map { _ in
      StripItem(
        size: ItemSize(width: Length(units: Int64(random.pick(1...900)))),
        kind: Kind(number: random.pick(0...kinds - 1)))
    }
    let layout = StripLayout(
      Strip(kinds: kindNames(kinds), items: items), height: .px(128), gap: random.gap(),
      wraps: seed % 2 == 0)
    let rung = SizeClasses.roundedUp(Length(units: Int64(random.pick(64...5_000))))
    let pools = layout.pools(poolLength: rung)
    var most: [Kind: Int] = [:]
    for index in 0..<layout.count {
      let x = layout.end(of: index) - .unit
      let window = try layout.window(meeting: x..<x + rung + .unit, pools: pools)
      for (kind, items) in Dictionary(grouping: window.items, by: \.kind) {
        most[kind] = max(most[kind, default: 0], items.count)
      }
    }
    for kind in pools.kinds { #expect(most[kind, default: 0] >= pools[kind], "seed \(seed)") }
  }

  @Test(arguments: 0..<60)
  func `4. the order of queries makes no difference`(seed: Int) {
    var random = SeededRandom(seed: 3_000 + seed)
    let scene = scene(seed, &random)
    let poolLengths = [64, 700, 5_000, 40_000, 900_000].map { Length(units: $0) }
    var (one, other) = (PoolCache(), PoolCache(capacity: 2))
    let forward = poolLengths.map { one.pools(of: scene.layout, poolLength: $0) }
    let backward = poolLengths.reversed().map { other.pools(of: scene.layout, poolLength: $0) }
    #expect(forward == backward.reversed())
    #expect(forward == poolLengths.map { scene.layout.pools(poolLength: $0) })
  }

  @Test(arguments: 0..<200)
  func `5. an edit changes a pool only through the items around it`(seed: Int) throws {
    var random = SeededRandom(seed: 4_000 + seed)
    let kinds = random.pick(1...3)
    var strip = Strip(kinds: kindNames(kinds), items: random.items(count: 150, kinds: kinds))
    let gap = random.gap()
    let poolLength = Length(units: Int64(random.pick(64...4_000)))
    let place = random.pick(0...149)
    func pools(_ strip: Strip) -> Pools {
      StripLayout(strip, height: .px(128), gap: gap).pools(poolLength: poolLength)
    }
    let before = pools(strip)
    strip[place] = random.item(kinds: kinds)
    let layout = StripLayout(strip, height: .px(128), gap: gap)
    let reach = SizeClasses.roundedUp(poolLength) + .px(1)
    let low = try layout.items(meeting: layout.start(of: place) - reach..<Length.maximum)
      .lowerBound
    let high = try layout.items(meeting: -.maximum..<layout.end(of: place) + reach).upperBound
    let around = pools(strip.slice(min(low, place)..<max(high, place + 1)))
    let after = pools(strip)
    for kind in (0..<kinds).map({ Kind(number: $0) }) {
      #expect(after[kind] <= max(before[kind], around[kind]), "seed \(seed)")
      #expect(after[kind] >= around[kind], "seed \(seed)")
    }
  }
}
