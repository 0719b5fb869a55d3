import Catalogue
import Foundation
import GRDB
import ItemsInSQLite
import Testing
import Windowing

/// What is SQLite's own of edits; what holds for every store is in `StoreTests`.
struct SQLiteEditorTests {
  private let folder: ScratchFolder
  private let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.path("strips.db")
  }

  private func make(_ items: [Item], name: String = "s") throws {
    try SQLiteImporter(path: path).run(StripImport(name: name)) { add throws(CatalogueError) in
      for item in items { try add(item) }
    }
  }

  private func numbered(_ count: Int) throws -> [Item] {
    try (0..<count).map { try Item(id: "i\($0)", width: .px($0 % 50)) }
  }

  private func batch(_ json: String) throws -> EditBatch {
    try EditBatch(Array(json.utf8), as: .array)
  }

  private func rows(_ sql: String) throws -> Int {
    try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: sql) ?? 0 }
  }

  /// Makes sure that an edition is exactly the strip of these items.
  private func check(_ edition: Edition, is items: [Item], _ label: String) throws {
    let expected = try Edition(
      name: "s", settings: edition.settings, revision: edition.revision, items: items)
    try #require(edition.strip.count == items.count, "\(label)")
    #expect(try edition.source.items(in: 0..<items.count) == items, "\(label)")
    for index in items.indices {
      let (found, wanted) = (edition.strip[index], expected.strip[index])
      try #require(found.size == wanted.size, "\(label), item \(index)")
      #expect(edition.strip.kinds[Int(found.kind.number)] == items[index].kind, "\(label)")
    }
    #expect(
      Array(edition.strip.groupRuns(from: 0)) == Array(expected.strip.groupRuns(from: 0)),
      "\(label)")
    for index in Swift.stride(from: 0, to: items.count, by: 7) {
      #expect(try edition.source.index(of: items[index].id) == index, "\(label)")
    }
  }

  @Test func writesTheRowsOfAnInsertAndNoOthers() throws {
    try make(numbered(3000))
    let editor = SQLiteEditor(try SQLiteCatalogue(path: path))
    _ = try editor.edit(
      "s", batch(#"[{"op":"insert","before":"i1500","items":[{"id":"a"},{"id":"b"}]}]"#),
      expecting: .anything, once: nil)
    #expect(try rows("SELECT count(*) FROM past_item") == 0)
    _ = try editor.edit(
      "s", batch(#"[{"op":"move","ids":["i2","i2000","b"],"after":"i900"}]"#),
      expecting: .anything, once: nil)
    #expect(try rows("SELECT count(*) FROM past_item") == 3)
  }

  @Test(arguments: [
    #"{"op":"insert","before":"i500","items":[{"id":"NEW"}]}"#,
    #"{"op":"insert","after":"i500","items":[{"id":"NEW"}]}"#,
    #"{"op":"insert","after":"LAST","items":[{"id":"NEW"}]}"#,
    #"{"op":"insert","before":"LAST","items":[{"id":"NEW"}]}"#,
  ])
  func movesFewNeighboursWhereAGapIsUsedUp(_ operation: String) throws {
    try make(numbered(1000))
    let catalogue = try SQLiteCatalogue(path: path)
    let editor = SQLiteEditor(catalogue)
    var last = "i500"
    let turns = 400
    var most = 0
    var moved = 0
    for turn in 0..<turns {
      let id = "n\(turn)"
      let json = operation.replacing("NEW", with: id).replacing("LAST", with: last)
      let revision = try editor.edit("s", batch("[\(json)]"), expecting: .anything, once: nil)
      last = id
      let rewritten = try rows("SELECT count(*) FROM past_item WHERE until = \(revision - 1)")
      most = max(most, rewritten)
      moved += rewritten
    }
    #expect(most <= 256)
    #expect(moved <= turns * 16)
    #expect(try catalogue.edition(of: "s", at: nil).strip.count == 1000 + turns)
  }

  @Test func keepsChunksOfAFairSize() throws {
    try make(numbered(5000))
    let catalogue = try SQLiteCatalogue(path: path)
    let editor = SQLiteEditor(catalogue)
    let gone = (0..<5000).filter { $0 % 50 != 0 }.map { "\"i\($0)\"" }.joined(separator: ",")
    _ = try editor.edit(
      "s", batch(#"[{"op":"remove","ids":[\#(gone)]}]"#), expecting: .anything, once: nil)
    #expect(try rows("SELECT count(*) FROM layout") == 1)
    let new = (0..<4500).map { #"{"id":"n\#($0)"}"# }.joined(separator: ",")
    _ = try editor.edit(
      "s", batch(#"[{"op":"insert","after":"i0","items":[\#(new)]}]"#), expecting: .anything,
      once: nil)
    #expect(try rows("SELECT max(count) FROM layout") <= 1000)
    #expect(try catalogue.edition(of: "s", at: nil).source.index(of: "n4499") == 4500)
    #expect(try IntegrityCheck(path: path).faults == [])
  }

  /// Two programs may write at once: each brings the layout up to date when it likes.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func bringsTheLayoutUpToDateAtAnyTime(_ seed: UInt64) throws {
    var naive = NaiveItems(items: try numbered(3000))
    try make(naive.items)
    let catalogue = try SQLiteCatalogue(path: path)
    let editors = [SQLiteEditor(catalogue), SQLiteEditor(catalogue, upkeep: .later)]
    var edits = RandomEdits(seed: seed)
    var random = SeededRandom(seed: seed)
    var history: [(Int64, [Item])] = []
    for turn in 0..<30 {
      let batch = try edits.batch(for: naive.items.map(\.id), upTo: 5)
      var after = naive
      guard (try? batch.apply(to: &after)) != nil else { continue }
      naive = after
      let editor = editors[Int.random(in: 0...1, using: &random)]
      history.append(
        (try editor.edit("s", batch, expecting: .anything, once: nil), naive.items))
      if Int.random(in: 0..<3, using: &random) == 0 {
        try SQLiteEditor(catalogue).bringUpToDate()
        #expect(try rows("SELECT count(*) FROM strip WHERE folded < revision") == 0)
      }
      if turn % 5 == 0 {
        try check(
          SQLiteCatalogue(path: path).edition(of: "s", at: nil), is: naive.items,
          "seed \(seed), turn \(turn)")
      }
    }
    #expect(try IntegrityCheck(path: path).faults == [])
    let fresh = try SQLiteCatalogue(path: path)
    for (revision, items) in history {
      try check(fresh.edition(of: "s", at: revision), is: items, "seed \(seed), at \(revision)")
    }
  }

  /// Its edition is made beside the commit, unless another program has written meanwhile.
  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func showsWhatEditsOfManyItemsLeave(_ seed: UInt64) throws {
    var naive = NaiveItems(items: try numbered(500))
    try make(naive.items)
    let catalogues = try (0..<2).map { _ in try SQLiteCatalogue(path: path) }
    let editors = catalogues.map { SQLiteEditor($0, upkeep: .later) }
    _ = try catalogues[0].edition(of: "s", at: nil)
    var edits = RandomEdits(seed: seed)
    var random = SeededRandom(seed: seed)
    var made = 0
    while made < 6 {
      let batch = try edits.batch(for: naive.items.map(\.id), upTo: 80)
      var after = naive
      let isRefused = (try? batch.apply(to: &after)) == nil
      let turn = Int.random(in: 0..<4, using: &random) / 3
      if isRefused {
        #expect(throws: CatalogueError.self) {
          try editors[turn].edit("s", batch, expecting: .anything, once: nil)
        }
        try catalogues[turn].refresh()
      } else {
        naive = after
        let revision = try editors[turn].edit("s", batch, expecting: .anything, once: nil)
        #expect(try catalogues[turn].edition(of: "s", at: nil).revision == revision)
        made += 1
      }
      try check(
        catalogues[turn].edition(of: "s", at: nil), is: naive.items, "seed \(seed), \(made)")
    }
    #expect(try IntegrityCheck(path: path).faults == [])
  }

  /// A large batch looks its items up beside the changes that it makes of them: there they are as they
  /// were before.
  @Test func changesAnItemAgainAndAgainInALargeBatch() throws {
    var naive = NaiveItems(items: try numbered(300))
    try make(naive.items)
    let catalogue = try SQLiteCatalogue(path: path)
    let editor = SQLiteEditor(catalogue, upkeep: .later)
    // Room between two items is used up on the way, so that neighbours move which are named later.
    let operations = Swift.stride(from: 0, to: 280, by: 2).filter { $0 != 150 }.flatMap { n in
      [
        #"{"op":"update","id":"i\#(n)","set":{"width":\#(n + 1)}}"#,
        #"{"op":"insert","before":"i151","items":[{"id":"n\#(n)","width":1}]}"#,
        #"{"op":"move","ids":["i\#(n)"],"before":"n\#(n)"}"#,
        #"{"op":"remove","ids":["i\#(n + 1)"]}"#,
        #"{"op":"insert","after":"i\#(n)","items":[{"id":"i\#(n + 1)","width":7}]}"#,
        #"{"op":"update","id":"i\#(n)","set":{"group":"again"}}"#,
        #"{"op":"update","id":"n\#(n / 4 * 2)","set":{"kind":"other"}}"#,
      ]
    }
    for turn in 0..<3 {
      let part = operations[turn * operations.count / 3..<(turn + 1) * operations.count / 3]
      let batch = try batch("[\(part.joined(separator: ","))]")
      try batch.apply(to: &naive)
      let revision = try editor.edit("s", batch, expecting: .anything, once: nil)
      #expect(try catalogue.edition(of: "s", at: nil).revision == revision)
      try check(catalogue.edition(of: "s", at: nil), is: naive.items, "turn \(turn)")
    }
    #expect(try IntegrityCheck(path: path).faults == [])
  }

  @Test func deletesARemovedStripPieceByPiece() throws {
    try make(numbered(3000))
    try make(numbered(2), name: "other")
    let editor = SQLiteEditor(try SQLiteCatalogue(path: path), upkeep: .later)
    _ = try editor.edit(
      "s", batch(#"[{"op":"remove","ids":["i0","i7"]}]"#), expecting: .anything, once: nil)
    try editor.remove("s", expecting: .anything)
    #expect(try rows("SELECT count(*) FROM item") == 3000)
    #expect(try IntegrityCheck(path: path).faults == [])
    try editor.bringUpToDate()
    for table in ["past_item", "past_strip", "change", "forgotten"] {
      #expect(try rows("SELECT count(*) FROM \(table)") == 0, "\(table)")
    }
    for table in ["item", "layout", "kind"] {
      #expect(try rows("SELECT count(DISTINCT strip) FROM \(table)") == 1, "\(table)")
    }
    #expect(try IntegrityCheck(path: path).faults == [])
  }

  @Test func theLogStaysWithinItsLimitWhileEditFollowsEdit() throws {
    try make(numbered(2000))
    let limit = 1 << 20
    let catalogue = try SQLiteCatalogue(path: path)
    let editor = SQLiteEditor(catalogue, upkeep: .later, logLimit: limit)
    var longest = 0
    for turn in 0..<60 {
      let updates = Swift.stride(from: turn % 4, to: 2000, by: 4).map {
        #"{"op":"update","id":"i\#($0)","set":{"width":\#(turn)}}"#
      }
      _ = try editor.edit(
        "s", batch("[\(updates.joined(separator: ","))]"), expecting: .anything, once: nil)
      let length = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
      longest = max(longest, try #require(length))
    }
    // They write 17 MB. It begins anew at the first edit past its limit that nobody reads beside.
    #expect(longest <= 4 * limit)
    #expect(longest >= limit)
  }

  @Test func refusesWhatIsMadeForAnotherRevision() throws {
    try make(numbered(3))
    let catalogue = try SQLiteCatalogue(path: path)
    let editor = SQLiteEditor(catalogue)
    let first = try catalogue.edition(of: "s", at: nil).revision
    let fine = try batch(#"[{"op":"remove","ids":["i0"]}]"#)
    let second = try editor.edit("s", fine, expecting: .oneOf([1, first]), once: nil)
    let again = try batch(#"[{"op":"remove","ids":["i1"]}]"#)
    #expect(throws: CatalogueError.revisionDiffers(second)) {
      try editor.edit("s", again, expecting: .oneOf([first]), once: nil)
    }
    #expect(try catalogue.edition(of: "s", at: nil).revision == second)
  }

  @Test func knowsWhichRevisionsNeverWere() throws {
    try make(numbered(20))
    let first = try SQLiteCatalogue(path: path).edition(of: "s", at: nil).revision
    let replacement = StripImport(name: "s", mode: .replace)
    let second = try SQLiteImporter(path: path).run(replacement) { add throws(CatalogueError) in
      for width in 0..<19 { try add(Item(id: "i\(width)", width: .px(width))) }
    }.revision
    let jumpedOver = first + 1..<second
    #expect(!jumpedOver.isEmpty)
    let catalogue = try SQLiteCatalogue(path: path)
    let third = try SQLiteEditor(catalogue).edit(
      "s", batch(#"[{"op":"remove","ids":["i0"]}]"#), expecting: .anything, once: nil)
    for revision in [first - 1, jumpedOver.lowerBound, jumpedOver.upperBound - 1, third + 1] {
      #expect(throws: CatalogueError.revisionUnknown(revision)) {
        try catalogue.edition(of: "s", at: revision)
      }
    }
    for revision in [first, second, third] {
      #expect(try catalogue.edition(of: "s", at: revision).revision == revision)
    }
  }
}
