import Catalogue
import GRDB
import Testing
import Windowing

@testable import ItemsInSQLite

@Suite("A layout that several connections read in stretches")
struct LayoutStretchesTests {
  private let folder: ScratchFolder
  private let path: String
  private let readers: SQLiteReaders

  /// A strip of 12 chunks, of which some are longer than others.
  init() throws {
    folder = try ScratchFolder()
    path = folder.path("strips.db")
    try SQLiteImporter(path: path).run(StripImport(name: "s")) { add throws(CatalogueError) in
      for number in 0..<12_000 {
        try add(
          Item(
            id: "i\(number)", kind: number % 7 == 0 ? "card" : "wide", width: .px(number % 90),
            group: number % 5000 < 1500 ? nil : "\(number / 40)"))
      }
    }
    readers = try SQLiteReaders(path: path, count: 1)
    try edit(#"[{"op":"remove","ids":["i5","i3000","i11999"]}]"#)
  }

  private func edit(_ json: String) throws {
    let editor = SQLiteEditor(try SQLiteCatalogue(path: path))
    _ = try editor.edit(
      "s", EditBatch(Array(json.utf8), as: .array), expecting: .anything, once: nil)
  }

  /// The layout as the rows of it say, in stretches of so many items.
  private func read(
    _ size: Int, _ db: Database, with companions: [ParallelReader] = []
  ) throws -> PlacedStrip {
    let row = try #require(try StripRow.fetch(db, name: "s"))
    return try LayoutStretches(
      of: row, kinds: row.kinds(db), itemWidth: row.settings.itemWidth, size: size, db
    ).read(db, with: companions)
  }

  private func expectTheSame(_ placed: PlacedStrip, _ other: PlacedStrip) {
    let all = 0..<placed.strip.count
    #expect(placed.strip == other.strip)
    #expect(placed.positions[all] == other.positions[0..<other.positions.count])
  }

  @Test("is the one that is read at once", arguments: [700, 1000, 2500, 6000])
  func isTheSame(size: Int) throws {
    let companions = (0..<2).compactMap { _ in ParallelReader(path: path) }
    try #require(companions.count == 2)
    for companion in companions { companion.look() }
    try readers.read { db in
      let whole = try read(.max, db)
      #expect(whole.strip.count >= 11_997)
      expectTheSame(try read(size, db, with: companions), whole)
      expectTheSame(try read(size, db), whole)
    }
  }

  @Test("is of one moment, though somebody folds it meanwhile")
  func isOfOneMoment() throws {
    let companion = try #require(ParallelReader(path: path))
    companion.look()
    try readers.read { db in
      let before = try read(.max, db)
      try DatabaseQueue(path: path).write { writer in
        let row = try #require(try StripRow.fetch(writer, name: "s"))
        try Folding.fold(row, writer)
        try writer.execute(sql: "DELETE FROM layout WHERE position > 5000 << 20")
      }
      expectTheSame(try read(1000, db, with: [companion]), before)
    }
  }

  @Test("is not read by a companion that cannot know whether it sees the same")
  func companionKeepsOut() throws {
    let companion = try #require(ParallelReader(path: path))
    var reads = 0
    companion.read { _ in reads += 1 }
    #expect(reads == 0)  // it has never looked
    companion.look()
    companion.read { _ in reads += 1 }
    #expect(reads == 1)
    try edit(#"[{"op":"remove","ids":["i7"]}]"#)
    companion.read { _ in reads += 1 }
    #expect(reads == 1)
    companion.look()
    companion.read { _ in reads += 1 }
    #expect(reads == 2)
  }

  @Test("says what is wrong with it, whoever has read that", arguments: [1, 6, 11])
  func namesDamage(chunk: Int) throws {
    try DatabaseQueue(path: path).write { db in
      try db.execute(
        sql: """
          UPDATE layout SET sizes = CAST(zeroblob(length(sizes) - 8) || x'ffffffffffffffff' AS BLOB)
          WHERE position = (SELECT position FROM layout ORDER BY position LIMIT 1 OFFSET ?)
          """, arguments: [chunk])
    }
    let companion = try #require(ParallelReader(path: path))
    companion.look()
    let error = #expect(throws: CatalogueError.self) {
      try readers.read { db in _ = try read(1000, db, with: [companion]) }
    }
    guard case .corrupt? = error else {
      Issue.record("\(String(describing: error)) is not about damage")
      return
    }
  }
}
