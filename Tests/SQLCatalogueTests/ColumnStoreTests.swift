import Catalogue
import CatalogueTesting
import SQLCatalogue
import Testing
import Windowing

/// The columns for views that a store holds.
struct ColumnStoreTests {
  private static let words = ["red", "Blue", "grün", "Grey", "x-ray", "redo"]

  /// Items with fields, which depend on the number alone.
  private func items(_ numbers: Range<Int>) throws -> [Item] {
    try numbers.map { number in
      let title = "\(Self.words[number % 6]) \(Self.words[number / 7 % 6])"
      let artist = number % 11 == 0 ? "" : #","artist":"a\#(number * 31 % 400)""#
      return try Item(
        id: "i\(number)", kind: ["card", "album"][number % 2], width: .px(number % 50),
        fields: Fields(
          json: Array(#"{"title":"\#(title)","year":\#(1900 + number % 70)\#(artist)}"#.utf8)))
    }
  }

  private func settings(_ filterable: [FieldName] = ["artist", "year"]) -> SettingsChange {
    var change = SettingsChange()
    change.filterable = filterable
    change.searchable = ["title"]
    return change
  }

  private func storedEdition(
    _ catalogue: StoredCatalogue, of name: String = "s"
  ) throws -> StoredEdition {
    _ = try catalogue.edition(of: name, at: nil)
    return try #require(catalogue.cached(name).newest)
  }

  /// Builds or reads the columns of the newest edition, and stores them if they are due.
  private func prepare(_ catalogue: StoredCatalogue) throws {
    let stored = try storedEdition(catalogue)
    try stored.edition.columns.prepare(stored.edition)
    try ColumnStore(stored.edition, number: stored.number).writeIfDue(catalogue.database)
  }

  private func ids(
    _ parameter: ViewQuery.Parameter, _ text: String, of base: Edition
  ) throws
    -> [String]
  {
    var query = ViewQuery()
    try query.set(parameter, to: text)
    let view = try StripView.make(query, of: base, list: nil).edition
    return try view.source.contents(of: 0..<view.strip.count).map(\.id)
  }

  /// What views of the newest edition contain.
  private func views(_ catalogue: StoredCatalogue) throws -> [[String]] {
    let base = try catalogue.edition(of: "s", at: nil)
    return [
      try ids(.filter, "artist = a31 OR year < 1905", of: base),
      try ids(.filter, "NOT artist EXISTS AND kind = album", of: base),
      try ids(.search, "re", of: base), try ids(.search, "grun ", of: base),
      try ids(.sort, "-artist,year", of: base),
    ]
  }

  /// Expects that a new server reads columns from the store. Its views must be equal to those of a server
  /// that builds the columns.
  private func checkRestart(_ store: StoreUnderTest) throws {
    let restarted = try store.catalogue()
    let found = try views(restarted)
    #expect(try !storedEdition(restarted).edition.columns.isBuilt)
    #expect(try store.faults() == [])
    let building = try store.catalogue()
    let edition = try storedEdition(building).edition
    let items = try edition.source.items(in: 0..<edition.strip.count)
    let naive = try Edition(
      name: "s", settings: edition.settings, revision: edition.revision, items: items)
    let expected = [
      try ids(.filter, "artist = a31 OR year < 1905", of: naive),
      try ids(.filter, "NOT artist EXISTS AND kind = album", of: naive),
      try ids(.search, "re", of: naive), try ids(.search, "grun ", of: naive),
      try ids(.sort, "-artist,year", of: naive),
    ]
    #expect(found == expected)
    #expect(found.allSatisfy { !$0.isEmpty })
  }

  @Test(arguments: Store.allCases)
  func `a server that starts reads the columns that another one has stored`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put(items(0..<5000), settings: settings())
    let first = try store.catalogue()
    try prepare(first)
    #expect(try storedEdition(first).edition.columns.isBuilt == false)
    try checkRestart(store)
    // No item has changed, so the columns are not written again.
    let generation = try store.number("SELECT columns_generation FROM strip")
    try prepare(store.catalogue())
    #expect(try store.number("SELECT columns_generation FROM strip") == generation)
  }

  @Test(arguments: Store.allCases)
  func `stored columns follow edits, appended items and new revisions of a copy`(
    _ store: Store
  ) throws {
    let store = try StoreUnderTest(store)
    try store.put(items(0..<5000), settings: settings())
    let (catalogue, editor) = try store.editable()
    try prepare(catalogue)
    func edit(_ json: String) throws {
      _ = try editor.edit("s", batch(json), expecting: .anything, idempotencyKey: nil)
    }
    try edit(#"[{"op":"update","id":"i7","set":{"fields":{"artist":"new","title":"grün"}}}]"#)
    try edit(
      #"[{"op":"remove","ids":["i31","i4500"]},{"op":"move","ids":["i3"],"before":"i4600"}]"#)
    try checkRestart(store)
    try store.put(items(5000..<5300), .append)
    try edit(#"[{"op":"insert","before":"i4","items":[{"id":"x","fields":{"year":1901}}]}]"#)
    try edit(#"[{"op":"remove","ids":["i5200","i7"]}]"#)
    try checkRestart(store)
    let database = try store.database()
    try database.write(by: WriteDeadline()) { try RestoreGuard.bumpRevisions($0) }
    database.close()
    try checkRestart(store)
    #expect(
      try store.number("SELECT columns_revision FROM strip WHERE columns_revision < revision") > 0)
  }

  @Test(arguments: Store.allCases)
  func `columns are stored again when many items have changed`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put(items(0..<8200), settings: settings())
    let (catalogue, editor) = try store.editable()
    try prepare(catalogue)
    let first = try store.number("SELECT columns_generation FROM strip")
    let updates = (0..<1001).map {
      #"{"op":"update","id":"i\#($0)","set":{"fields":{"artist":"b\#($0)"}}}"#
    }
    _ = try editor.edit(
      "s", batch("[\(updates.joined(separator: ","))]"), expecting: .anything, idempotencyKey: nil)
    try checkRestart(store)
    try prepare(catalogue)
    #expect(try store.number("SELECT columns_generation FROM strip") != first)
    try checkRestart(store)
    try store.maintain(editor)
    #expect(try store.number("SELECT count(DISTINCT generation) FROM stored_columns") == 1)
    #expect(try store.count(of: "purge") == 0 && store.count(of: "compaction") == 0)
    try checkRestart(store)
  }

  @Test(arguments: Store.allCases)
  func `columns that no server stores again do not keep the log for ever`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put(items(0..<3000), settings: settings())
    let (catalogue, editor) = try store.editable()
    try prepare(catalogue)
    for turn in 0..<2 {
      _ = try editor.edit(
        "s", batch(#"[{"op":"update","id":"i\#(turn)","set":{"width":9}}]"#), expecting: .anything,
        idempotencyKey: nil)
      #expect(try store.number("SELECT columns_generation FROM strip") > 0)
      try store.maintain(editor)
      if turn == 0 { try checkRestart(store) }
    }
    #expect(try store.number("SELECT count(columns_generation) FROM strip") == 0)
    try store.maintain(editor)
    #expect(try store.count(of: "stored_columns") == 0)
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `damaged columns are ignored and stored again`(_ store: Store) throws {
    for damage in [
      "UPDATE stored_columns SET data = substr(data, 1, length(data) - 1)",
      "DELETE FROM stored_columns",
      "INSERT INTO stored_columns SELECT generation, position + 1, data FROM stored_columns",
      "UPDATE strip SET columns_revision = columns_revision - 1",
    ] {
      let store = try StoreUnderTest(store)
      try store.put(items(0..<3000), settings: settings())
      try prepare(store.catalogue())
      #expect(try store.count(of: "stored_columns") == 1)
      try store.execute(damage, reseals: true)
      #expect(try !store.faults().isEmpty, "\(damage)")
      let restarted = try store.catalogue()
      let found = try views(restarted)
      #expect(try storedEdition(restarted).edition.columns.isBuilt, "\(damage)")
      try prepare(restarted)
      try checkRestart(store)
      #expect(try views(store.catalogue()) == found)
    }
  }

  @Test(arguments: Store.allCases)
  func `columns of another strip are ignored`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put(items(0..<3000), into: "t", settings: settings())
    try store.put(items(3000..<6000), settings: settings())
    let catalogue = try store.catalogue()
    let other = try storedEdition(catalogue, of: "t")
    try other.edition.columns.prepare(other.edition)
    try ColumnStore(other.edition, number: other.number).writeIfDue(catalogue.database)
    try store.execute(
      """
      UPDATE strip SET columns_revision = revision, columns_generation = (
        SELECT generation FROM stored_columns) WHERE name = 's'
      """, reseals: true)
    let restarted = try store.catalogue()
    _ = try views(restarted)
    #expect(try storedEdition(restarted).edition.columns.isBuilt)
  }

  /// A server can have items in memory that a promoted standby never received.
  @Test(arguments: Store.allCases)
  func `columns of a revision that the database does not have are not stored`(
    _ store: Store
  ) throws {
    let store = try StoreUnderTest(store)
    try store.put(items(0..<3000), settings: settings())
    let (catalogue, editor) = try store.editable()
    let edit = try batch(#"[{"op":"remove","ids":["i7"]}]"#)
    _ = try editor.edit("s", edit, expecting: .anything, idempotencyKey: nil)
    let stored = try storedEdition(catalogue)
    try store.execute("DELETE FROM revision")
    try store.execute("UPDATE strip SET revision = revision + 1000000", reseals: true)
    try ColumnStore(stored.edition, number: stored.number).writeIfDue(catalogue.database)
    #expect(try store.count(of: "stored_columns") == 0)
  }

  @Test(arguments: Store.allCases)
  func `other declared fields, other items and removal drop stored columns`(
    _ store: Store
  ) throws {
    let store = try StoreUnderTest(store)
    try store.put(items(0..<3000), settings: settings())
    let (catalogue, editor) = try store.editable()
    func expectNone() throws {
      #expect(try store.number("SELECT count(columns_generation) FROM strip") == 0)
      try store.maintain(editor)
      #expect(try store.count(of: "stored_columns") == 0)
      #expect(try store.faults() == [])
    }
    try prepare(catalogue)
    let patch = try SettingsChange(json: Array(#"{"filterable":["year","artist"]}"#.utf8))
    _ = try editor.set("s", patch, expecting: .anything)
    try expectNone()
    try prepare(catalogue)
    try checkRestart(store)
    let title = try SettingsChange(json: Array(#"{"title":"Art"}"#.utf8))
    _ = try editor.set("s", title, expecting: .anything)
    try checkRestart(store)
    try store.put(items(3000..<5000), .replace)
    try catalogue.refresh()
    try prepare(catalogue)
    try checkRestart(store)
    try editor.remove("s", expecting: .anything)
    try expectNone()
  }

  @Test(arguments: Store.allCases)
  func `one thread at a time prepares the columns of a strip`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put(items(0..<CachedStrip.longCount), settings: settings())
    let strip = CachedStrip(
      name: "s", EditionReader(try store.database(), contentMemory: 0))
    let columns = try strip.edition(at: nil).columns
    #expect(strip.beginPreparation(memory: .max) != nil)
    columns.requireStoring()
    #expect(strip.beginPreparation(memory: .max) == nil)
    strip.endPreparation()
    #expect(strip.beginPreparation(memory: .max) != nil)
    strip.endPreparation()
    #expect(strip.beginPreparation(memory: .max) == nil, "nothing has changed since")
  }

  @Test(arguments: Store.allCases)
  func `a server stores the columns of a long strip that it loads`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put(items(0..<CachedStrip.longCount), settings: settings())
    let catalogue = try store.catalogue()
    try catalogue.load(LoadProgress())
    try eventually { try store.number("SELECT count(columns_generation) FROM strip") == 1 }
    #expect(catalogue.status?.pendingItems == 0)
    let restarted = try store.catalogue()
    #expect(try views(restarted) == views(catalogue))
    #expect(try !storedEdition(restarted).edition.columns.isBuilt)
  }
}
