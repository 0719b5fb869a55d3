import Catalogue
import CatalogueTesting
import Foundation
import GRDB
import Items
import SQLCatalogue
import SQLiteDatabase
import Testing
import Views
import Windowing

/// Revisions of a restored copy continue above all revisions that the original can have made since.
struct RestorationTests {
  private let folder: ScratchFolder
  private let path: String
  private let copy: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.path("strips.db")
    copy = folder.path("copy.db")
    for name in ["s", "other"] {
      try SQLStripImporter(SQLiteImportFile(path: path)).run(StripImport(name: name)) {
        add throws(CatalogueError) in
        for id in ["a", "b"] { try add(Item(id: id, width: .px(10)), name) }
      }
    }
  }

  private func catalogue(_ path: String) throws -> SQLStripCatalogue {
    try SQLStripCatalogue(SQLiteFile(path: path))
  }

  private func faults(_ path: String) throws -> [String] {
    try IntegrityCheck(SQLiteFile(path: path)).faults
  }

  private func edit(_ path: String, width: Int) throws -> Int64 {
    let batch = try EditBatch(
      Array(#"[{"op":"update","id":"a","set":{"width":\#(width)}}]"#.utf8), as: .array)
    return try SQLStripEditor(catalogue(path), isServer: false).edit(batch)
  }

  private func newest(_ path: String, _ strip: String = "s") throws -> Snapshot {
    try catalogue(path).snapshot(of: strip, at: nil)
  }

  private func restore() throws -> String {
    let place = folder.path("\(UUID()).db")
    try FileManager.default.copyItem(atPath: copy, toPath: place)
    return place
  }

  @Test func `no revision number names two contents`() throws {
    let kept = try edit(path, width: 20)
    try Backup.copy(path, to: copy)
    let later = try edit(path, width: 30)
    #expect(later == kept + 1)

    var given: Set = [kept, later]
    for width in [40, 50] {
      let place = try restore()
      // A read does not change the database.
      #expect(try newest(place).revision == kept && faults(place) == [])
      let edited = try edit(place, width: width)
      let untouched = try newest(place, "other").revision
      #expect(edited > later && untouched > later)
      #expect(given.insert(edited).inserted && given.insert(untouched).inserted)
      let catalogue = try catalogue(place)
      #expect(try catalogue.snapshot(of: "s", at: kept).strip[0].size.width == .px(20))
      #expect(try catalogue.snapshot(of: "s", at: edited).strip[0].size.width == .px(width))
      #expect(throws: CatalogueError.revisionGone(later)) {
        try catalogue.snapshot(of: "s", at: later)
      }
      #expect(try edit(place, width: width + 1) == edited + 1)
      #expect(try faults(place) == [])
    }
    #expect(try edit(path, width: 31) == later + 1)
  }

  @Test func `an import into a copy goes on above its original as well`() throws {
    let kept = try newest(path).revision
    try Backup.copy(path, to: copy)
    let later = try edit(path, width: 30)
    let place = try restore()
    let imported = try SQLStripImporter(SQLiteImportFile(path: place)).run(
      StripImport(name: "s", mode: .append)
    ) { add throws(CatalogueError) in try add(Item(id: "c"), "s") }
    #expect(try #require(imported.last).revision > later)
    #expect(try catalogue(place).snapshot(of: "s", at: kept).strip.count == 2)
  }

  @Test func `a strip with a damaged change log does not prevent changes of another`() throws {
    _ = try edit(path, width: 20)
    try DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE revision SET weight = 0") }
    try Backup.copy(path, to: copy)
    try SQLStripImporter(SQLiteImportFile(path: copy)).run(
      StripImport(name: "other", mode: .append)
    ) {
      add throws(CatalogueError) in try add(Item(id: "c"), "other")
    }
    #expect(try newest(copy, "other").strip.count == 3)
  }

  @Test func `a copy of a copy is a copy`() throws {
    try Backup.copy(path, to: copy)
    let later = try edit(path, width: 30)
    let again = folder.path("again.db")
    try Backup.copy(copy, to: again)
    #expect(try edit(again, width: 40) > later)
  }
}
