import Catalogue
import Foundation
import GRDB
import ItemsInSQLite
import Testing
import Windowing

struct SQLiteImporterTests {
  private let folder: ScratchFolder
  private let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.path("strips.db")
  }

  @discardableResult
  private func run(
    _ ids: [String], _ mode: StripImport.Mode = .make, name: String = "s",
    change: SettingsChange = SettingsChange()
  ) throws -> ImportedStrip {
    try SQLiteImporter(path: path).run(
      StripImport(name: name, mode: mode, settings: change)
    ) { add throws(CatalogueError) in
      for id in ids { try add(Item(id: id)) }
    }
  }

  private func ids(_ name: String = "s") throws -> [String] {
    let edition = try SQLiteCatalogue(path: path).edition(of: name, at: nil)
    return try edition.source.contents(of: 0..<edition.strip.count).map(\.id)
  }

  @Test func makesAFileThatOthersCanRead() throws {
    let imported = try run(["a", "b"])
    #expect(imported.count == 2)
    #expect(try ids() == ["a", "b"])
    #expect(try folder.names.contains("strips.db"))
    #expect(try !folder.names.contains("strips.db.new"))
  }

  @Test func makesUseOfAnEmptyFile() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    try run(["a"])
    #expect(try ids() == ["a"])
  }

  @Test func givesTheClockAsFirstRevision() throws {
    let before = Int64(Date().timeIntervalSince1970 * 1e6)
    let revision = try run(["a"]).revision
    #expect(before...Int64(Date().timeIntervalSince1970 * 1e6) ~= revision)
  }

  @Test func refusesToMakeAStripTwice() throws {
    try run(["a"])
    #expect(throws: CatalogueError.stripExists("s")) { try run(["b"]) }
    #expect(try ids() == ["a"])
  }

  @Test func appendsBehindWhatIsThere() throws {
    let first = try run((0..<700).map { "a\($0)" })
    let second = try run((0..<700).map { "b\($0)" }, .append)
    #expect(second.count == 1400)
    #expect(second.revision == first.revision + 1)
    #expect(try ids() == (0..<700).map { "a\($0)" } + (0..<700).map { "b\($0)" })
  }

  @Test func appendsOneByOneAsIfAllAtOnce() throws {
    for id in 0..<30 { try run(["\(id)"], .append) }
    #expect(try ids() == (0..<30).map(String.init))
    let edition = try SQLiteCatalogue(path: path).edition(of: "s", at: nil)
    #expect(try edition.source.index(of: "29") == 29)
  }

  @Test func replacesAndGoesOnAboveBothRevisions() throws {
    let first = try run(["a", "b", "c"])
    try run(["x"], name: "later")
    let second = try run(["b", "d"], .replace)
    #expect(second.revision > first.revision)
    #expect(try ids() == ["b", "d"])
    #expect(try SQLiteCatalogue(path: path).names(after: nil, limit: 9) == ["s", "later"])
  }

  @Test func keepsSettingsThatAreNotGivenAnew() throws {
    var change = SettingsChange()
    change.height = .px(300)
    try run(["a"], change: change)
    change = SettingsChange()
    change.gap = .px(4)
    try run(["b"], .replace, change: change)
    let settings = try SQLiteCatalogue(path: path).edition(of: "s", at: nil).settings
    #expect(settings.height == .px(300) && settings.gap == .px(4))
  }

  @Test func namesAnIdThatIsThereAndCanGoOn() throws {
    try run(["a"])
    let imported = try SQLiteImporter(path: path).run(
      StripImport(name: "s", mode: .append)
    ) { add throws(CatalogueError) in
      try add(Item(id: "b"))
      for id in ["a", "b"] {
        let error = #expect(throws: CatalogueError.self) { try add(Item(id: id, kind: "other")) }
        #expect(error?.description.contains("\"\(id)\"") == true)
      }
      try add(Item(id: "c", kind: "other"))
    }
    #expect(imported.count == 3)
    #expect(try ids() == ["a", "b", "c"])
    #expect(
      try SQLiteCatalogue(path: path).edition(of: "s", at: nil).strip.kinds == ["card", "other"])
  }

  @Test func leavesNoFileBehindWhenItFails() throws {
    #expect(throws: CatalogueError.invalid("no")) {
      try SQLiteImporter(path: path).run(StripImport(name: "s")) { add throws(CatalogueError) in
        try add(Item(id: "a"))
        throw .invalid("no")
      }
    }
    #expect(try folder.names == [])
  }

  @Test func leavesTheStripAsItWasWhenItFails() throws {
    let first = try run((0..<1500).map { "a\($0)" })
    for mode in [StripImport.Mode.append, .replace] {
      #expect(throws: CatalogueError.invalid("no")) {
        try SQLiteImporter(path: path).run(
          StripImport(name: "s", mode: mode)
        ) { add throws(CatalogueError) in
          for id in 0..<1500 { try add(Item(id: "b\(id)")) }
          throw .invalid("no")
        }
      }
      #expect(try ids() == (0..<1500).map { "a\($0)" })
      #expect(
        try SQLiteCatalogue(path: path).edition(of: "s", at: nil).revision == first.revision)
    }
  }

  @Test func isStoppedFromOutside() throws {
    try run(["a"])
    let importer = SQLiteImporter(path: path)
    #expect(throws: CatalogueError.interrupted) {
      try importer.run(StripImport(name: "s", mode: .append)) { add throws(CatalogueError) in
        try add(Item(id: "b"))
        importer.interrupt()
        try add(Item(id: "c"))
      }
    }
    #expect(try ids() == ["a"])
  }

  @Test func isNotDisturbedByWhatAKilledCommandLeft() throws {
    try run(["a"])
    let half = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(20_000)
    for left in [half, Data(count: 20_000), Data()] {
      try FileManager.default.removeItem(atPath: path)
      try left.write(to: URL(fileURLWithPath: path + ".new"))
      try run(["b"])
      #expect(try ids() == ["b"])
    }
  }

  @Test func refusesWhatIsNoDatabase() throws {
    try Data("id,title\n1,2\n".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: CatalogueError.unavailable("\(path) is not a database")) { try run(["a"]) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "id,title\n1,2\n")
  }

  @Test func refusesAFolderThatIsNotThere() throws {
    let error = #expect(throws: CatalogueError.self) {
      try SQLiteImporter(path: folder.path("no/strips.db")).run(StripImport(name: "s")) { _ in }
    }
    guard case .unavailable = error else {
      Issue.record("\(String(describing: error)) is not what is to be said of a missing folder")
      return
    }
  }
}
