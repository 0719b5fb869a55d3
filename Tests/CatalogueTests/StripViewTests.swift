import Catalogue
import CatalogueTesting
import Items
import RandomTesting
import Testing
import Views
import Windowing

@Suite struct StripViewTests {
  private static func items(_ count: Int, seed: UInt64) throws -> [Item] {
    var random = SeededRandom(seed: seed)
    return try (0..<count).map { number in
      var fields: [(String, Fields.Value)] = []
      if random.next(below: 4) > 0 {
        fields.append(("artist", .string("a\(random.next(below: 7))")))
      }
      if random.next(below: 5) > 0 {
        fields.append(("year", .number("\(1900 + random.next(below: 30))")))
      }
      if random.next(below: 3) > 0 {
        fields.append(
          (
            "title",
            .string(
              "\(["Red", "blue", "Grün", "x\"y"][random.next(below: 4)]) \(random.next(below: 20))")
          ))
      }
      return try Item(
        id: "i\(number)", kind: ["card", "album"][random.next(below: 2)],
        aspect: random.next(below: 3) == 0
          ? nil : Aspect(units: UInt32(random.next(below: 200_000))),
        width: random.next(below: 2) == 0 ? nil : Length(units: Int64(random.next(below: 9000))),
        group: random.next(below: 3) == 0 ? nil : "g\(number / 5)", fields: Fields(fields))
    }
  }

  @Test(arguments: [
    "artist=a1", "NOT artist EXISTS", "year 1905 TO 1912 OR artist IN [a2,a3]",
    #"kind = album AND (year >= 1910 OR title = "Red 3")"#,
    "id IN [i3, i299, i4, x] OR id = i7 AND artist EXISTS", "group = g4",
    "aspect > 1", "width EXISTS AND NOT aspect EXISTS", "title < Red",
  ])
  func `a view is the strip that an import of its items would make`(filter: String) throws {
    for (seed, sort) in ["", "year", "-artist,year", "group", "-width", "title,-kind"].enumerated()
    {
      // One sort has more items than a segment of the columns. The others have few items.
      let count = seed == 2 ? 5000 : 300
      let items = try Self.items(count, seed: UInt64(seed))
      var settings = StripSettings(title: "s")
      settings.itemWidth = .px(50)
      let base = try Snapshot(name: "s", settings: settings, revision: 1, items: items)
      var query = ViewQuery()
      try query.set(.filter, to: filter)
      if !sort.isEmpty { try query.set(.sort, to: sort) }
      let view = try StripView.make(query, of: base, list: nil)

      let chosen = items.filter { item in query.filter!.matches { item.value(of: $0) } }
      var expected = chosen
      if let first = query.sort.first {
        expected = chosen.enumerated().sorted { a, b in
          for field in query.sort {
            let (x, y) = (a.element.value(of: field.field), b.element.value(of: field.field))
            if field.precedes(x, y) { return true }
            if field.precedes(y, x) { return false }
          }
          return a.offset < b.offset
        }.map { _, item in
          item.inGroup(item.value(of: first.field).map { String(decoding: $0.text, as: UTF8.self) })
        }
      }
      let model = try Snapshot(name: "s", settings: settings, revision: 1, items: expected)
      #expect(try view.snapshot.source.items(in: 0..<expected.count) == expected, "\(sort)")
      #expect(view.snapshot.strip.count == expected.count)
      #expect(
        view.snapshot.strip.items(0..<expected.count).map(\.size)
          == model.strip.items(0..<expected.count).map(\.size))
      #expect(
        Array(view.snapshot.strip.groupRuns(from: 0)) == Array(model.strip.groupRuns(from: 0)))
      for index in stride(from: 0, to: expected.count, by: 37) {
        #expect(try view.snapshot.source.index(of: expected[index].id) == index)
      }
    }
  }

  @Test func `edits with ever-new values do not grow the dictionaries`() throws {
    var settings = StripSettings(title: "s")
    settings.filterable = ["price"]
    settings.searchable = ["title"]
    var random = SeededRandom(seed: 1)
    var number = 0
    func newItem(_ index: Int) throws -> Item {
      number += 1
      let price = number * 7919 % 1_000_003
      return try Item(
        id: "i\(index)",
        fields: Fields([("price", .number("\(price)")), ("title", .string("t\(number) all"))]))
    }
    var items = try (0..<100).map(newItem)
    var base = try Snapshot(name: "s", settings: settings, revision: 1, items: items)
    var query = ViewQuery()
    try query.set(.filter, to: "price > 200000")
    try query.set(.search, to: "all ")
    try query.set(.sort, to: "-price")
    var view = try StripView.make(query, of: base, list: nil)
    for revision in 2...150 {
      let changed = Set((0..<20).map { _ in random.next(below: items.count) })
      for index in changed { items[index] = try newItem(index) }
      let edited = try Snapshot(
        name: "s", settings: settings, revision: Int64(revision), items: items)
      base = Snapshot(
        name: "s", settings: settings, revision: Int64(revision), strip: edited.strip,
        source: edited.source, columns: base.columns)
      base.columns.record(changed.map(Int64.init), appendedFrom: nil, at: Int64(revision))
      view = try #require(try view.updated(to: base))
      guard revision % 10 == 0 else { continue }
      let expected = try query.items(of: items, searchable: settings.searchable)
      #expect(try view.snapshot.source.items(in: 0..<expected.count) == expected)
    }
    let columns = try base.columns.columns(of: base, view.need)
    #expect(number > 2500)
    #expect(columns.column("price").dictionary.snapshot.count < 2 * items.count + 1100)
    #expect(try #require(columns.words).dictionary.snapshot.count < 2 * items.count + 1100)
    #expect(base.columns.memory.used < 400_000)
    let made = try StripView.make(query, of: base, list: nil)
    #expect(made.snapshot.strip.count == view.snapshot.strip.count)
  }

  @Test func `a view that does not fit in memory is not built`() throws {
    let base = try Snapshot(
      name: "s", settings: StripSettings(title: "s"), revision: 1, items: Self.items(5000, seed: 1))
    let memory = MemoryBudget(limit: 20_000)
    for (filter, sort) in [("", "year"), ("artist EXISTS", ""), ("artist EXISTS", "year")] {
      var query = ViewQuery()
      try query.set(.filter, to: filter)
      try query.set(.sort, to: sort)
      #expect(throws: CatalogueError.tooLarge) {
        try StripView.make(query, of: base, list: nil, memory: memory)
      }
      #expect(memory.used == 0)
    }
    var query = ViewQuery()
    try query.set(.filter, to: "artist = a1 AND year = 1910")
    var view: StripView? = try StripView.make(query, of: base, list: nil, memory: memory)
    #expect(1500...20_000 ~= memory.used)
    let snapshot = view?.snapshot
    view = nil
    // A request that reads the view retains its memory.
    #expect(memory.used > 1500)
    withExtendedLifetime(snapshot) {}
  }

  private static func prices(_ count: Int) throws -> Snapshot {
    var settings = StripSettings(title: "s")
    settings.filterable = ["price"]
    return try Snapshot(
      name: "s", settings: settings, revision: 1,
      items: (0..<count).map {
        try Item(id: "i\($0)", fields: Fields([("price", .number("\($0 * 7919 % count)"))]))
      })
  }

  @Test func `a sort whose groups do not fit in memory is refused before the values are sorted`()
    throws
  {
    let base = try Self.prices(5000)
    var query = ViewQuery()
    try query.set(.sort, to: "price")
    _ = try base.columns.columns(of: base, query.requiredColumns)
    let columns = base.columns.memory.used
    // The items take 60,000 bytes, and 5,000 groups 400,000.
    let memory = MemoryBudget(limit: 200_000)
    #expect(throws: CatalogueError.tooLarge) {
      try StripView.make(query, of: base, list: nil, memory: memory)
    }
    #expect(base.columns.memory.used == columns)
    #expect(memory.used == 0)
    // Only the values of the selected items become groups.
    try query.set(.filter, to: "price < 1000")
    let view = try StripView.make(query, of: base, list: nil, memory: memory)
    #expect(view.snapshot.strip.runCount == 1000)
    #expect(80_000...120_000 ~= memory.used)
  }

  @Test func `facets that do not fit in memory are refused, and counted while they are retained`()
    throws
  {
    let base = try Self.prices(5000)
    let memory = MemoryBudget(limit: 3000)
    func facets(_ limit: Int) throws -> Facets {
      try Facets(of: ["price"], limit: limit, ViewQuery(), of: base, list: nil, memory: memory)
    }
    #expect(throws: CatalogueError.tooLarge) { try facets(1000) }
    #expect(memory.used == 0)
    let retained = try facets(20)
    #expect(500...3000 ~= memory.used)
    withExtendedLifetime(retained) {}
  }

  @Test(arguments: ["", "-artist,year"])
  func `a view retains neither the geometry nor the columns of its strip`(sort: String) throws {
    var base: Snapshot? = try Snapshot(
      name: "s", settings: StripSettings(title: "s"), revision: 1, items: Self.items(50, seed: 1))
    weak let snapshot = base
    weak let columns = base?.columns
    var query = ViewQuery()
    try query.set(.filter, to: "artist EXISTS")
    if !sort.isEmpty { try query.set(.sort, to: sort) }
    let view = try StripView.make(query, of: #require(base), list: nil)
    base = nil
    #expect(snapshot == nil)
    #expect(columns == nil)
    let id = try view.snapshot.source.contents(of: 0..<1)[0].id
    #expect(try view.snapshot.source.index(of: id) == 0)
  }
}
