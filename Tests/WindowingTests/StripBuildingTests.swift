import RandomTesting
import Testing
import Windowing

struct StripBuildingTests {
  @Test(arguments: 0..<40)
  func `a strip built from segments equals the strip built item by item`(seed: Int) {
    var random = SeededRandom(seed: seed)
    let kinds = [1, 3, 8, 12][seed % 4]
    let items = random.items(count: random.pick(0...80_000), kinds: kinds)
    var groups: [(title: String?, count: Int)] = []
    var left = items.count
    while left > 0 {
      let count = random.pick(0...min(left, 60))
      groups.append((random.once(in: 3) ? nil : "\(random.pick(0...2))", count))
      left -= count
    }
    var built = Strip(kinds: kindNames(kinds), segments: segments(of: items))
    built.setGroups(groups)
    var plain = Strip(kinds: kindNames(kinds), items: items)
    var start = 0
    for group in groups {
      plain.setGroup(group.title, for: start..<start + group.count)
      start += group.count
    }
    #expect(built == plain, "seed \(seed)")
    for kind in 0..<kinds {
      let kind = Kind(number: kind)
      #expect(built.count(of: kind) == plain.count(of: kind), "seed \(seed)")
    }
    #expect(Array(built.groupRuns(from: 0)) == Array(plain.groupRuns(from: 0)), "seed \(seed)")
  }

  @Test(arguments: 0..<20)
  func `indices select items of segments and of leaves`(seed: Int) {
    var random = SeededRandom(seed: seed)
    let items = random.items(count: random.pick(1...20_000), kinds: 3)
    let rarity = [1, 2, 30, 3000][seed % 4]
    // The tree of one has segments, that of the other has leaves.
    let strips = [
      Strip(kinds: kindNames(3), segments: segments(of: items)),
      Strip(kinds: kindNames(3), items: items),
    ]
    let indices = items.indices.filter { _ in random.once(in: rarity) }
    let expected = Strip(kinds: kindNames(3), items: indices.map { items[$0] })
    for strip in strips {
      let selected = Strip(
        kinds: kindNames(3), segments: strip.segments(at: indices.map { UInt32($0) }))
      #expect(selected == expected, "seed \(seed)")
    }
  }

  @Test func `groups without titles are equal to no groups`() {
    let item = StripItem(size: ItemSize(width: .px(1)), kind: Kind(number: 0))
    var strip = Strip(kinds: ["card"], items: [item, item, item])
    strip.setGroup("a", for: 0..<2)
    let none: [(title: String?, count: Int)] = [(nil, 1), (nil, 2)]
    strip.setGroups(none)
    #expect(strip == Strip(kinds: ["card"], items: [item, item, item]))
  }

  @Test(arguments: [1, 200])
  func `items of width 0 have the same pools in both builds`(count: Int) {
    let item = StripItem(size: ItemSize(width: .zero), kind: Kind(number: 0))
    let items = Array(repeating: item, count: count)
    let built = StripLayout(Strip(kinds: ["card"], segments: segments(of: items)), height: .px(180))
    let plain = StripLayout(Strip(kinds: ["card"], items: items), height: .px(180))
    var (one, other) = (PoolCache(), PoolCache())
    #expect(
      one.pools(of: built, poolLength: .px(64)) == other.pools(of: plain, poolLength: .px(64)))
    #expect(built.pools(poolLength: .px(64)) == plain.pools(poolLength: .px(64)))
  }

  @Test(arguments: 0..<40)
  func `the extent from totals equals the extent of the layout`(seed: Int) {
    var random = SeededRandom(seed: seed)
    let strip = Strip(
      kinds: kindNames(2), items: random.items(count: random.pick(0...30), kinds: 2))
    let (height, gap, inset) = (random.height(), random.gap(), random.gap())
    for wraps in [false, true] {
      let layout = StripLayout(strip, height: height, gap: gap, inset: inset, wraps: wraps)
      let extent = StripLayout.extent(
        of: strip.totals, height: height, gap: gap, inset: inset, wraps: wraps)
      #expect(extent == layout.extent, "seed \(seed)")
    }
  }

  @Test func `kinds in use include those of hidden items`() {
    func item(_ kind: Int, _ width: Int) -> StripItem {
      StripItem(size: ItemSize(width: .px(width)), kind: Kind(number: kind))
    }
    let names = kindNames(5)
    #expect(Strip(kinds: names).kindsInUse == [])
    let pattern = [item(0, 90), item(3, 0), item(0, 80)]
    var strip = Strip(kinds: names, repeating: pattern, count: 1 << 30)
    #expect(strip.kindsInUse == [names[0], names[3]])
    strip.insert([item(4, 0)], at: 1 << 29)
    #expect(strip.kindsInUse == [names[0], names[3], names[4]])
    strip.remove(0..<strip.count - 1)
    #expect(strip.kindsInUse == [names[0]])
  }
}
