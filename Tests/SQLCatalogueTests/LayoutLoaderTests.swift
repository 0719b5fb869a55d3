import Catalogue
import CatalogueTesting
import Items
import SQLCatalogue
import Testing
import Views
import Windowing

struct LayoutLoaderTests {
  /// A strip of 12 chunks and a log of later changes.
  private func longStrip(_ store: Store) throws -> StoreUnderTest {
    let store = try StoreUnderTest(store)
    try store.put(
      (0..<12_000).map { number in
        try Item(
          id: "i\(number)", kind: number % 7 == 0 ? "card" : "wide", width: .px(number % 90),
          group: number % 5000 < 1500 ? nil : "\(number / 40)")
      })
    let json = #"[{"op":"remove","ids":["i5","i3000","i11999"]}]"#
    _ = try store.editor().edit(
      "s", EditBatch(Array(json.utf8), as: .array), expecting: .anything, idempotencyKey: nil)
    return store
  }

  private func load(
    _ rangeCount: Int, with others: [any ParallelSQLReader] = [], _ session: any SQLSession
  ) throws -> IndexedStrip {
    let row = try #require(try StripRow.fetch(session, name: "s"))
    return try LayoutLoader.load(row, with: others, rangeCount: rangeCount, session)
  }

  private func expectEqual(_ placed: IndexedStrip, _ other: IndexedStrip) {
    let all = 0..<placed.strip.count
    #expect(placed.strip == other.strip)
    #expect(placed.sortKeys[all] == other.sortKeys[0..<other.sortKeys.count])
  }

  @Test(arguments: Store.allCases, [700, 1000, 2500, 6000])
  func `a layout read in ranges is the one that is read at once`(
    _ store: Store, rangeCount: Int
  ) throws {
    let store = try longStrip(store)
    let database = try store.database()
    try database.withParallelReaders { others in
      try database.read { session in
        let whole = try load(.max, session)
        #expect(whole.strip.count == 11_997)
        expectEqual(try load(rangeCount, with: others, session), whole)
        expectEqual(try load(rangeCount, session), whole)
      }
    }
  }

  @Test(arguments: Store.allCases)
  func `a layout is of one moment, though another process writes`(_ store: Store) throws {
    let store = try longStrip(store)
    let database = try store.database()
    try database.withParallelReaders { others in
      try database.read { session in
        let before = try load(.max, session)
        try store.maintain(store.editor())
        try store.execute("DELETE FROM layout WHERE sort_key > 5242880000")
        expectEqual(try load(1000, with: others, session), before)
      }
    }
  }

  @Test(arguments: Store.allCases, [1, 6, 11])
  func `a damaged chunk is an error, whichever thread reads it`(_ kind: Store, chunk: Int) throws {
    let store = try longStrip(kind)
    let sortKey = "(SELECT sort_key FROM layout ORDER BY sort_key LIMIT 1 OFFSET \(chunk))"
    let sizes =
      kind == .sqlite
      ? "CAST(zeroblob(length(sizes) - 8) || x'ffffffffffffffff' AS BLOB)"
      : #"overlay(sizes placing '\xffffffffffffffff' from 1)"#
    try store.execute("UPDATE layout SET sizes = \(sizes) WHERE sort_key = \(sortKey)")
    let database = try store.database()
    let error = #expect(throws: CatalogueError.self) {
      try database.withParallelReaders { others in
        try database.read { session in _ = try load(1000, with: others, session) }
      }
    }
    guard case .corrupt? = error else {
      Issue.record("\(String(describing: error)) does not say that the layout is damaged")
      return
    }
  }
}
