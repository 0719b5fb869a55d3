import Testing
import Windowing

/// A precondition failure stops the process.
struct PreconditionTests {
  @Test func `sizes, kinds and lengths out of range trap`() async {
    await #expect(processExitsWith: .failure) { _ = Length(px: 1 << 48) }
    await #expect(processExitsWith: .failure) { _ = Kind(number: 64) }
    await #expect(processExitsWith: .failure) { _ = Kind(number: -1) }
    await #expect(processExitsWith: .failure) { _ = ItemSize(aspect: Aspect(units: 65_536_001)) }
    await #expect(processExitsWith: .failure) { _ = ItemSize(width: Length(units: -1)) }
    await #expect(processExitsWith: .failure) { _ = ItemSize(width: Length(units: 6_400_001)) }
    await #expect(processExitsWith: .failure) { _ = SizeClasses.roundedUp(.maximum + .unit) }
  }

  @Test func `layouts with an invalid height, gap or inset trap`() async {
    await #expect(processExitsWith: .failure) { _ = StripLayout(Strip(), height: .px(16_385)) }
    await #expect(processExitsWith: .failure) { _ = StripLayout(Strip(), height: -.unit) }
    await #expect(processExitsWith: .failure) {
      _ = StripLayout(Strip(), height: .px(100), gap: .px(65_537))
    }
    await #expect(processExitsWith: .failure) {
      _ = StripLayout(Strip(), height: .px(100), inset: -.unit)
    }
    await #expect(processExitsWith: .failure) {
      _ = StripLayout(Strip(), height: .px(9)).start(of: 0)
    }
    await #expect(processExitsWith: .failure) {
      _ = StripLayout(Strip(), height: .px(9)).window(of: 0..<1, pools: Pools([]))
    }
  }

  @Test func `too many kinds and duplicate kinds trap`() async {
    await #expect(processExitsWith: .failure) { _ = Strip(kinds: (0..<65).map(String.init)) }
    await #expect(processExitsWith: .failure) { _ = Strip(kinds: ["a", "a"]) }
    await #expect(processExitsWith: .failure) {
      var strip = Strip(kinds: (0..<64).map(String.init))
      _ = strip.kind(named: "another")
    }
    await #expect(processExitsWith: .failure) {
      let item = StripItem(size: ItemSize(width: .px(1)), kind: Kind(number: 1))
      _ = Strip(kinds: ["a"], items: [item])
    }
    await #expect(processExitsWith: .failure) {
      var strip = Strip(kinds: ["a"])
      strip.insert(contentsOf: Strip(kinds: ["b"]), at: 0)
    }
  }

  @Test func `empty patterns and sums that overflow trap`() async {
    await #expect(processExitsWith: .failure) {
      _ = Strip(kinds: ["a"], repeating: [StripItem](), count: 1)
    }
    await #expect(processExitsWith: .failure) {
      let item = StripItem(size: .hidden, kind: Kind(number: 0))
      _ = Strip(kinds: ["a"], repeating: [item], count: (1 << 40) + 1)
    }
    await #expect(processExitsWith: .failure) {
      let item = StripItem(size: ItemSize(aspect: .maximum), kind: Kind(number: 0))
      _ = Strip(kinds: ["a"], repeating: [item], count: 1 << 40)
    }
  }

  @Test func `edits and queries outside a strip trap`() async {
    await #expect(processExitsWith: .failure) { _ = Strip()[0] }
    await #expect(processExitsWith: .failure) { _ = Strip().groupRun(at: 0) }
    await #expect(processExitsWith: .failure) { _ = Strip().totals(before: 1) }
    await #expect(processExitsWith: .failure) { _ = Strip().items(0..<1) }
    await #expect(processExitsWith: .failure) { _ = Strip().slice(0..<1) }
    await #expect(processExitsWith: .failure) {
      var strip = Strip()
      strip.remove(0..<1)
    }
    await #expect(processExitsWith: .failure) {
      var strip = Strip()
      strip.insert([StripItem](), at: 1)
    }
    await #expect(processExitsWith: .failure) {
      var strip = Strip()
      strip.replace(0..<1, with: [])
    }
    await #expect(processExitsWith: .failure) {
      var strip = Strip()
      strip.move(0..<0, to: 1)
    }
    await #expect(processExitsWith: .failure) {
      var strip = Strip()
      strip.setGroup("a", for: 0..<1)
    }
    await #expect(processExitsWith: .failure) {
      var strip = Strip()
      strip.update(0, to: [StripItem(size: .hidden, kind: Kind(number: 0))])
    }
  }
}
