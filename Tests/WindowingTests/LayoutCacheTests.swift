import RandomTesting
import Testing
import Windowing

/// A cache of layouts stays exact, and says what is fast.
@Suite struct LayoutCacheTests {
  private let cell = Aspect(units: 65_536)

  /// Many chunks of rows and blocks of pools. Not each rule is asked for after each edit.
  @Test(arguments: 0..<24)
  func `layouts and pools of a long strip stay exact after edits anywhere`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let kinds = random.pick(1...3)
    var items = random.pictures(25_000, kinds: kinds)
    if random.once(in: 2) {
      items = items.map { StripItem(size: ItemSize(aspect: cell), kind: $0.kind) }
    }
    var groups = random.groups(count: items.count, longest: 6_000)
    var strip = Strip(kinds: kindNames(kinds), items: items)
    strip.setGroups(groups.map { ($0, 1) })
    let (gap, heading) = (random.gap(), Length.px(seed % 3 * 20))
    let rules: [LayoutRule] = [
      .list(width: .px(random.pick(50...900)), itemHeight: .px(40), caption: .px(seed % 2 * 9)),
      .grid(width: .px(700), columns: .count(random.pick(1...9)), cell: cell, caption: .zero),
      .rows(width: .px(random.pick(300...1_500)), row: .px(90), cell: cell),
    ]
    var cache = LayoutCache()
    for step in 0..<12 {
      for rule in step % 4 == 3 ? rules : [rules[step % 3]] {
        let made = cache.layout(of: strip, rule, gap: gap, heading: heading)
        let layout = try #require(made)
        var fresh = LayoutCache()
        let other = fresh.layout(of: strip, rule, gap: gap, heading: heading)
        let comment: Comment = "seed \(seed), step \(step), \(rule)"
        try #require(layout.extent == other?.extent, comment)
        for poolLength in [300, 2_000, 90_000].map({ Length.px($0) }) {
          try #require(
            cache.pools(of: layout, poolLength: poolLength)
              == other?.pools(poolLength: poolLength),
            "\(comment), \(poolLength) px")
        }
        for _ in 0..<20 {
          let index = random.pick(0...strip.count - 1)
          let (bounds, expected) = (try layout.bounds(of: index), try other?.bounds(of: index))
          try #require(bounds.start == expected?.start && bounds.size == expected?.size, comment)
        }
      }
      if step % 5 == 4 {
        strip.move(100..<3_000, to: random.pick(4_000...strip.count))
        (items, groups) = (strip.items(0..<strip.count), strip.titles)
      } else {
        random.edit(&strip, &items, &groups, kinds: kinds)
      }
    }
  }

  @Test(arguments: 0..<2)
  func `items that move far are found without the items between`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    var strip = Strip(kinds: ["card"], items: random.pictures(200_000, kinds: 1))
    let list = LayoutRule.list(width: .px(300), itemHeight: .px(40), caption: .zero)
    var cache = LayoutCache()
    for step in 0..<25 {
      let made = cache.layout(of: strip, list, gap: .zero)
      let layout = try #require(made)
      var fresh = LayoutCache()
      let other = fresh.layout(of: strip, list, gap: .zero)
      let expected = try #require(other)
      try #require(layout.extent == expected.extent, "seed \(seed), step \(step)")
      for _ in 0..<200 {
        let index = random.pick(0...strip.count - 1)
        let (start, right) = (
          try layout.bounds(of: index).start, try expected.bounds(of: index).start
        )
        try #require(start == right, "seed \(seed), step \(step), item \(index)")
      }
      for _ in 0..<random.pick(1...3) {
        let low = random.pick(0...strip.count - 3)
        let (from, to) = (low..<low + random.pick(1...3), random.pick(0...strip.count - 3))
        if !from.contains(to) { strip.move(from, to: to) }
      }
    }
  }

  @Test func `an entry survives edits, and says that no pass over the items is needed`() throws {
    var random = SeededRandom(seed: 1)
    var strip = Strip(kinds: ["card"], items: random.pictures(5_000, kinds: 1))
    let list = LayoutRule.list(width: .px(300), itemHeight: .px(40), caption: .zero)
    let wide = LayoutRule.list(width: .px(900), itemHeight: .px(40), caption: .zero)
    let rows = LayoutRule.rows(width: .px(900), row: .px(90), cell: cell)
    var cache = LayoutCache()
    func has(_ rule: LayoutRule) -> Bool { cache.hasEntry(for: strip, rule, gap: .px(8)) }
    #expect(has(.strip(height: .px(100), wraps: false)))
    #expect(!has(list) && !has(rows))
    for rule in [list, rows] {
      let made = cache.layout(of: strip, rule, gap: .px(8))
      let layout = try #require(made)
      let before = cache.hasPools(of: layout, poolLength: .px(900))
      _ = cache.pools(of: layout, poolLength: .px(900))
      let after = cache.hasPools(of: layout, poolLength: .px(950))
      #expect(!before && after)
    }
    #expect(has(list) && has(rows))
    #expect(has(wide), "one tree serves every width")
    strip.remove(7..<9)
    #expect(has(list) && has(rows))
    #expect(!has(.rows(width: .px(901), row: .px(90), cell: cell)))
  }

  @Test func `a grid needs an entry only for many groups with headings`() throws {
    let grid = LayoutRule.grid(width: .px(900), columns: .count(4), cell: cell, caption: .zero)
    let card = StripItem(size: ItemSize(aspect: cell), kind: Kind(number: 0))
    var strip = Strip(kinds: ["card"], items: Array(repeating: card, count: 5_000))
    var cache = LayoutCache()
    func has(heading: Length = .px(30)) -> Bool {
      cache.hasEntry(for: strip, grid, gap: .px(8), heading: heading)
    }
    #expect(has())
    let made = cache.layout(of: strip, grid, gap: .px(8))
    let layout = try #require(made)
    let hasPools = cache.hasPools(of: layout, poolLength: .px(900))
    #expect(hasPools, "they follow from arithmetic")

    strip[2].size = .hidden
    #expect(has())

    strip.setGroups((0..<2_500).map { ("\($0)", 2) })
    #expect(!has())
    #expect(has(heading: .zero))
    _ = cache.layout(of: strip, grid, gap: .px(8), heading: .px(30))
    #expect(has())
    strip.remove(0..<1)
    #expect(!has(), "an edit moves the starts of all groups")
  }

  @Test func `tables of rows keep within the limit`() {
    var random = SeededRandom(seed: 2)
    let strip = Strip(kinds: ["card"], items: random.pictures(20_000, kinds: 1))
    var cache = LayoutCache(limit: 100_000)
    for width in 1...100 {
      _ = cache.layout(
        of: strip, .rows(width: .px(500 + width), row: .px(90), cell: cell), gap: .px(8))
      #expect(cache.cost <= 100_000)
    }
    #expect(cache.cost > 50_000)
  }
}

extension Strip {
  /// The group of each item.
  fileprivate var titles: [String?] {
    (0..<count).map { groupRun(at: $0)?.title }
  }
}
