#if os(Linux)
  import CAllocator
  import Glibc
  import RandomTesting
  import Testing
  import Windowing

  /// What a cache of layouts says that it takes is within a quarter of what the allocator counts. The test
  /// is a process, so that no other test allocates meanwhile.
  @Suite struct LayoutCostTests {
    @Test func `the cost of a cache is its memory, also after edits`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        var random = SeededRandom(seed: 1)
        let items = random.pictures(200_000, kinds: 2)
        var strip = Strip(kinds: ["card", "wide"], items: items)
        strip.setGroups((0..<2_000).map { ("\($0)", items.count / 2_000) })
        let cell = Aspect(units: 65_536)
        let list = LayoutRule.list(width: .px(900), itemHeight: .px(40), caption: .zero)
        let rows = (0..<20).map {
          LayoutRule.rows(width: .px(800 + $0), row: .px(90), cell: cell)
        }
        let grids = (1..<9).map {
          LayoutRule.grid(width: .px(900), columns: .count($0), cell: cell, caption: .zero)
        }
        for (name, rules) in [("list", [list]), ("rows", rows), ("grids", grids)] {
          var cache = LayoutCache()
          let before = Int(allocated_bytes())
          func check(_ moment: String) {
            let (said, real) = (cache.cost, Int(allocated_bytes()) - before)
            let isRight = abs(said - real) * 4 <= real
            let line = "\(name)\(moment): \(said) for \(real) bytes\(isRight ? "" : ": wrong")\n"
            _ = line.utf8.withContiguousStorageIfAvailable {
              write(STDERR_FILENO, $0.baseAddress, $0.count)
            }
          }
          for rule in rules { _ = cache.layout(of: strip, rule, gap: .px(8)) }
          check("")
          for rule in rules {
            guard let made = cache.layout(of: strip, rule, gap: .px(8)) else { continue }
            for poolLength in [300, 900] { _ = cache.pools(of: made, poolLength: .px(poolLength)) }
          }
          check(" with pools")
          // The strip of the cache is that of the test, so it takes no memory of its own.
          for step in 0..<400 {
            strip[step * 450] = items[step]
            _ = cache.layout(of: strip, rules[0], gap: .px(8))
          }
          check(" after edits")
        }
      }
      let figures = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      print(figures)
      #expect(figures.contains("after edits") && !figures.contains("wrong"))
    }
  }
#endif
