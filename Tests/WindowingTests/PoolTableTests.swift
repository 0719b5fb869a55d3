import Testing
import Windowing

@Suite("A table of pools")
struct PoolTableTests {
  /// Thousands of items, so that the tree has many chunks, and stretches from a few items to more
  /// than the strip.
  @Test("follows edits near and far apart exactly, at every stretch", arguments: 0..<6)
  func followsEdits(seed: Int) {
    var random = SeededRandom(seed: seed)
    let kinds = kindNames(4)
    var strip = Strip(
      kinds: kinds,
      items: (0..<40_000).map { _ in
        StripItem(
          size: ItemSize(width: .px(random.pick(0...60))),
          kind: Kind(number: random.pick(0...(seed % 2 == 0 ? 2 : 3))))
      })
    var table = PoolTable()
    let stretches = [200, 3_000, 60_000, 262_144].map { Length.px($0) }
    for step in 0..<25 {
      let low = random.pick(0...strip.count - 100)
      switch step % 5 {
      case 0: strip[low] = random.item(kinds: 4)
      case 1: strip.move(low..<low + 3, to: random.pick(0...strip.count))
      case 2: strip.insert(random.item(kinds: 4), at: random.pick(0...strip.count))
      case 3: strip.remove(low..<low + random.pick(0...90))
      default:
        strip.insert(
          contentsOf: Strip(kinds: kinds, repeating: [random.item(kinds: 4)], count: 5_000), at: low
        )
      }
      let layout = Layout(strip, height: .px(64), gap: .px(seed % 2), wraps: seed % 3 == 0)
      for stretch in step % 3 == 0 ? stretches : Array(stretches.prefix(2)) {
        #expect(
          table.pools(of: layout, stretch: stretch) == layout.pools(stretch: stretch),
          "seed \(seed), step \(step), \(stretch) px")
      }
    }
  }

  @Test("keeps strips apart that it is asked about in turn")
  func strips() {
    var random = SeededRandom(seed: 1)
    let layouts = (0..<3).map { _ in
      Layout(Strip(kinds: kindNames(2), items: random.items(count: 700, kinds: 2)), height: .px(64))
    }
    var table = PoolTable(capacity: 1)
    for step in 0..<12 {
      let layout = layouts[step % 3]
      #expect(table.pools(of: layout, stretch: .px(500)) == layout.pools(stretch: .px(500)))
    }
    #expect(table.pools(of: Layout(Strip(), height: .px(64)), stretch: .px(8)) == Pools([]))
  }
}
