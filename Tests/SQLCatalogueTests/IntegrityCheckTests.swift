import Catalogue
import CatalogueTesting
import Items
import SQLCatalogue
import Testing
import Views
import Windowing

struct IntegrityCheckTests {
  /// An edited strip. It has chunks with individual sort keys, a log, and superseded items.
  private func editedStrip(_ store: Store) throws -> StoreUnderTest {
    let store = try StoreUnderTest(store)
    try store.put(randomItems(2300, seed: 9))
    let editor = try store.editor()
    var edits = RandomEdits(seed: 4)
    var naive = NaiveItems(items: [])
    for _ in 0..<30 {
      let batch = try edits.batch(for: naive.items.map(\.id), upTo: 1)
      var after = naive
      guard (try? batch.apply(to: &after)) != nil else { continue }
      try editor.edit(batch)
      naive = after
    }
    return store
  }

  @Test(arguments: Store.allCases)
  func `a database that is whole has no faults`(_ store: Store) throws {
    let store = try editedStrip(store)
    let check = try IntegrityCheck(store.database())
    #expect(check.faults == [])
    #expect(check.count > 2300)
  }

  @Test(
    arguments: Store.allCases,
    [
      (
        "UPDATE item SET width = 64 WHERE sort_key = (SELECT min(sort_key) FROM item)",
        "the layout"
      ),
      ("UPDATE item SET \"group\" = 'else' WHERE kind = 1", "the layout"),
      ("DELETE FROM item WHERE sort_key = (SELECT max(sort_key) FROM item)", "its layout"),
      ("DELETE FROM layout WHERE sort_key = (SELECT max(sort_key) FROM layout)", "layout"),
      ("UPDATE item SET kind = 63", "no such kind"),
      ("UPDATE revision SET changes = '\\x00'", "damaged"),
      ("DELETE FROM revision", "gap"),
      ("DELETE FROM item_history", "missing"),
      ("UPDATE strip SET widths = widths + 1", "sums"),
      ("UPDATE strip SET revision = revision + 1", "gap"),
      // Earlier revisions are read by these numbers.
      (
        "UPDATE item SET first_revision = (SELECT max(previous) FROM revision) "
          + "WHERE sort_key = (SELECT min(sort_key) FROM item)", "checksum"
      ),
      ("UPDATE item_history SET first_revision = last_revision", "checksum"),
      ("UPDATE item_history SET first_revision = first_revision - 1", "checksum"),
      (
        "UPDATE item_history SET last_revision = last_revision + 1 WHERE last_revision = "
          + "(SELECT max(last_revision) FROM item_history)", "missing"
      ),
      ("UPDATE item SET fields = '{}'", "checksum"),
      (
        "UPDATE item SET id = 'other' WHERE sort_key = (SELECT min(sort_key) FROM item)", "checksum"
      ),
      (
        "UPDATE item SET sort_key = sort_key - 1 WHERE sort_key = (SELECT min(sort_key) FROM item)",
        "checksum"
      ),
      ("UPDATE layout SET step = step + 1", "checksum"),
      ("UPDATE layout SET sort_key = sort_key + 1", "checksum"),
      (#"UPDATE strip SET settings = '{"title":"else"}'"#, "checksum"),
      (#"UPDATE revision SET settings = '{"title":"else"}'"#, "checksum"),
      ("UPDATE revision SET created = created + 1", "checksum"),
      ("UPDATE revision SET ordinal = ordinal + 1", "checksum"),
      ("UPDATE revision SET weight = weight + 1", "checksum"),
      ("UPDATE revision SET weight_sum = weight_sum + 1", "checksum"),
      ("UPDATE strip SET oldest_revision = (SELECT max(previous) FROM revision)", "older"),
    ])
  func `each damage is named`(_ kind: Store, _ damage: (sql: String, word: String)) throws {
    let store = try editedStrip(kind)
    // Other faults than those of checksums must be found too.
    try store.execute(
      kind == .sqlite ? damage.sql.replacing("'\\x00'", with: "x'00'") : damage.sql,
      reseals: damage.word != "checksum")
    let faults = try store.faults()
    #expect(faults.contains { $0.contains(damage.word) }, "\(faults)")
  }

  @Test func `a row that no constraint lets in is a fault, not a crash`() throws {
    for damage in [
      "UPDATE item SET fields = '{' WHERE sort_key = (SELECT min(sort_key) FROM item)",
      "UPDATE item SET aspect = -1, width = -7", "UPDATE item SET kind = -1",
      #"UPDATE strip SET settings = '{"height":1}'"#, "UPDATE layout SET count = 1",
    ] {
      let store = try editedStrip(.sqlite)
      try store.execute(damage)
      #expect(try store.faults() != [], "\(damage)")
    }
  }

  @Test(arguments: Store.allCases)
  func `a gap in the change log is named, also after the geometry's revision`(_ store: Store) throws
  {
    let store = try editedStrip(store)
    let editor = try store.editor()
    let insert = #"[{"op":"insert","before":null,"items":[{"id":"another"}]}]"#
    let after = try editor.edit(insert)
    try editor.set(#"{"gap":2}"#)
    try store.maintain(editor)
    #expect(try store.faults() == [])
    try store.execute("DELETE FROM revision WHERE revision = \(after)")
    #expect(
      try store.faults() == [
        "the change log of the strip \"s\" has a gap after revision \(after - 1)"
      ])
  }

  /// Each value is out of range. The test removes the constraint that would reject it.
  @Test(
    arguments: Store.allCases,
    [
      "aspect = -1", "aspect = 65536001", "aspect = 9000000000000000000", "width = -7",
      "width = 6400001", "kind = -1", "kind = 64",
    ])
  func `a number out of range is an error that names the item`(
    _ store: Store, _ damage: String
  ) throws {
    let store = try StoreUnderTest(store)
    try store.put((0..<3).map { try Item(id: "i\($0)", width: .px(5)) })
    let (catalogue, editor) = try store.editable(isServer: true)
    let snapshot = try catalogue.snapshot(of: "s", at: nil)
    try store.damageItems("\(damage) WHERE id = 'i1'")
    let update = try batch(#"[{"op":"update","id":"i1","set":{"group":"g"}}]"#)
    let errors = [
      #expect(throws: CatalogueError.self) { try snapshot.source.items(in: 0..<3) },
      #expect(throws: CatalogueError.self) {
        try editor.edit(update)
      },
    ]
    for case let error? in errors {
      guard case .corrupt(let sentence, strip: "s"?) = error else {
        Issue.record("\(error) is not about damage")
        continue
      }
      #expect(sentence.contains("\"s\": the item \"i1\""), "\(sentence)")
    }
    #expect(try store.faults().contains { $0.contains("\"i1\"") })
  }
}
