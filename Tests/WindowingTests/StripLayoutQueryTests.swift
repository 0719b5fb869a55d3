import RandomTesting
import Testing
import Windowing

/// Alignment, copies, groups and slots that leave the window, as the contract defines them.
struct StripLayoutQueryTests {
  private func scene(_ seed: Int, _ random: inout SeededRandom) -> (StripLayout, [StripItem]) {
    let items = (0..<random.pick(1...40)).map { _ in
      StripItem(
        size: ItemSize(
          width: Length(units: Int64(random.once(in: 5) ? 0 : random.pick(1...9_000)))),
        kind: Kind(number: random.pick(0...2)))
    }
    let layout = StripLayout(
      Strip(kinds: kindNames(3), items: items), height: .px(100), gap: random.gap(),
      inset: random.gap(), wraps: seed % 2 == 0)
    return (layout, items)
  }

  @Test(arguments: 0..<120)
  func `alignment follows the contract, clamped unless the layout wraps`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let (layout, _) = scene(seed, &random)
    let w = random.pick(64...20_000)
    let width = Length(units: Int64(w))
    func kept(_ offset: Int) -> Length {
      let limit = max(0, Int(layout.extent.units) - w)
      return Length(units: Int64(layout.wraps ? offset : min(max(offset, 0), limit)))
    }
    for index in 0..<layout.count {
      let start = Int(layout.start(of: index).units)
      let size = Int(layout.size(of: index).units)
      let given = random.pick(-5_000...90_000)
      let center = start + Int((Double(size - w) / 2).rounded(.down))
      var nearest = given
      if !(start >= given && start + size <= given + w) {
        let end = start + size - w
        nearest = size >= w || abs(start - given) <= abs(end - given) ? start : end
      }
      let expected = [
        Alignment.start: start, .end: start + size - w, .center: center, .nearest: nearest,
      ]
      for (alignment, offset) in expected {
        let found = try layout.offset(
          showing: index, alignment, in: width, from: Length(units: Int64(given)))
        #expect(found == kept(offset), "seed \(seed), \(alignment)")
      }
      let px = random.pick(-3_000...3_000)
      #expect(
        try layout.offset(putting: index, at: Length(units: Int64(px)), in: width)
          == kept(start - px))
    }
  }

  @Test(arguments: 0..<60)
  func `the nearest copy of an item is the earlier of two`(seed: Int) throws {
    var random = SeededRandom(seed: seed * 2)
    let (layout, items) = scene(seed * 2, &random)
    guard layout.wraps else { return }
    for item in items.indices {
      let x = random.pick(-200_000...200_000)
      let laps =
        (-500_000 / Int(layout.extent.units) - 2)...(500_000 / Int(layout.extent.units) + 2)
      guard laps.count < 5_000 else { continue }
      let best = laps.map { lap in
        (abs(lap * Int(layout.extent.units) + Int(layout.start(of: item).units) - x), lap)
      }.min { $0 < $1 }
      let found = try layout.copy(of: item, nearest: Length(units: Int64(x)))
      #expect(found == best.map { $0.1 * layout.count + item }, "seed \(seed)")
    }
  }

  @Test(arguments: 0..<60)
  func `slots that leave are those that no item of the window uses`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let (layout, _) = scene(seed, &random)
    let width = Length(units: Int64(random.pick(64...9_000)))
    let pools = layout.pools(poolLength: width)
    let x = Length(units: Int64(random.pick(0...50_000)))
    let window = try layout.window(meeting: x..<x + width, pools: pools)
    guard window.range.count < 4_096 else { return }
    let low = random.pick(0...layout.count)
    let held = low..<min(layout.count, low + random.pick(0...30))
    var expected: [Slot] = []
    for item in layout.window(of: held, pools: pools).items
    where !window.items.contains(where: { $0.slot == item.slot }) && !expected.contains(item.slot) {
      expected.append(item.slot)
    }
    #expect(layout.slots(leaving: held, for: window, pools: pools) == expected)
    #expect(layout.slots(leaving: Int.min..<Int.min + 1, for: window, pools: pools).isEmpty)
  }

  @Test func `groups are in the lap of the query and end with it`() {
    let item = StripItem(size: ItemSize(width: .px(100)), kind: Kind(number: 0))
    var strip = Strip(kinds: ["card"], items: Array(repeating: item, count: 6))
    strip.setGroup("a", for: 0..<2)
    strip.setGroup("b", for: 3..<5)
    strip.setGroup("a", for: 5..<6)
    let layout = StripLayout(strip, height: .px(100), wraps: true)
    let first = PlacedGroup(title: "a", first: 0, end: 2, start: .zero)
    #expect(layout.group(at: 1) == first)
    #expect(layout.group(at: 2) == nil)
    #expect(layout.group(at: -1)?.first == -1 && layout.group(at: -1)?.end == 0)
    #expect(layout.group(at: 6 * 5 + 4)?.start == .px(3_300))
    let general = Layout(layout)
    #expect(Array(general.groups()).map(\.first) == [0, 3, 5])
    #expect(Array(general.groups(from: 2)).map(\.first) == [3, 5])
  }
}
