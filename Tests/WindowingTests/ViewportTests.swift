import RandomTesting
import Testing
import Windowing

/// Anchors, snap positions and followers.
struct ViewportTests {
  private func items(_ widths: [Int]) -> [StripItem] {
    widths.map { StripItem(size: ItemSize(width: .px($0)), kind: Kind(number: 0)) }
  }

  private func layout(_ widths: [Int], gap: Int = 0, wraps: Bool = false) -> Layout {
    Layout(
      Strip(kinds: ["card"], items: items(widths)), height: .px(100), gap: .px(gap), wraps: wraps)
  }

  @Test(arguments: 0..<60)
  func `an anchor keeps its position during edits`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    var identities = Array(0..<80)
    let old = Layout(
      Strip(kinds: ["card"], items: items(identities.map { _ in random.pick(20...200) })),
      height: .px(100), gap: .px(3), wraps: seed % 2 == 0)
    var strip = old.strip
    var edits: [StripEdit] = []
    for step in 0..<6 {
      let low = random.pick(0...strip.count)
      let high = min(strip.count, low + random.pick(0...8))
      let new = items((0..<random.pick(1...4)).map { _ in random.pick(20...200) })
      let edit: StripEdit =
        switch random.pick(0...3) {
        case 0: .insert(new, at: low)
        case 1: .remove(low..<high)
        case 2: .update(at: low, to: items((low..<high).map { _ in random.pick(20...200) }))
        default: .move(low..<high, to: random.pick(0...strip.count))
        }
      strip.apply(edit)
      edits.append(edit)
      identities = moved(identities, edit, fresh: 1_000 * (step + 1))
    }
    #expect(identities.count == strip.count, "seed \(seed)")
    let new = Layout(strip, height: .px(100), gap: .px(3), wraps: old.wraps)
    let width = Length.px(300)
    for index in 0..<80 {
      let px = Length.px(random.pick(-50...250))
      let offset = try new.offset(
        keeping: Anchor(index: index, px: px), after: edits, of: old, in: width)
      let before = old.start(of: index) - px
      let survivor = (0..<80).flatMap { [index - $0, index + $0] }
        .first { identities.contains($0) && $0 >= 0 && $0 < 80 }
      guard let survivor, let place = identities.firstIndex(of: survivor) else { continue }
      let wanted = new.start(of: place) - (old.start(of: survivor) - before)
      if new.wraps {
        #expect((offset - wanted).units % new.extent.units == 0, "seed \(seed)")
      } else {
        #expect(offset == new.clampedOffset(wanted, in: width), "seed \(seed)")
      }
    }
  }

  /// Applies an edit to an array of names.
  private func moved(_ names: [Int], _ edit: StripEdit, fresh: Int) -> [Int] {
    var names = names
    switch edit {
    case .insert(let new, let index, _):
      names.insert(contentsOf: new.indices.map { fresh + $0 }, at: index)
    case .remove(let range): names.removeSubrange(range)
    case .update: break
    case .move(let range, let destination):
      let taken = Array(names[range])
      let target = destination - range.count { $0 < destination }
      names.removeSubrange(range)
      names.insert(contentsOf: taken, at: target)
    }
    return names
  }

  @Test func `the anchor is the first item entirely in view, or else partly in view`() throws {
    let layout = layout([100, 100, 400, 100])
    #expect(try layout.anchor(at: .px(50), in: .px(300)) == Anchor(index: 1, px: .px(50)))
    #expect(try layout.anchor(at: .px(250), in: .px(200)) == Anchor(index: 2, px: .px(-50)))
    #expect(try layout.anchor(at: .px(900), in: .px(200)) == nil)
  }

  @Test func `a snap position aligns the nearest item`() throws {
    let layout = layout([100, 200, 300, 400], gap: 10)
    #expect(
      try layout.snapPosition(nearest: .px(60), .start, in: .px(100))
        == SnapPosition(index: 1, offset: .px(110)))
    #expect(
      try layout.snapPosition(nearest: .px(54), .start, in: .px(100))
        == SnapPosition(index: 0, offset: .zero))
    #expect(
      try layout.snapPosition(nearest: .px(170), .center, in: .px(100))
        == SnapPosition(index: 1, offset: .px(160)))
    #expect(try layout.snapPosition(nearest: .px(5_000), .end, in: .px(100))?.index == 3)
    #expect(try self.layout([]).snapPosition(nearest: .zero, .start, in: .px(100)) == nil)
  }

  @Test(arguments: 0..<80)
  func `no snap position is nearer than the nearest, the next or the last before`(seed: Int) throws
  {
    var random = SeededRandom(seed: seed)
    let layout = layout(
      (0..<random.pick(1...40)).map { _ in random.pick(0...3) == 0 ? 0 : random.pick(1...300) },
      gap: random.pick(0...20), wraps: seed % 3 == 0)
    let width = Length.px(random.pick(1...(layout.wraps ? 60 : 500)))
    for alignment in [Alignment.start, .center, .end] {
      let x = layout.clampedOffset(
        Length(units: Int64(random.pick(-900...Int(layout.extent.units) + 900))), in: width)
      let found = try layout.snapPosition(nearest: x, alignment, in: width)
      let positions = try (layout.wraps ? -layout.count * 80..<layout.count * 80 : 0..<layout.count)
        .filter { layout.size(of: $0) > .zero }
        .map { try layout.offset(showing: $0, alignment, in: width) }
      let nearest = positions.map { ($0 - x).units.magnitude }.min()
      #expect(found.map { ($0.offset - x).units.magnitude } == nearest, "seed \(seed)")
      let after = try layout.snapPosition(after: x, by: .item, alignment, in: width)
      #expect(after?.offset == positions.filter { $0 > x }.min(), "seed \(seed) \(alignment)")
      let before = try layout.snapPosition(before: x, by: .item, alignment, in: width)
      #expect(before?.offset == positions.filter { $0 < x }.max(), "seed \(seed) \(alignment)")
    }
  }

  @Test func `a page step goes to the first item that is not entirely in view`() throws {
    let layout = layout(Array(repeating: 100, count: 10))
    #expect(
      try layout.snapPosition(after: .zero, by: .page, .start, in: .px(250))?.offset == .px(200))
    #expect(try layout.snapPosition(after: .px(750), by: .page, .start, in: .px(250)) == nil)
    #expect(
      try layout.snapPosition(before: .px(500), by: .page, .start, in: .px(300))?.offset == .px(200)
    )
    #expect(try layout.snapPosition(before: .zero, by: .page, .start, in: .px(300)) == nil)
  }

  @Test(arguments: 0..<40)
  func `a follower shows each window after steps and jumps`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let layout = layout(
      (0..<200).map { _ in random.pick(0...120) }, gap: random.pick(0...5), wraps: seed % 2 == 0)
    let width = Length.px(400)
    var follower = ViewportFollower(layout, pools: layout.pools(stretch: width))
    var shown: [Slot: Int] = [:]
    var x = Length.zero
    for _ in 0..<60 {
      x = x + Length.px(random.once(in: 3) ? random.pick(-9_000...9_000) : random.pick(-90...90))
      let change = try follower.move(to: x..<x + width)
      for item in change.didEndDisplaying {
        #expect(shown.removeValue(forKey: item.slot) == item.index, "seed \(seed)")
      }
      for item in change.willDisplay {
        #expect(shown.updateValue(item.index, forKey: item.slot) == nil, "seed \(seed)")
      }
      let window = try layout.window(meeting: x..<x + width, pools: follower.pools)
      #expect(Set(shown.values) == Set(window.items.map(\.index)), "seed \(seed)")
    }
    let ended = follower.follow(layout, pools: follower.pools).didEndDisplaying
    #expect(ended.count == shown.count)
  }
}
