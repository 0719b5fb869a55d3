import RandomTesting
import Testing
import Windowing

/// Random edits of a strip, compared with the same edits of an array.
struct EditTests {
  @Test(arguments: 0..<24)
  func `every query is right after each of 1,000 edits`(seed: Int) throws {
    try run(seed: seed, size: [12, 60, 300][seed % 3], steps: 1_000, everything: seed % 3 < 2)
  }

  @Test(arguments: 100..<104)
  func `a tree with two levels of branches stays right`(seed: Int) throws {
    try run(seed: seed, size: 6_000, steps: 1_000, everything: false)
  }

  @Test(arguments: 200..<202)
  func `a tree built from segments stays right`(seed: Int) throws {
    try run(seed: seed, size: 6_000, steps: 300, everything: false, inSegments: true)
  }

  private func run(
    seed: Int, size: Int, steps: Int, everything: Bool, inSegments: Bool = false
  ) throws {
    let kinds = 1 + seed % 4
    var script = EditScript(random: SeededRandom(seed: seed), kinds: kinds, size: size)
    var model = NaiveStrip()
    model.replace(0..<0, with: script.random.items(count: size, kinds: kinds), group: nil)
    var strip =
      inSegments
      ? Strip(kinds: kindNames(kinds), segments: segments(of: model.items))
      : Strip(kinds: kindNames(kinds), items: model.items)
    var cache = PoolCache(capacity: 3)
    var snapshots: [(Strip, NaiveStrip)] = []
    for step in 0..<steps {
      if step % 97 == 0 { snapshots.append((strip, model)) }
      script.step(&strip, &model)
      let here = Comment(rawValue: "seed \(seed), step \(step)")
      try #require(strip.root?.brokenInvariant() == nil, here)
      try #require(strip.count == model.items.count, here)
      let full = everything && (size < 50 || step % 5 == 0) || step % 250 == 249
      try check(strip, model, indices: sample(full, model.items.count, &script.random), here)
      if step % 5 == 0 {
        checkPools(strip, model, &cache, step, here)
      }
    }
    for (old, then) in snapshots {
      #expect(old.items(0..<old.count) == then.items, "seed \(seed): an older snapshot changed")
      #expect(Array(old.groupRuns(from: 0)) == then.runs)
    }
  }

  private func sample(_ full: Bool, _ count: Int, _ random: inout SeededRandom) -> [Int] {
    full || count < 4 ? Array(0..<count) : (0..<4).map { _ in random.pick(0...count - 1) }
  }

  private func check(_ strip: Strip, _ model: NaiveStrip, indices: [Int], _ here: Comment) throws {
    var place = 0
    var totals = Totals(count: 0, aspectUnits: 0, widthUnits: 0)
    var ranks: [Kind: Int] = [:]
    for index in indices.sorted() {
      while place < index {
        totals.count += 1
        totals.aspectUnits += Int(model.items[place].size.aspect.units)
        totals.widthUnits += Int(model.items[place].size.width.units)
        if !model.items[place].size.isHidden { ranks[model.items[place].kind, default: 0] += 1 }
        place += 1
      }
      let item = model.items[index]
      try #require(strip[index] == item, here)
      #expect(strip.totals(before: index) == totals, here)
      let rank = ranks[item.kind, default: 0]
      let found = strip.root?.ranks(before: index, kinds: strip.kinds.count)
      #expect(found?[Int(item.kind.number)] == rank, here)
      let title = model.groups[index]
      let run = strip.groupRun(at: index)
      #expect(run.map { Array($0.title.utf8) } == title.map { Array($0.utf8) }, here)
      if let run { #expect(run.range.contains(index), here) }
    }
    if let middle = indices.sorted().dropFirst(indices.count / 2).first {
      let rest = model.runs.filter { $0.range.upperBound > middle }
      #expect(Array(strip.groupRuns(from: middle)) == rest, here)
    }
    if indices.count == model.items.count {
      #expect(Array(strip.groupRuns(from: 0)) == model.runs, here)
      #expect(strip == rebuilt(strip, model), here)
      let used = Set(model.items.map(\.kind)).sorted().map { strip.kinds[Int($0.number)] }
      #expect(strip.kindsInUse == used, here)
    }
  }

  /// A new strip with the items and groups of the model.
  private func rebuilt(_ strip: Strip, _ model: NaiveStrip) -> Strip {
    var built = Strip(kinds: strip.kinds, items: model.items)
    for run in model.runs { built.setGroup(run.title, for: run.range) }
    return built
  }

  private func checkPools(
    _ strip: Strip, _ model: NaiveStrip, _ cache: inout PoolCache, _ step: Int, _ here: Comment
  ) {
    let poolLength = Length.px([100, 900, 20_000, 262_144][step / 5 % 4])
    let wraps = step % 40 < 20
    let layout = StripLayout(strip, height: .px(180), gap: .px(step / 40 % 2), wraps: wraps)
    let fresh = StripLayout(rebuilt(strip, model), height: .px(180), gap: layout.gap, wraps: wraps)
    #expect(
      cache.pools(of: layout, poolLength: poolLength) == fresh.pools(poolLength: poolLength), here)
  }
}
