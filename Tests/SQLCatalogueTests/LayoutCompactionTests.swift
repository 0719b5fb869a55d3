import Catalogue
import CatalogueTesting
import Foundation
import Testing
import Windowing

@testable import SQLCatalogue

struct LayoutCompactionTests {

  private func compaction(_ database: any SQLDatabase) throws -> LayoutCompaction {
    try database.write(by: WriteDeadline()) { session in
      let strip = try #require(try StripRow.fetch(session, name: "s"))
      return try LayoutCompaction(of: strip, LayoutCompaction.changes(of: strip, session), session)
    }
  }

  private func step(
    _ compaction: inout LayoutCompaction, _ database: any SQLDatabase
  ) throws -> Bool {
    try database.maintain { try compaction.step(chunks: 1, $0) }
  }

  /// Two processes compact one strip at the same time, and an edit comes between them.
  @Test(arguments: Store.allCases)
  func `two compactions of one strip never mix their chunks`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put(numbered(2500))
    let (catalogue, editor) = try store.editable()
    let database = catalogue.database
    func update(_ id: String, _ width: Int) throws {
      _ = try editor.edit(
        "s", batch(#"[{"op":"update","id":"\#(id)","set":{"width":\#(width)}}]"#),
        expecting: .anything, once: nil)
    }
    try update("i5", 20)
    var first = try compaction(database)
    try update("i5", 30)
    var second = try compaction(database)
    #expect(try step(&second, database))
    while try step(&first, database) {}
    while try step(&second, database) {}
    #expect(try store.faults() == [])
    let loaded = try store.catalogue().edition(of: "s", at: nil)
    #expect(loaded.strip[5].size.width == .px(30))
    try StoredStripEditor(store.catalogue(), isServer: false).maintainAll()
    #expect(try store.count(of: "compaction") == 0 && store.count(of: "purge") == 0)
    #expect(try store.number("SELECT count(DISTINCT generation) FROM layout") == 1)
  }

  @Test(arguments: Store.allCases)
  func `a compaction gives way to items that are appended during it`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    var items = try numbered(2500)
    try store.put(items)
    let (catalogue, editor) = try store.editable()
    _ = try editor.edit(
      "s", batch(#"[{"op":"remove","ids":["i2499","i7"]}]"#), expecting: .anything, once: nil)
    var compaction = try compaction(catalogue.database)
    #expect(try step(&compaction, catalogue.database))
    try store.put([Item(id: "new")], .append)
    while try step(&compaction, catalogue.database) {}
    items.removeAll { ["i2499", "i7"].contains($0.id) }
    items.append(try Item(id: "new"))
    let loaded = try store.catalogue().edition(of: "s", at: nil)
    #expect(try loaded.source.items(in: 0..<items.count) == items)
    #expect(try store.faults() == [])
  }

  /// Two servers edit, and both compact; the strip is loaded now and then.
  @Test(arguments: Store.allCases, 1...2 as ClosedRange<UInt64>)
  func `compactions beside edits leave what the edits made`(_ store: Store, _ seed: UInt64) throws {
    let store = try StoreUnderTest(store)
    var naive = NaiveItems(items: try numbered(4000))
    try store.put(naive.items)
    let servers = [try store.editable(), try store.editable()]
    var running: [LayoutCompaction?] = [nil, nil]
    var edits = RandomEdits(seed: seed)
    for turn in 0..<40 {
      let place = turn % 2
      let batch = try edits.batch(for: naive.items.map(\.id), upTo: 8)
      var after = naive
      guard (try? batch.apply(to: &after)) != nil else { continue }
      naive = after
      _ = try servers[place].editor.edit("s", batch, expecting: .anything, once: nil)
      let database = servers[place].catalogue.database
      var next = try running[place] ?? compaction(database)
      running[place] = try step(&next, database) ? next : nil
      guard turn % 8 == 0 else { continue }
      let loaded = try store.catalogue().edition(of: "s", at: nil)
      #expect(
        try loaded.source.items(in: 0..<loaded.strip.count) == naive.items,
        "seed \(seed), turn \(turn)")
    }
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `an edit has a long log compacted`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put(numbered(4000))
    let editor = try store.editor(isServer: true)
    let updates = (0..<1001).map { #"{"op":"update","id":"i\#($0)","set":{"width":7}}"# }
    _ = try editor.edit(
      "s", batch("[\(updates.joined(separator: ","))]"), expecting: .anything, once: nil)
    try eventually { try store.number("SELECT pending FROM strip") == 0 }
    #expect(try store.faults() == [])
  }
}
