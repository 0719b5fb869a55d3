import Items
import Views

#if os(Linux)
  import CAllocator
  import Catalogue
  import CatalogueTesting
  import Glibc
  import Testing
  import Windowing

  /// What an object reserves is within a quarter of what the allocator counts. Each test is a process, so that
  /// no other test allocates meanwhile.
  @Suite struct CostTests {
    @Test func `of a dictionary, and with its ranks`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        for count in [1000, 100_000] {
          let budget = MemoryBudget()
          let dictionary = ValueDictionary(of: budget)
          try check("dictionary of \(count)", budget) {
            for number in 0..<count {
              _ = dictionary.code(of: Array("a text of a field, \(number)".utf8))
            }
            _ = dictionary.ranks
          }
        }
      }
      report(result)
    }

    @Test func `of columns, and of those after an edit`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let base = try snapshot()
        let budget = base.columns.memory
        let need = RequiredColumns(fields: ["year", "artist", "kind"], words: true)
        let columns = try check("columns", budget) {
          try ColumnReader(base, fields: need.fields, searched: ["title"]).read(
            segments: ColumnStore(count: base.strip.count).starts)
        }
        let item = try base.source.items(in: 7..<8)[0]
        _ = try check("columns after an edit", budget) {
          columns.applying(
            stride(from: 0, to: base.strip.count, by: 3000).map {
              ItemChange(index: $0, existed: true, item: item)
            })
        }
      }
      report(result)
    }

    @Test func `of views, of lists, and of those after an edit`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let base = try snapshot()
        let ids = try base.source.contents(of: 0..<20_000).map(\.id)
        let next = Snapshot(
          name: "s", settings: base.settings, revision: 2, strip: base.strip, source: base.source,
          columns: base.columns)
        let changed = stride(from: 50, to: 60_000, by: 3000).map { Int64($0) }
        base.columns.record(changed, appendedFrom: nil, at: 2)
        for (filter, sort, list) in [
          ("year < 1960", "", nil), ("year < 1902", "", nil), ("year < 1960", "artist", nil),
          ("", "title", nil), ("", "", ids), ("", "-year", ids),
        ] as [(String, String, [String]?)] {
          var query = ViewQuery()
          try query.set(.filter, to: filter)
          try query.set(.sort, to: sort)
          if list != nil { try query.set(.list, to: String(repeating: "a", count: 43)) }
          // The columns count for the strip.
          _ = try StripView.make(query, of: base, list: list)
          _ = try StripView.make(query, of: next, list: list)
          let budget = MemoryBudget()
          let view = try check("\(filter), \(sort), \(list != nil)", budget) {
            // The ids of a request are strings of their own.
            let ids = list.map { $0.map { String(decoding: Array($0.utf8), as: UTF8.self) } }
            return try StripView.make(query, of: base, list: ids, memory: budget)
          }
          guard list == nil else { continue }
          _ = try check("  after an edit", budget) { try view.updated(to: next) }
        }
      }
      report(result)
    }

    @Test func `of facets`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let base = try snapshot()
        let budget = MemoryBudget()
        func facets() throws -> Facets {
          try Facets(
            of: ["year", "artist", "title"], limit: 1000, ViewQuery(), of: base, list: nil,
            memory: budget)
        }
        _ = try facets()
        _ = try check("facets", budget, facets)
      }
      report(result)
    }

    @Test func `of a layout, of its sort keys, and of those after an edit`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let sizes = try (0..<200_000).map { try Item(id: "i", width: .px(10 + $0 % 90)) }
        let items = sizes.map {
          StripItem(size: ItemSize(width: $0.width ?? .zero), kind: Kind(number: 0))
        }
        let budget = MemoryBudget()
        var reservations: [MemoryReservation] = []
        reservations.reserveCapacity(4)
        let placed = try check("layout", budget) {
          var sortKeys = SortKeys()
          for start in stride(from: 0, to: 200_000, by: 1000) {
            let chunk = (start..<start + 1000).map { Int64($0 * 64 + $0 % 3) }
            if let chunk = SortKeys.Chunk(chunk) { sortKeys.append(chunk) }
          }
          let placed = IndexedStrip(Strip(kinds: ["card"], items: items), at: sortKeys)
          reservations.append(MemoryReservation(placed.cost + sortKeys.cost, of: budget))
          return placed
        }
        let changes = GeometryChanges(
          stride(from: 10_000, to: 200_000, by: 10_000).map { index in
            let sortKey = placed.sortKeys[index]
            let state = GeometryChange.State(
              PackedSizeAndKind(aspect: nil, width: .px(7), kind: 0), group: nil)
            return GeometryChange(sortKey: sortKey + 10, before: nil, after: state)
          })
        _ = try check("layout after an edit", budget) {
          var next = placed
          try next.apply(changes, itemWidth: .px(10))
          reservations.append(
            MemoryReservation(
              IndexedStrip.cost(ofChanges: changes.count)
                + next.sortKeys.cost(beside: placed.sortKeys), of: budget))
          return next
        }
      }
      report(result)
    }

    @Test func `of a layout with groups`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let items = (0..<200_000).map {
          StripItem(size: ItemSize(width: .px(10 + $0 % 90)), kind: Kind(number: 0))
        }
        let budget = MemoryBudget()
        var reservations: [MemoryReservation] = []
        reservations.reserveCapacity(1)
        _ = try check("layout with groups", budget) {
          var strip = Strip(kinds: ["card"], items: items)
          strip.setGroups((0..<100_000).map { ("group \($0)", 2) })
          guard let chunk = SortKeys.Chunk((0..<200_000).map { Int64($0) }) else {
            return strip
          }
          var sortKeys = SortKeys()
          sortKeys.append(chunk)
          reservations.append(MemoryReservation(IndexedStrip(strip, at: sortKeys).cost, of: budget))
          return strip
        }
      }
      report(result)
    }

    @Test func `of pools`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let base = try snapshot(400_000)
        let budget = MemoryBudget()
        let pools = SharedLayoutCache(memory: budget)
        _ = try check("pools", budget) {
          let query = SharedLayoutCache.Query(.strip(height: .px(100), wraps: false), base.settings)
          for width in 1...20 {
            _ = try pools.layout(query, of: base.strip, poolLength: .px(100 * width))
          }
        }
      }
      report(result)
    }
  }

  /// Prints the figures.
  private func report(_ result: ExitTest.Result?) {
    let figures = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    print(figures)
    #expect(figures.contains("bytes") && !figures.contains("wrong"))
  }

  private func snapshot(_ count: Int = 60_000) throws -> Snapshot {
    var settings = StripSettings(title: "s")
    settings.filterable = ["year", "artist", "title"]
    settings.searchable = ["title"]
    let items = try (0..<count).map { number in
      try Item(
        id: "an id of the item \(number)", width: .px(10 + number % 90),
        fields: Fields([
          ("title", .string("The title of number \(number)")),
          ("year", .number("\(1900 + number % 100)")),
          ("artist", .string("a\(number % 3000)")),
        ]))
    }
    return try Snapshot(name: "s", settings: settings, revision: 1, items: items)
  }

  /// Compares what `build` reserves with the bytes that it allocates and keeps.
  private func check<Object>(
    _ name: String, _ budget: MemoryBudget, _ build: () throws -> Object
  ) throws -> Object {
    let before = (budget.used, Int(allocated_bytes()))
    let object = try build()
    let (said, real) = (budget.used - before.0, Int(allocated_bytes()) - before.1)
    // Of a small object the allocator's own rounding is more than a quarter.
    let isRight = abs(said - real) * 4 <= max(real, 4096)
    let line = "\(name): \(said) for \(real) bytes\(isRight ? "" : ": wrong")\n"
    _ = line.utf8.withContiguousStorageIfAvailable {
      write(STDERR_FILENO, $0.baseAddress, $0.count)
    }
    return object
  }
#endif
