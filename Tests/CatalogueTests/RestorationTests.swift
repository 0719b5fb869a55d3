import Catalogue
import Foundation
import ItemsInSQLite
import Testing
import Windowing

/// A copy that is put back goes on above all that its original may have come to since.
struct RestorationTests {
  private let folder: ScratchFolder
  private let path: String
  private let copy: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.path("strips.db")
    copy = folder.path("copy.db")
    for name in ["s", "other"] {
      try SQLiteImporter(path: path).run(StripImport(name: name)) { add throws(CatalogueError) in
        for id in ["a", "b"] { try add(Item(id: id, width: .px(10))) }
      }
    }
  }

  private func edit(_ path: String, width: Int) throws -> Int64 {
    let batch = try EditBatch(
      Array(#"[{"op":"update","id":"a","set":{"width":\#(width)}}]"#.utf8), as: .array)
    return try SQLiteEditor(SQLiteCatalogue(path: path)).edit(
      "s", batch, expecting: .anything, once: nil)
  }

  private func newest(_ path: String, _ strip: String = "s") throws -> Edition {
    try SQLiteCatalogue(path: path).edition(of: strip, at: nil)
  }

  private func putBack() throws -> String {
    let place = folder.path("\(UUID()).db")
    try FileManager.default.copyItem(atPath: copy, toPath: place)
    return place
  }

  @Test func noNumberNamesTwoContents() throws {
    let kept = try edit(path, width: 20)
    try Backup.copy(path, to: copy)
    let later = try edit(path, width: 30)
    #expect(later == kept + 1)

    var given: Set = [kept, later]
    for width in [40, 50] {
      let place = try putBack()
      // To look at it changes nothing.
      #expect(try newest(place).revision == kept && IntegrityCheck(path: place).faults == [])
      let edited = try edit(place, width: width)
      let untouched = try newest(place, "other").revision
      #expect(edited > later && untouched > later)
      #expect(given.insert(edited).inserted && given.insert(untouched).inserted)
      let catalogue = try SQLiteCatalogue(path: place)
      #expect(try catalogue.edition(of: "s", at: kept).strip[0].size.width == .px(20))
      #expect(try catalogue.edition(of: "s", at: edited).strip[0].size.width == .px(width))
      #expect(throws: CatalogueError.revisionUnknown(later)) {
        try catalogue.edition(of: "s", at: later)
      }
      #expect(try edit(place, width: width + 1) == edited + 1)
      #expect(try IntegrityCheck(path: place).faults == [])
    }
    #expect(try edit(path, width: 31) == later + 1)
  }

  @Test func anImportGoesOnAsWell() throws {
    let kept = try newest(path).revision
    try Backup.copy(path, to: copy)
    let later = try edit(path, width: 30)
    let place = try putBack()
    let imported = try SQLiteImporter(path: place).run(
      StripImport(name: "s", mode: .append)
    ) { add throws(CatalogueError) in try add(Item(id: "c")) }
    #expect(imported.revision > later)
    #expect(try SQLiteCatalogue(path: place).edition(of: "s", at: kept).strip.count == 2)
  }

  /// A copy of a copy is a copy.
  @Test func aCopyMayBeCopied() throws {
    try Backup.copy(path, to: copy)
    let later = try edit(path, width: 30)
    let again = folder.path("again.db")
    try Backup.copy(copy, to: again)
    #expect(try edit(again, width: 40) > later)
  }
}
