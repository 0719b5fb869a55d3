import Catalogue
import CatalogueTesting
import Items
import Synchronization
import Testing
import Views
import Windowing

@Suite struct ColumnCacheTests {
  @Test func `a change of several revisions at once counts for each of them`() {
    let columns = ColumnCache(at: 1)
    columns.record([5], appendedFrom: nil, at: 3)
    columns.record([7], appendedFrom: nil, at: 4)
    let sortKeys = SortKeys.indices(count: 10)
    #expect(columns.changedSortKeys(from: (1, sortKeys), to: (2, sortKeys)) == [5])
    #expect(columns.changedSortKeys(from: (3, sortKeys), to: (2, sortKeys)) == [5])
    #expect(columns.changedSortKeys(from: (3, sortKeys), to: (4, sortKeys)) == [7])
    #expect(columns.changedSortKeys(from: (4, sortKeys), to: (1, sortKeys)) == [5, 7])
    #expect(columns.changedSortKeys(from: (4, sortKeys), to: (0, sortKeys)) == nil)
  }

  @Test func `of many edits the last ones are remembered`() {
    let columns = ColumnCache(at: 0)
    let sortKeys = SortKeys.indices(count: 10)
    for revision in 1...100_000 { columns.record([5], appendedFrom: nil, at: Int64(revision)) }
    #expect(columns.changedSortKeys(from: (0, sortKeys), to: (100_000, sortKeys)) == nil)
    #expect(columns.changedSortKeys(from: (80_000, sortKeys), to: (100_000, sortKeys)) == [5])
    #expect(columns.changedSortKeys(from: (99_999, sortKeys), to: (100_000, sortKeys)) == [5])
  }

  @Test func `columns evict others while they are built`() throws {
    let whole = MemoryBudget(limit: 1_000_000)
    let items = try (0..<40_000).map {
      try Item(id: "i\($0)", fields: Fields([("title", .string("title \($0)"))]))
    }
    let constant = try Snapshot(
      name: "s", settings: StripSettings(title: "s"), revision: 1, items: items)
    let snapshot = Snapshot(
      name: "s", settings: constant.settings, revision: 1, strip: constant.strip,
      source: constant.source,
      columns: ColumnCache(at: 1, memory: MemoryBudget(within: whole)))
    let other = Mutex<MemoryReservation?>(MemoryReservation(900_000, of: whole))
    let used = Mutex<Int?>(nil)
    whole.addCache {
      used.withLock { $0 = $0 ?? whole.used }
      return other.withLock { other in
        defer { other = nil }
        return other != nil
      }
    }
    _ = try snapshot.columns.columns(of: snapshot, RequiredColumns(fields: ["title"], words: false))
    #expect(other.withLock { $0 } == nil)
    // One segment of eight is built. Its texts take about 100 bytes each.
    #expect(try #require(used.withLock { $0 }) < 2_000_000)
    #expect(whole.used > 2_500_000)
  }

  @Test func `items that were appended count as changed`() {
    let columns = ColumnCache(at: 1)
    columns.record([], appendedFrom: 8, at: 2)
    let (old, new) = (SortKeys.indices(count: 8), SortKeys.indices(count: 10))
    #expect(columns.changedSortKeys(from: (1, old), to: (2, new)) == [8, 9])
    #expect(columns.changedSortKeys(from: (1, old), to: (2, new), limit: 1) == nil)
  }

  @Test func `a view follows an edit without a wait once the columns that it needs are there`()
    throws
  {
    var settings = StripSettings(title: "s")
    settings.filterable = ["year"]
    settings.searchable = ["title"]
    func items(_ year: Int) throws -> [Item] {
      try (0..<9).map { number in
        let json = #"{"title":"Red \#(number)","year":\#(number == 4 ? year : 1900 + number)}"#
        return try Item(id: "i\(number)", fields: Fields(json: Array(json.utf8)))
      }
    }
    let old = try Snapshot(name: "s", settings: settings, revision: 1, items: items(1904))
    let edited = try Snapshot(name: "s", settings: settings, revision: 2, items: items(1850))
    let new = Snapshot(
      name: "s", settings: settings, revision: 2, strip: edited.strip, source: edited.source,
      columns: old.columns)
    let columns = new.columns
    func view(_ parameter: ViewQuery.Parameter, _ text: String) throws -> StripView {
      var query = ViewQuery()
      try query.set(parameter, to: text)
      return try StripView.make(query, of: old, list: nil)
    }
    let views = try [
      view(.filter, "year < 1904"), view(.search, "red 4"), view(.filter, "kind = card"),
    ]
    columns.record([4], appendedFrom: nil, at: 2)
    func counts() -> [Int?] { views.map { $0.cachedUpdated(to: new)?.snapshot.strip.count } }
    #expect(counts() == [nil, nil, nil])
    _ = try columns.columns(of: new, RequiredColumns(fields: ["year"], words: true))
    #expect(counts() == [5, 1, 9])
  }

  @Test func `a filter by id needs no column, before and after an edit`() throws {
    func items(_ ids: [String]) throws -> [Item] {
      try ids.map { try Item(id: $0, fields: Fields()) }
    }
    let settings = StripSettings(title: "s")
    let old = try Snapshot(
      name: "s", settings: settings, revision: 1, items: items(["a", "7", "b", "c", "d"]))
    // The edit removes "b" and adds "x" at the end.
    let edited = try Snapshot(
      name: "s", settings: settings, revision: 2, items: items(["a", "7", "y", "c", "d", "x"]))
    let new = Snapshot(
      name: "s", settings: settings, revision: 2, strip: edited.strip, source: edited.source,
      columns: old.columns)
    new.columns.record([2, 5], appendedFrom: nil, at: 2)
    for (filter, before, after) in [
      ("id IN [x, b, 7, none]", ["7", "b"], ["7", "x"]), ("id = 7", ["7"], ["7"]),
      ("id != b", ["a", "7", "c", "d"], ["a", "7", "y", "c", "d", "x"]),
      ("NOT id IN [a, x] AND id EXISTS", ["7", "b", "c", "d"], ["7", "y", "c", "d"]),
      ("id = b OR id = d", ["b", "d"], ["d"]),
      (
        "id EXISTS AND NOT id = a OR id = a",
        ["a", "7", "b", "c", "d"], ["a", "7", "y", "c", "d", "x"]
      ), ("id IN []", [], []),
    ] {
      var query = ViewQuery()
      try query.set(.filter, to: filter)
      func ids(_ view: StripView?) throws -> [String]? {
        guard let snapshot = view?.snapshot else { return nil }
        return try snapshot.source.contents(of: 0..<snapshot.strip.count).map(\.id)
      }
      let view = try StripView.make(query, of: old, list: nil)
      #expect(try ids(view) == before, "\(filter)")
      #expect(try ids(view.updated(to: new)) == after, "\(filter)")
      #expect(try ids(StripView.make(query, of: new, list: nil)) == after, "\(filter)")
      let indices = try view.snapshot.source.indices(of: before + ["none"])
      #expect(indices == Array(0..<before.count) + [nil], "\(filter)")
    }
    #expect(old.columns.memory.used < 2000)
    let query = ViewQuery()
    #expect(old.columns.cachedColumns(of: old, query.requiredColumns) == nil)
  }
}
