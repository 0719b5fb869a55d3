import RandomTesting
import Testing
import Windowing

/// Lists, grids and justified rows equal the law spelled out, before and after edits.
@Suite struct LayoutTests {
  @Test(arguments: 0..<300)
  func `a random layout equals the naive one, after each edit as well`(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let kinds = random.pick(1...3)
    var items =
      random.once(in: 4)
      ? random.items(count: random.pick(0...400), kinds: kinds)
      : random.pictures(random.pick(0...900), kinds: kinds)
    var groups = random.groups(count: items.count)
    var strip = Strip(kinds: kindNames(kinds), items: items)
    strip.setGroups(groups.map { ($0, 1) })
    var cache = LayoutCache(limit: random.once(in: 2) ? 1 << 20 : 0)
    let gap = random.gap()
    let inset = random.once(in: 2) ? Length.zero : Length(units: Int64(random.pick(0...5_000)))
    let heading = random.once(in: 2) ? Length.zero : Length(units: Int64(random.pick(1...3_000)))
    let rules = (0..<2).map { _ in random.rule() }
    let poolLengths = (0..<3).map { _ in Length(units: Int64(random.pick(512...60_000))) }
    for _ in 0..<4 {
      for rule in rules {
        guard
          let layout = cache.layout(
            of: strip, rule, gap: gap, inset: inset, heading: heading)
        else { continue }
        let naive = NaiveLayout(
          items, groups: groups, rule, gap: gap.position, inset: inset.position,
          heading: heading.position)
        try compare(
          layout, &cache, naive, kinds: kinds, poolLengths, &random, "seed \(seed), \(rule)")
      }
      random.edit(&strip, &items, &groups, kinds: kinds)
    }
  }

  @Test func `a strip of hidden items has no rows`() throws {
    let strip = Strip(
      kinds: ["card"],
      items: Array(repeating: StripItem(size: .hidden, kind: Kind(number: 0)), count: 3))
    let cell = Aspect(units: 65_536)
    for rule: LayoutRule in [
      .list(width: .px(100), itemHeight: .px(20), caption: .zero),
      .grid(width: .px(100), columns: .count(2), cell: cell, caption: .zero),
      .rows(width: .px(100), row: .px(20), cell: cell),
    ] {
      var cache = LayoutCache()
      let found = cache.layout(of: strip, rule, gap: .px(8), inset: .px(5), heading: .px(9))
      let layout = try #require(found)
      #expect(layout.extent == .px(10))
      let window = try layout.window(meeting: .zero..<Length.px(50), pools: Pools([]))
      #expect(window.range == 3..<3)
      #expect(try layout.bounds(of: 1).start == .px(5))
    }
  }

  private func compare(
    _ layout: Layout, _ cache: inout LayoutCache, _ naive: NaiveLayout,
    kinds: Int, _ poolLengths: [Length], _ random: inout SeededRandom, _ comment: Comment
  ) throws {
    try #require(layout.extent.position == naive.extent, comment)
    let poolLength = poolLengths[random.pick(0...poolLengths.count - 1)]
    let pools = cache.pools(of: layout, poolLength: poolLength)
    try #require(pools == layout.pools(poolLength: poolLength), comment)
    let expected = naive.pools(limit: SizeClasses.roundedUp(poolLength).position - 2, kinds: kinds)
    try #require((0..<kinds).map { pools[Kind(number: $0)] } == expected, comment)
    for _ in 0..<8 {
      let low = random.pick(-5_000...naive.extent + 5_000)
      let high = low + random.pick(1...Int(poolLength.units))
      let window = try layout.window(meeting: Length(low)..<Length(high), pools: pools)
      let (range, places) = naive.window(low, high)
      try #require(window.range == range, "\(comment) \(low)..<\(high)")
      let made = zip(window.items, window.frames).map { item, frame in
        [
          item.index, item.start.position, item.size.position, frame.x.position,
          frame.width.position,
        ]
      }
      try #require(made == places.map { [$0.index, $0.start, $0.size, $0.x, $0.width] }, comment)
      try #require(Set(window.items.map(\.slot)).count == window.items.count, comment)
      for item in window.items {
        let rank = naive.places.filter { $0.kind == item.kind && $0.index < item.index }.count
        try #require(item.slot.number == rank % max(1, pools[item.kind]), comment)
      }
    }
    guard naive.count > 0 else { return }
    for _ in 0..<8 {
      let index = random.pick(0...naive.count - 1)
      let bounds = try layout.bounds(of: index)
      let expected = naive.bounds(of: index)
      try #require(
        [bounds.start.position, bounds.size.position] == [expected.start, expected.size], comment)
    }
  }
}

/// Random pictures, groups, rules and edits.
extension SeededRandom {
  mutating func pictures(_ count: Int, kinds: Int) -> [StripItem] {
    let hides = once(in: 2)
    return (0..<count).map { _ in
      let aspect = hides && once(in: 9) ? 0 : pick(8_000...400_000)
      return StripItem(
        size: ItemSize(
          aspect: Aspect(units: UInt32(aspect)), width: once(in: 5) ? .px(pick(0...90)) : .zero),
        kind: Kind(number: pick(0...kinds - 1)))
    }
  }

  mutating func groups(count: Int, longest: Int = 60) -> [String?] {
    guard !once(in: 3) else { return [String?](repeating: nil, count: count) }
    var groups: [String?] = []
    while groups.count < count {
      let title = once(in: 4) ? nil : "group \(pick(0...5))"
      groups += [String?](repeating: title, count: min(pick(1...longest), count - groups.count))
    }
    return groups
  }

  private mutating func itemHeight() -> Length {
    once(in: 4) ? .zero : Length(units: Int64(pick(64...9_000)))
  }

  mutating func rule() -> LayoutRule {
    let width = Length(units: Int64(pick(64...100_000)))
    let cell = Aspect(units: UInt32(pick(20_000...200_000)))
    let caption = once(in: 2) ? Length.zero : Length(units: Int64(pick(0...4_000)))
    switch pick(0...2) {
    case 0:
      var heights: [Kind: Length] = [:]
      for number in 0..<3 where once(in: 2) { heights[Kind(number: number)] = itemHeight() }
      return .list(
        width: width, itemHeight: itemHeight(), itemHeights: heights, caption: caption,
        ignoresAspects: once(in: 3))
    case 1:
      let columns: LayoutRule.Columns =
        once(in: 2) ? .count(pick(1...9)) : .atLeast(Length(units: Int64(pick(64...20_000))))
      return .grid(width: width, columns: columns, cell: cell, caption: caption)
    default:
      return .rows(width: width, row: Length(units: Int64(pick(1_024...20_000))), cell: cell)
    }
  }

  /// Inserts, removes, replaces, moves or groups some items.
  mutating func edit(
    _ strip: inout Strip, _ items: inout [StripItem], _ groups: inout [String?], kinds: Int
  ) {
    let low = pick(0...items.count)
    let range = low..<min(items.count, low + pick(0...20))
    switch pick(0...3) {
    case 0:
      let new = pictures(pick(1...20), kinds: kinds)
      let title = once(in: 2) ? nil : "group \(pick(0...5))"
      strip.replace(range, with: new, group: title)
      items.replaceSubrange(range, with: new)
      groups.replaceSubrange(range, with: [String?](repeating: title, count: new.count))
    case 1:
      strip.remove(range)
      items.removeSubrange(range)
      groups.removeSubrange(range)
    case 2:
      let title = once(in: 2) ? nil : "group \(pick(0...5))"
      strip.setGroup(title, for: range)
      groups.replaceSubrange(range, with: [String?](repeating: title, count: range.count))
    default:
      let new = pictures(range.count, kinds: kinds)
      strip.update(low, to: new)
      items.replaceSubrange(range, with: new)
    }
  }
}
