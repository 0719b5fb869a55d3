import CaseTesting
import Items
import Testing
import Views

/// Filters that the page's script reads and writes too, in filters/clauses.js.
struct SharedFilterTests {
  struct Case: Decodable, Sendable {
    let `where`: String
    let values: [String]
    let selection: String
  }

  @Test(arguments: cases("filters", as: [Case].self))
  func `a filter selects the values that the page shows as selected`(vector: Case) throws {
    for filter in [try Filter(vector.where), try Filter(vector.selection)] {
      for artist in vector.values + ["another"] {
        let item = try Item(
          id: "a1",
          fields: Fields([
            ("artist", .string(artist)), ("year", .number("1790")), ("medium", .string("oil")),
          ]))
        #expect(filter.matches { item.value(of: $0) } == vector.values.contains(artist))
      }
    }
  }
}
