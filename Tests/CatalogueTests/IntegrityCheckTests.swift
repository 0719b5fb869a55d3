import Catalogue
import GRDB
import ItemsInSQLite
import Testing

struct ExaminationTests {
  private let folder: ScratchFolder
  private let path: String

  /// A strip that has been edited: it has chunks of either form, and a past.
  init() throws {
    folder = try ScratchFolder()
    path = folder.path("strips.db")
    let items = try randomItems(2300, seed: 9)
    try SQLiteImporter(path: path).run(StripImport(name: "s")) { add throws(CatalogueError) in
      for item in items { try add(item) }
    }
    let editor = SQLiteEditor(try SQLiteCatalogue(path: path))
    var edits = RandomEdits(seed: 4)
    var naive = NaiveItems(items: [])
    for _ in 0..<30 {
      let batch = try edits.batch(for: naive.items.map(\.id), upTo: 1)
      var after = naive
      guard (try? batch.apply(to: &after)) != nil else { continue }
      _ = try editor.edit("s", batch, expecting: .anything, once: nil)
      naive = after
    }
  }

  @Test func findsNothingInWhatIsWhole() throws {
    let examination = try IntegrityCheck(path: path)
    #expect(examination.faults == [])
    #expect(examination.count > 2300)
  }

  @Test(arguments: [
    ("UPDATE item SET width = 64 WHERE position = (SELECT min(position) FROM item)", "the layout"),
    ("UPDATE item SET \"group\" = 'else' WHERE kind = 1", "the layout"),
    ("DELETE FROM item WHERE position = (SELECT max(position) FROM item)", "its layout"),
    ("DELETE FROM layout WHERE position = (SELECT max(position) FROM layout)", "its layout"),
    ("UPDATE item SET kind = 63", "belongs to nothing"),
    ("UPDATE change SET changes = x'00'", "changes is damaged"),
    ("DELETE FROM change", "its layout"),
    ("DELETE FROM past_item", "missing"),
    ("DELETE FROM strip", "of a strip that is gone"),
    ("UPDATE strip SET widths = widths + 1", "sums"),
    ("DELETE FROM changes", "not numbered"),
    ("INSERT INTO changes (last) VALUES (7)", "not numbered"),
    ("UPDATE changes SET last = last - 1", "the strip \"s\" has the number of a change"),
    (
      "UPDATE item SET fields = '{' WHERE position = (SELECT min(position) FROM item)",
      "no JSON object"
    ),
  ])
  func saysWhatIsWrong(_ damage: String, _ word: String) throws {
    try execute("PRAGMA foreign_keys = 0; PRAGMA ignore_check_constraints = 1; \(damage)")
    let faults = try IntegrityCheck(path: path).faults
    #expect(faults.contains { $0.contains(word) }, "\(faults)")
  }

  /// Also where the layout needs it no more, and where only items came.
  @Test func saysWhichChangesAreMissing() throws {
    let editor = SQLiteEditor(try SQLiteCatalogue(path: path))
    let insert = #"[{"op":"insert","before":null,"items":[{"id":"another"}]}]"#
    let after = try editor.edit(
      "s", EditBatch(Array(insert.utf8), as: .array), expecting: .anything, once: nil)
    _ = try editor.set(
      "s", SettingsPatch(json: Array(#"{"gap":2}"#.utf8)), expecting: .anything)
    try editor.bringUpToDate()
    #expect(try IntegrityCheck(path: path).faults == [])
    try execute("DELETE FROM change WHERE revision = \(after)")
    #expect(
      try IntegrityCheck(path: path).faults == [
        "of the strip \"s\" it is not known what was changed after revision \(after - 1)"
      ])
  }

  private func execute(_ sql: String) throws {
    try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: sql) }
  }
}
