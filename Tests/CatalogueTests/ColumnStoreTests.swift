import Catalogue
import CatalogueTesting
import Items
import RandomTesting
import Testing
import Views

@Suite struct ColumnStoreTests {
  /// Changes that lengthen, shorten, divide and empty segments.
  @Test func `columns after changes are those of the changed items`() throws {
    var random = SeededRandom(seed: 1)
    var number = 0
    func newItem() throws -> Item {
      number += 1
      let year = Int.random(in: 0..<400, using: &random)
      var fields: [(String, Fields.Value)] = [("title", .string("Nº \(number % 90) red\(year)"))]
      if year % 5 > 0 { fields.append(("year", .number("\(year)"))) }
      return try Item(id: "i\(number)", fields: Fields(fields))
    }
    var settings = StripSettings(title: "s")
    settings.filterable = ["year"]
    settings.searchable = ["title"]
    var items = try (0..<9000).map { _ in try newItem() }
    let base = try Snapshot(name: "s", settings: settings, revision: 1, items: items)
    var columns = try base.columns.columns(of: base, RequiredColumns(fields: ["year"], words: true))
    for (inserted, removed) in [
      (1, 0), (0, 1), (9000, 3), (40, 3000), (0, 20_000), (0, 0), (5, 0), (0, 5), (7000, 0),
    ] {
      var changes: [ItemChange] = []
      var expected: [Item] = []
      let start = Int.random(in: 0...items.count, using: &random)
      for index in 0...items.count {
        for _ in 0..<(index == start ? inserted : 0) {
          expected.append(try newItem())
          changes.append(ItemChange(index: index, existed: false, item: expected.last))
        }
        guard index < items.count else { continue }
        if start..<start + removed ~= index || removed > items.count {
          changes.append(ItemChange(index: index, existed: true, item: nil))
        } else if Int.random(in: 0..<3000, using: &random) == 0 {
          expected.append(try newItem())
          changes.append(ItemChange(index: index, existed: true, item: expected.last))
        } else {
          expected.append(items[index])
        }
      }
      items = expected
      columns = columns.applying(changes)
      #expect(columns.count == items.count)
      #expect(columns.column("year").segments.map(\.codes.count) == columns.lengths)
      #expect(columns.words?.segments.map(\.ends.count) == columns.lengths)
      #expect(columns.lengths.allSatisfy { $0 <= ColumnStore.segmentLimit })
      for (index, item) in items.enumerated() {
        let words = item.value(of: "title").map { WordTokenizer.folded(of: $0.text) } ?? []
        guard columns.words(at: index) == words,
          columns.values(of: ["year"], at: index)["year"] == item.value(of: "year")
        else {
          Issue.record("item \(index) after \(inserted) insertions and \(removed) removals")
          break
        }
      }
    }
  }
}

extension ColumnStore {
  fileprivate var lengths: [Int] { (0..<segmentCount).map { range(of: $0).count } }
}
