import Catalogue
import CatalogueTesting
import Items
import SQLCatalogue
import Testing
import Views
import Windowing

struct GeometryLoaderTests {
  private static let count = 40_000

  /// A strip of 40 chunks and a log of later changes. A statement reads 32.
  private func longStrip(_ store: Store) throws -> StoreUnderTest {
    let store = try StoreUnderTest(store)
    try store.put(
      (0..<Self.count).map { number in
        try Item(
          id: "i\(number)", kind: number % 7 == 0 ? "card" : "wide", width: .px(number % 90),
          group: number % 5000 < 1500 ? nil : "\(number / 40)")
      })
    let json = #"[{"op":"remove","ids":["i5","i3000","i11999"]}]"#
    try store.editor().edit(json)
    return store
  }

  private func load(_ session: any SQLSession) throws -> IndexedStrip {
    try GeometryLoader.load(try #require(try StripRow.fetch(session, name: "s")), session)
  }

  @Test(arguments: Store.allCases)
  func `a geometry that several statements read has all items in order`(_ store: Store) throws {
    let loaded = try longStrip(store).database().read { try load($0) }
    let kept = (0..<Self.count).filter { ![5, 3000, 11_999].contains($0) }
    #expect(loaded.strip.count == kept.count)
    #expect(loaded.sortKeys.count == kept.count && loaded.sortKeys.areAscending)
    let widths = loaded.strip.items(0..<loaded.strip.count).map(\.size.width)
    #expect(widths == kept.map { .px($0 % 90) })
  }

  @Test(arguments: Store.allCases)
  func `a geometry is of one moment, though another process writes`(_ store: Store) throws {
    let store = try longStrip(store)
    try store.database().read { session in
      let before = try load(session)
      try store.maintain(store.editor())
      try store.execute("DELETE FROM layout WHERE sort_key > 5242880000")
      let after = try load(session)
      #expect(after.strip == before.strip)
    }
  }

  @Test(arguments: Store.allCases, [1, 6, 39])
  func `a damaged chunk is an error, whichever statement reads it`(_ kind: Store, chunk: Int) throws
  {
    let store = try longStrip(kind)
    let sortKey = "(SELECT sort_key FROM layout ORDER BY sort_key LIMIT 1 OFFSET \(chunk))"
    let sizes =
      kind == .sqlite
      ? "CAST(zeroblob(length(sizes) - 8) || x'ffffffffffffffff' AS BLOB)"
      : #"overlay(sizes placing '\xffffffffffffffff' from 1)"#
    try store.execute("UPDATE layout SET sizes = \(sizes) WHERE sort_key = \(sortKey)")
    let database = try store.database()
    let error = #expect(throws: CatalogueError.self) {
      try database.read { session in _ = try load(session) }
    }
    #expect(error?.isCorrupt == true)
  }
}
