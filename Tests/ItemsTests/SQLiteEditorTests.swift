import Foundation
import GRDB
import Items
import ItemsInSQLite
import Testing
import Windowing

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

  /// One writer's catalogue follows its own edits, another's those of others, a third begins anew;
  /// all of them are what an array becomes, and so is every former revision.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func doesWhatAnArrayWouldAndHoldsWhatWas(_ seed: UInt64) throws {
    var naive = NaiveItems(items: try numbered(seed % 2 == 0 ? 2500 : 12))
    try make(naive.items)
    let catalogue = try SQLiteCatalogue(path: path)
    let other = try SQLiteCatalogue(path: path)
    _ = try other.edition(of: "s", at: nil)
    let editor = SQLiteEditor(catalogue)
    var edits = RandomEdits(seed: seed)
    var history = [(try catalogue.edition(of: "s", at: nil).revision, naive.items)]
    for turn in 0..<40 {
      let batch = try edits.batch(for: naive.items.map(\.id), upTo: 6)
      let label = "seed \(seed), turn \(turn)"
      var after = naive
      do {
        try batch.apply(to: &after)
      } catch let error as CatalogueError {
        #expect(throws: error, "\(label)") {
          try editor.edit("s", batch, expecting: .anything, once: nil)
        }
        continue
      }
      let revision = try editor.edit("s", batch, expecting: .anything, once: nil)
      naive = after
      #expect(revision == history[history.count - 1].0 + 1)
      history.append((revision, naive.items))
      try check(catalogue.edition(of: "s", at: nil), is: naive.items, label)
      if turn % 7 == 0 {
        try other.refresh()
        try check(other.edition(of: "s", at: nil), is: naive.items, "\(label), another process")
      }
    }
    let fresh = try SQLiteCatalogue(path: path)
    try check(fresh.edition(of: "s", at: nil), is: naive.items, "seed \(seed), anew")
    for (revision, items) in history {
      let label = "seed \(seed), at \(revision - history[0].0)"
      try check(catalogue.edition(of: "s", at: revision), is: items, label)
      try check(fresh.edition(of: "s", at: revision), is: items, "\(label), anew")
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
    #expect(try Examination(path: path).faults == [])
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
    #expect(try Examination(path: path).faults == [])
    let fresh = try SQLiteCatalogue(path: path)
    for (revision, items) in history {
      try check(fresh.edition(of: "s", at: revision), is: items, "seed \(seed), at \(revision)")
    }
  }

  @Test func deletesARemovedStripPieceByPiece() throws {
    try make(numbered(3000))
    try make(numbered(2), name: "other")
    let editor = SQLiteEditor(try SQLiteCatalogue(path: path), upkeep: .later)
    _ = try editor.edit(
      "s", batch(#"[{"op":"remove","ids":["i0","i7"]}]"#), expecting: .anything, once: nil)
    try editor.remove("s", expecting: .anything)
    #expect(try rows("SELECT count(*) FROM item") == 3000)
    #expect(try Examination(path: path).faults == [])
    try editor.bringUpToDate()
    for table in ["past_item", "past_strip", "change", "forgotten"] {
      #expect(try rows("SELECT count(*) FROM \(table)") == 0, "\(table)")
    }
    for table in ["item", "layout", "kind"] {
      #expect(try rows("SELECT count(DISTINCT strip) FROM \(table)") == 1, "\(table)")
    }
    #expect(try Examination(path: path).faults == [])
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

  @Test func makesAChangeOfOneKeyOnce() throws {
    try make(numbered(3))
    let editor = SQLiteEditor(try SQLiteCatalogue(path: path))
    let body = Array(#"[{"op":"remove","ids":["i0"]}]"#.utf8)
    let key = try OnceKey(Array("key".utf8), body: body)
    let batch = try EditBatch(body, as: .array)
    let made = try editor.edit("s", batch, expecting: .anything, once: key)
    #expect(try editor.edit("s", batch, expecting: .oneOf([made - 1]), once: key) == made)
    let other = try OnceKey(Array("key".utf8), body: [])
    let error = #expect(throws: CatalogueError.self) {
      try editor.edit("s", batch, expecting: .anything, once: other)
    }
    guard case .conflict? = error else {
      Issue.record("\(String(describing: error)) is no conflict")
      return
    }
    // A day later the key is free, and the change is made: it cannot be, a second time.
    try DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE once SET made = 1") }
    let late = #expect(throws: CatalogueError.self) {
      try editor.edit("s", batch, expecting: .anything, once: key)
    }
    #expect(late?.description.contains("there is no item") == true)
  }

  @Test func holdsTheLast64RevisionsAndLetsGoOfOlderOnes() throws {
    try make(numbered(1))
    let catalogue = try SQLiteCatalogue(path: path)
    let editor = SQLiteEditor(catalogue)
    let first = try catalogue.edition(of: "s", at: nil).revision
    for width in 1...70 {
      let update = try batch(#"[{"op":"update","id":"i0","set":{"width":\#(width)}}]"#)
      _ = try editor.edit("s", update, expecting: .anything, once: nil)
    }
    let young = try SQLiteCatalogue(path: path).edition(of: "s", at: first)
    #expect(try young.source.items(in: 0..<1)[0].width == .px(0))

    try DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE past_strip SET ended = 1") }
    let last = try editor.edit(
      "s", batch(#"[{"op":"update","id":"i0","set":{"width":71}}]"#), expecting: .anything,
      once: nil)
    #expect(throws: CatalogueError.revisionGone(first)) {
      try young.source.items(in: 0..<1)
    }
    let fresh = try SQLiteCatalogue(path: path)
    #expect(throws: CatalogueError.revisionGone(first)) { try fresh.edition(of: "s", at: first) }
    let oldest = try fresh.edition(of: "s", at: last - 63)
    #expect(try oldest.source.items(in: 0..<1)[0].width == .px(8))
    #expect(throws: CatalogueError.revisionUnknown(last + 1)) {
      try fresh.edition(of: "s", at: last + 1)
    }
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

  @Test func changesSettingsAndKeepsTheFormerOnes() throws {
    try make([Item(id: "bare"), Item(id: "wide", width: .px(10))])
    let catalogue = try SQLiteCatalogue(path: path)
    let editor = SQLiteEditor(catalogue)
    let before = try catalogue.edition(of: "s", at: nil)
    let patch = try SettingsPatch(json: Array(#"{"itemWidth":20,"title":"T","loop":true}"#.utf8))
    let made = try editor.set("s", patch, expecting: .existence)
    #expect(made == SettingsMade(revision: before.revision + 1, isNew: false))
    let after = try catalogue.edition(of: "s", at: nil)
    #expect(after.settings.title == "T" && after.settings.loop)
    #expect(after.strip[0].size.width == .px(20))
    let held = try SQLiteCatalogue(path: path).edition(of: "s", at: before.revision)
    #expect(held.settings == before.settings)
    #expect(held.strip == before.strip)
  }

  @Test func makesAndRemovesStripsAndGoesOnAboveWhatWas() throws {
    try make(numbered(3))
    let catalogue = try SQLiteCatalogue(path: path)
    let editor = SQLiteEditor(catalogue)
    let patch = try SettingsPatch(json: Array("{}".utf8))
    #expect(try editor.set("new", patch, expecting: .anything).isNew)
    #expect(try catalogue.names(after: nil, limit: 9) == ["s", "new"])
    // A clock that goes back does not bring back a revision.
    try DatabaseQueue(path: path).write {
      try $0.execute(sql: "UPDATE strip SET revision = 9000000000000000 WHERE name = 's'")
    }
    try editor.remove("s", expecting: .anything)
    #expect(throws: CatalogueError.noSuchStrip("s")) { try catalogue.edition(of: "s", at: nil) }
    #expect(try catalogue.edition(of: nil, at: nil).name == "new")
    #expect(try editor.set("s", patch, expecting: .anything).revision == 9_000_000_000_000_001)
    #expect(try catalogue.edition(of: "s", at: nil).strip.isEmpty)
    #expect(throws: CatalogueError.revisionDiffers(0)) {
      try editor.set("third", patch, expecting: .existence)
    }
  }

  @Test func knowsTokensByTheirHashAlone() throws {
    try make(numbered(1))
    let editor = SQLiteEditor(try SQLiteCatalogue(path: path))
    let tokens = try SQLiteTokens(path: path)
    let token = try tokens.makeToken(for: "s", right: .changes, lifetime: nil)
    let short = try tokens.makeToken(for: "s", right: .changes, lifetime: 0)
    func permission(_ secret: String, _ strip: String) throws -> Permission {
      try editor.permission(of: Array(secret.utf8), for: strip)
    }
    #expect(try permission(token.secret, "s") == .granted)
    #expect(try permission(token.secret, "t") == .ofAnotherStrip)
    #expect(try permission(token.secret + "x", "s") == .unknown)
    #expect(try permission(short.secret, "s") == .unknown)
    #expect(try tokens.tokens().map(\.strip) == ["s", "s"])
    try tokens.revokeToken(tokens.tokens()[0].number)
    #expect(try permission(token.secret, "s") == .unknown)
    #expect(throws: CatalogueError.self) { try tokens.revokeToken(77) }
  }
}
