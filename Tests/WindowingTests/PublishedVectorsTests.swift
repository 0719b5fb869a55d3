import Testing
import Windowing

struct PublishedVectorsTests {
  private func strip(_ widths: [Int]) -> Strip {
    Strip(
      kinds: ["card"],
      items: widths.map { StripItem(size: ItemSize(width: .px($0)), kind: Kind(number: 0)) })
  }

  @Test(arguments: PublishedVectors.visible)
  func `the items in a span are those of react-window`(vector: PublishedVectors.Visible) throws {
    let layout = StripLayout(strip(Array(repeating: 25, count: vector.count)), height: .px(180))
    let span = Length.px(vector.offset)..<Length.px(vector.offset + 100)
    #expect(try layout.items(meeting: span) == vector.first..<vector.end)
  }

  @Test(arguments: PublishedVectors.aligned)
  func `the offset for an index is that of react-window`(vector: PublishedVectors.Aligned) throws {
    let layout = StripLayout(strip(Array(repeating: 10, count: 10)), height: .px(180))
    for (index, offset) in vector.offsets.enumerated() {
      guard let offset else { continue }
      let found = try layout.offset(
        showing: index, vector.alignment, in: .px(50), from: .px(vector.current))
      #expect(found == .px(offset))
    }
  }

  @Test(arguments: PublishedVectors.snapped)
  func `snap offsets are those of Embla`(vector: PublishedVectors.Snapped) throws {
    let layout = StripLayout(
      strip(PublishedVectors.snappedSizes), height: .px(180), gap: .px(vector.gap),
      inset: .px(vector.inset))
    for (index, offset) in vector.offsets.enumerated() {
      #expect(
        try vector.alignment.offset(
          showing: Int(layout.start(of: index).units), Int(layout.end(of: index).units),
          in: .px(1_000), from: .zero) == .px(offset))
    }
  }

  @Test func `items that stay in view keep their slots, as in FlashList`() throws {
    // src/__tests__/RenderStackManager.test.ts: 15 items of two types in turn, 11 shown at once.
    let items = (0..<15).map {
      StripItem(size: ItemSize(width: .px(100)), kind: Kind(number: $0 % 2))
    }
    let layout = StripLayout(Strip(kinds: ["type1", "type2"], items: items), height: .px(180))
    let pools = layout.pools(poolLength: .px(1_100))
    let before = try layout.window(meeting: .zero..<Length.px(1_100), pools: pools)
    let after = try layout.window(meeting: Length.px(400)..<Length.px(1_500), pools: pools)
    #expect(before.range == 0..<11)
    #expect(after.range == 4..<15)
    let kept = before.items.filter { after.items.contains($0) }
    #expect(kept.map(\.index) == Array(4..<11))
    let used = Set(before.items.map(\.slot)).union(after.items.map(\.slot))
    for kind in pools.kinds { #expect(used.count { $0.kind == kind } <= pools[kind]) }
  }

  @Test func `items end and begin displaying as in ZXOptionBar`() throws {
    // Items 0..<8 are in view, then 2..<10.
    let layout = StripLayout(strip(Array(repeating: 10, count: 10)), height: .px(180))
    #expect(try layout.items(meeting: .zero..<Length.px(80)) == 0..<8)
    #expect(try layout.items(meeting: Length.px(20)..<Length.px(100)) == 2..<10)
  }

  @Test(arguments: PublishedVectors.reloaded)
  func `an offset is clamped after a reload as in MinScrollMenu`(vector: PublishedVectors.Reloaded)
  {
    let layout = StripLayout(strip(vector.extent > 0 ? [vector.extent] : []), height: .px(180))
    #expect(layout.clampedOffset(.px(vector.offset), in: .px(375)) == .px(vector.kept))
  }
}
