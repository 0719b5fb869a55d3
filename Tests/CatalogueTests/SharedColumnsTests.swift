import Testing

@testable import Catalogue

@Suite struct SharedColumnsTests {
  @Test func `a change of several revisions at once counts for each of them`() {
    let columns = SharedColumns(at: 1)
    columns.record([5], appendedFrom: nil, at: 3)
    columns.record([7], appendedFrom: nil, at: 4)
    let keys = ItemKeys.indices(count: 10)
    #expect(columns.changedKeys(from: (1, keys), to: (2, keys)) == [5])
    #expect(columns.changedKeys(from: (3, keys), to: (2, keys)) == [5])
    #expect(columns.changedKeys(from: (3, keys), to: (4, keys)) == [7])
    #expect(columns.changedKeys(from: (4, keys), to: (1, keys)) == [5, 7])
    #expect(columns.changedKeys(from: (4, keys), to: (0, keys)) == nil)
  }

  @Test func `of many edits the last ones are remembered`() {
    let columns = SharedColumns(at: 0)
    let keys = ItemKeys.indices(count: 10)
    for revision in 1...100_000 { columns.record([5], appendedFrom: nil, at: Int64(revision)) }
    #expect(columns.changedKeys(from: (0, keys), to: (100_000, keys)) == nil)
    #expect(columns.changedKeys(from: (80_000, keys), to: (100_000, keys)) == [5])
    #expect(columns.changedKeys(from: (99_999, keys), to: (100_000, keys)) == [5])
  }

  @Test func `items that were appended count as changed`() {
    let columns = SharedColumns(at: 1)
    columns.record([], appendedFrom: 8, at: 2)
    #expect(
      columns.changedKeys(from: (1, .indices(count: 8)), to: (2, .indices(count: 10))) == [8, 9])
  }

  @Test func `the items of an edit are looked up once for all views of the same columns`() throws {
    var settings = StripSettings(title: "s")
    settings.filterable = ["year"]
    settings.searchable = ["title"]
    func items(_ year: Int) throws -> [Item] {
      try (0..<9).map { number in
        let json = #"{"title":"Red \#(number)","year":\#(number == 4 ? year : 1900 + number)}"#
        return try Item(id: "i\(number)", fields: Fields(json: Array(json.utf8)))
      }
    }
    let old = try Edition(name: "s", settings: settings, revision: 1, items: items(1904))
    let edited = try Edition(name: "s", settings: settings, revision: 2, items: items(1850))
    let new = Edition(
      name: "s", settings: settings, revision: 2, strip: edited.strip, source: edited.source,
      columns: old.columns)
    let columns = new.columns
    columns.record([4], appendedFrom: nil, at: 2)
    func touched(_ fields: [FieldName], words: Bool = false) -> TouchedItems? {
      columns.cachedTouched(
        from: (1, old.source.keys), to: new, RequiredColumns(fields: fields, words: words))
    }
    #expect(touched(["year"]) == nil)
    _ = try columns.columns(of: new, RequiredColumns(fields: ["year"], words: true))
    let first = try #require(touched(["year"]))
    #expect(touched([], words: true) === first)
    let item = try #require(first.items.first)
    #expect(first.items.count == 1 && item.key == 4 && item.index == 4 && item.wasThere)
    #expect(item.values == ["year": FieldValue("1850")])
    #expect(item.words == [Array("red".utf8), Array("4".utf8)])
    // A column that a view needs later.
    #expect(touched(["id"]) == nil)
    _ = try columns.columns(of: new, RequiredColumns(fields: ["id"], words: false))
    #expect(touched(["id", "year"])?.items.first?.values["id"] == FieldValue("i4"))
  }
}
