import Catalogue
import GRDB
import Testing
import Windowing

@testable import ItemsInSQLite

/// What holds for many strips in one file.
struct ManyStripsTests {
  private let folder: ScratchFolder
  private let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.path("strips.db")
  }

  @discardableResult
  private func run(
    _ rows: [(id: String, strip: String)], _ mode: StripImport.Mode = .make,
    settings: SettingsChange = SettingsChange()
  ) throws -> StripCounts {
    try SQLiteImporter(path: path).runMany(mode, settings: settings, title: { _ in nil }) {
      add throws(CatalogueError) in
      for row in rows { try add(Item(id: row.id, width: .px(10)), row.strip) }
    }
  }

  private func ids(_ name: String) throws -> [String] {
    let edition = try SQLiteCatalogue(path: path).edition(of: name, at: nil)
    return try edition.source.contents(of: 0..<edition.strip.count).map(\.id)
  }

  @Test func goEachToItsStripWhereverTheyStand() throws {
    var rows = (0..<3000).map { (id: "\($0)", strip: "s\($0 % 700 / 300)") }
    rows.append((id: "last", strip: "s1"))
    #expect(try run(rows) == StripCounts(made: 3))
    #expect(try SQLiteCatalogue(path: path).names(after: nil, limit: 9) == ["s0", "s1", "s2"])
    for strip in ["s0", "s1", "s2"] {
      #expect(try ids(strip) == rows.filter { $0.strip == strip }.map(\.id))
    }
    #expect(try IntegrityCheck(path: path).faults == [])
  }

  @Test func areExtendedEachByOneRevision() throws {
    try run([("1", "a"), ("1", "b")])
    let catalogue = try SQLiteCatalogue(path: path)
    let before = try ["a", "b"].map { try catalogue.edition(of: $0, at: nil) }
    try run([("2", "b"), ("1", "c"), ("3", "b"), ("4", "c"), ("5", "b")], .append)
    #expect(try ids("a") == ["1"] && ids("b") == ["1", "2", "3", "5"] && ids("c") == ["1", "4"])
    try catalogue.refresh()
    #expect(try catalogue.edition(of: "a", at: nil).revision == before[0].revision)
    #expect(try catalogue.edition(of: "b", at: nil).revision == before[1].revision + 1)
    #expect(try catalogue.edition(of: "b", at: before[1].revision).strip.count == 1)
    #expect(try IntegrityCheck(path: path).faults == [])
  }

  @Test func areReplacedWhereTheyAreNamed() throws {
    try run([("1", "a"), ("2", "a"), ("1", "b")])
    try run([("3", "a"), ("4", "a"), ("9", "d")], .replace)
    #expect(try ids("a") == ["3", "4"] && ids("b") == ["1"] && ids("d") == ["9"])
  }

  @Test func areAllThereOrNone() throws {
    try run([("1", "b")])
    #expect(throws: CatalogueError.stripExists("b")) { try run([("1", "a"), ("2", "b")]) }
    #expect(throws: CatalogueError.self) { try run([("1", "a"), ("2", "No Name")]) }
    #expect(throws: CatalogueError.self) { try run([("1", "a"), ("1", "c"), ("1", "a")]) }
    #expect(try SQLiteCatalogue(path: path).names(after: nil, limit: 9) == ["b"])
  }

  @Test func takeTheSameSettings() throws {
    var settings = SettingsChange()
    settings.gap = .px(3)
    try run([("1", "a"), ("1", "b")], settings: settings)
    let strips = try SQLiteCatalogue(path: path).summaries(after: nil, limit: 9)
    #expect(strips.map(\.settings.gap) == [.px(3), .px(3)])
  }

  @Test func tellWhichOfThemHaveChanged() throws {
    try run([("1", "a"), ("1", "b"), ("1", "c"), ("1", "d")])
    let database = try DatabaseQueue(path: path)
    func changed(after seen: Int64) throws -> [String] {
      try database.read { try Changes.names(after: seen, $0) }.sorted()
    }
    let seen = try database.read { try Changes.last($0) }
    #expect(try changed(after: seen) == [])
    try run([("2", "b")], .append)
    #expect(try changed(after: seen) == ["b"])
    // The last to have changed is made anew: that is told as well.
    let later = try database.read { try Changes.last($0) }
    try run([("2", "b")], .replace)
    #expect(try changed(after: later) == ["b"])
    let editor = SQLiteEditor(try SQLiteCatalogue(path: path))
    try editor.remove("d", expecting: .anything)
    #expect(try changed(after: later) == ["b", "d"])
    let last = try database.read { try Changes.last($0) }
    _ = try editor.set("a", SettingsPatch(json: Array(#"{"gap":4}"#.utf8)), expecting: .anything)
    #expect(try changed(after: last) == ["a"])
  }

  @Test func areFollowedThoughOnlySomeAreHeld() throws {
    try run([("1", "a"), ("1", "b"), ("1", "c")])
    let catalogue = try SQLiteCatalogue(path: path)
    _ = try catalogue.edition(of: "a", at: nil)
    _ = try catalogue.edition(of: "b", at: nil)
    try run([("2", "b"), ("2", "c"), ("1", "d")], .append)
    try catalogue.refresh()
    let counts = try ["a", "b", "c", "d"].map { try catalogue.edition(of: $0, at: nil).strip.count }
    #expect(counts == [1, 2, 2, 1])
  }

  @Test func areReadBeforehandWhereTheyAreLong() throws {
    let count = 50_000
    try run((0..<count).map { ("\($0)", "long") } + [("1", "short")])
    let progress = LoadProgress()
    let catalogue = try SQLiteCatalogue(path: path)
    try catalogue.load(progress)
    #expect(progress.total == count && progress.loaded == count)
    // There is no room for it: it is read when it is asked for.
    let none = LoadProgress()
    try SQLiteCatalogue(path: path, memory: 1000).load(none)
    #expect(none.total == 0 && none.loaded == 0)
  }
}
