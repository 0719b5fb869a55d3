import RandomTesting
import Testing
import Windowing

struct SnapshotTests {
  @Test(arguments: 0..<30)
  func `two orders of the same edits give equal strips, layouts and windows`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let start = Strip(kinds: kindNames(3), items: random.items(count: 3_000, kinds: 3))
    // Edits of single items commute. One strip inserts from the end, the other from the start.
    let changes = (0..<60).map { _ in (random.pick(0...2_999), random.item(kinds: 3)) }
    let chosen = Dictionary(changes, uniquingKeysWith: { first, _ in first })
    let additions = Set((0..<40).map { _ in random.pick(0...3_000) }).sorted()
    let added = additions.map { ($0, random.item(kinds: 3)) }
    var (one, other) = (start, start)
    for (place, item) in chosen { one[place] = item }
    for (place, item) in added.reversed() { one.insert([item], at: place, group: "new") }
    for (count, (place, item)) in added.enumerated() {
      other.insert([item], at: place + count, group: "new")
    }
    for (place, item) in chosen.sorted(by: { $0.key > $1.key }) {
      other[place + additions.count { $0 <= place }] = item
    }
    #expect(one == other, "seed \(seed)")
    let (a, b) = (
      StripLayout(one, height: .px(120), gap: .px(2), wraps: true),
      StripLayout(other, height: .px(120), gap: .px(2), wraps: true)
    )
    let pools = a.pools(poolLength: .px(3_000))
    #expect(pools == b.pools(poolLength: .px(3_000)))
    for _ in 0..<20 {
      let x = Length(units: Int64(random.pick(-100_000...Int(min(a.extent.units, 1 << 40)))))
      #expect(
        try a.window(meeting: x..<x + .px(3_000), pools: pools)
          == b.window(meeting: x..<x + .px(3_000), pools: pools))
    }
  }

  /// Also run this with `swift test --sanitize thread` and `--sanitize address`.
  @Test func `snapshots do not change while a writer edits`() async throws {
    var random = SeededRandom(seed: 9)
    let first = Strip(kinds: kindNames(3), items: random.items(count: 20_000, kinds: 3))
    let total = first.totals
    let (snapshots, feed) = AsyncStream.makeStream(of: Strip.self)
    let writer = Task { [first] in
      var random = SeededRandom(seed: 10)
      var strip = first
      for step in 0..<400 {
        // Moves do not change the sums over all items.
        let low = random.pick(0...strip.count - 5)
        strip.move(low..<low + random.pick(1...5), to: random.pick(0...strip.count))
        if step % 4 == 0 { feed.yield(strip) }
      }
      feed.finish()
      return strip
    }
    await withTaskGroup(of: Void.self) { readers in
      for await snapshot in snapshots {
        readers.addTask {
          let layout = StripLayout(snapshot, height: .px(90), gap: .px(1), wraps: true)
          #expect(snapshot.totals(before: snapshot.count) == total)
          let pools = layout.pools(poolLength: .px(500))
          let middle = Length(units: layout.extent.units / 2)
          let window = try? layout.window(meeting: middle..<middle + .px(500), pools: pools)
          #expect(window.map { Set($0.items.map(\.slot)).count == $0.items.count } == true)
        }
      }
    }
    #expect(await writer.value.totals == total)
    #expect(first.items(0..<5) == Array(first.items(0..<first.count).prefix(5)))
  }
}
