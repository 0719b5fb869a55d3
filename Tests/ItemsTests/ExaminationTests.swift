import GRDB
import Items
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
    let examination = try Examination(path: path)
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
    (
      "UPDATE item SET fields = '{' WHERE position = (SELECT min(position) FROM item)",
      "no JSON object"
    ),
  ])
  func saysWhatIsWrong(_ damage: String, _ word: String) throws {
    try DatabaseQueue(path: path).writeWithoutTransaction { db in
      try db.execute(
        sql: "PRAGMA foreign_keys = 0; PRAGMA ignore_check_constraints = 1; \(damage)")
    }
    let faults = try Examination(path: path).faults
    #expect(faults.contains { $0.contains(word) }, "\(faults)")
  }
}
