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

  @Test func `items that were appended count as changed`() {
    let columns = SharedColumns(at: 1)
    columns.record([], appendedFrom: 8, at: 2)
    #expect(
      columns.changedKeys(from: (1, .indices(count: 8)), to: (2, .indices(count: 10))) == [8, 9])
  }
}
