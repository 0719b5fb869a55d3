import Catalogue
import CatalogueTesting
import Foundation
import Items
import SQLCatalogue
import Testing
import Views
import Windowing

struct GeometryCompactionTests {

  private func compaction(_ database: any SQLDatabase) throws -> GeometryCompaction {
    try database.write(by: WriteDeadline()) { session in
      let strip = try #require(try StripRow.fetch(session, name: "s"))
      return try GeometryCompaction(
        of: strip, GeometryCompaction.changes(of: strip, session), session)
    }
  }

  private func step(
    _ compaction: inout GeometryCompaction, _ database: any SQLDatabase
  ) throws -> Bool {
    try database.maintain { try compaction.step(chunks: 1, $0) }
  }

  /// Two processes compact one strip at the same time, and an edit comes between them.
  @Test(arguments: Store.allCases)
  func `two compactions of one strip never mix their chunks`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 2500)
    let (catalogue, editor) = try store.editable()
    let database = catalogue.database
    func update(_ id: String, _ width: Int) throws {
      try editor.edit(#"[{"op":"update","id":"\#(id)","set":{"width":\#(width)}}]"#)
    }
    try update("i5", 20)
    var first = try compaction(database)
    try update("i5", 30)
    var second = try compaction(database)
    #expect(try step(&second, database))
    while try step(&first, database) {}
    while try step(&second, database) {}
    #expect(try store.faults() == [])
    let loaded = try store.catalogue().snapshot(of: "s", at: nil)
    #expect(loaded.strip[5].size.width == .px(30))
    try store.maintain(SQLStripEditor(store.catalogue(), isServer: false))
    #expect(try store.count(of: "compaction") == 0 && store.count(of: "garbage") == 0)
    #expect(try store.number("SELECT count(DISTINCT generation) FROM layout") == 1)
  }

  /// A strip that always grows is compacted too.
  @Test(arguments: Store.allCases)
  func `a compaction keeps items that are appended during it`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    var items = try numbered(2500)
    try store.put(items)
    let (catalogue, editor) = try store.editable()
    func edit(_ json: String) throws {
      try editor.edit(json)
    }
    try edit(#"[{"op":"remove","ids":["i2499","i7"]}]"#)
    try edit(#"[{"op":"insert","before":null,"items":[{"id":"end"}]}]"#)
    items.removeAll { ["i2499", "i7"].contains($0.id) }
    items.append(try Item(id: "end"))
    var compaction = try compaction(catalogue.database)
    var turn = 0
    func append() throws {
      // The first import fills the last chunk. Each of the others needs a new chunk.
      let new = try (0..<(turn == 0 ? 502 : 1100)).map { try Item(id: "new\(turn)-\($0)") }
      try store.put(new, .append)
      items += new
      try edit(#"[{"op":"update","id":"new\#(turn)-3","set":{"width":9}}]"#)
      items[items.count - new.count + 3] = try Item(id: "new\(turn)-3", width: .px(9))
    }
    while try step(&compaction, catalogue.database) {
      if turn < 4 { try append() }
      turn += 1
    }
    #expect(turn > 4)
    #expect(try store.count(of: "compaction") == 0)
    // The changes after the compaction began, and the appended items.
    #expect(try store.number("SELECT uncompacted_changes FROM strip") == 8)
    try check(store.catalogue().snapshot(of: "s", at: nil), is: items)
    #expect(try store.faults() == [])
    try store.maintain(editor)
    #expect(try store.number("SELECT count(DISTINCT generation) FROM layout") == 1)
    try check(store.catalogue().snapshot(of: "s", at: nil), is: items)
    #expect(try store.faults() == [])
  }

  /// Two servers edit and compact a strip. Some turns load the strip.
  @Test(arguments: Store.allCases, 1...2 as ClosedRange<UInt64>)
  func `compactions beside edits leave what the edits made`(_ store: Store, _ seed: UInt64) throws {
    let store = try StoreUnderTest(store)
    var naive = NaiveItems(items: try numbered(4000))
    try store.put(naive.items)
    let servers = [try store.editable(), try store.editable()]
    var running: [GeometryCompaction?] = [nil, nil]
    var edits = RandomEdits(seed: seed)
    for turn in 0..<40 {
      let place = turn % 2
      let batch = try edits.batch(for: naive.items.map(\.id), upTo: 8)
      var after = naive
      guard (try? batch.apply(to: &after)) != nil else { continue }
      naive = after
      try servers[place].editor.edit(batch)
      let database = servers[place].catalogue.database
      var next = try running[place] ?? compaction(database)
      running[place] = try step(&next, database) ? next : nil
      guard turn % 8 == 0 else { continue }
      let loaded = try store.catalogue().snapshot(of: "s", at: nil)
      #expect(
        try loaded.source.items(in: 0..<loaded.strip.count) == naive.items,
        "seed \(seed), turn \(turn)")
    }
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `a compaction that a process abandoned does not delay the next one`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 2500)
    let (catalogue, editor) = try store.editable()
    try editor.edit(#"[{"op":"remove","ids":["i7"]}]"#)
    var abandoned = try compaction(catalogue.database)
    #expect(try step(&abandoned, catalogue.database))
    try store.maintain(editor)
    #expect(try store.number("SELECT uncompacted_changes FROM strip") > 0)
    // A running compaction takes many steps a second. This compaction has taken no step for a minute.
    try store.execute("UPDATE compaction SET last_step = last_step - 60000000")
    try store.maintain(editor)
    #expect(try store.number("SELECT uncompacted_changes FROM strip") == 0)
    #expect(try !step(&abandoned, catalogue.database))
    #expect(try store.count(of: "compaction") == 0)
    try store.maintain(editor)
    #expect(try store.number("SELECT count(DISTINCT generation) FROM layout") == 1)
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `a compaction that fails is made again after the next change`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 4000)
    let (probe, catalogue) = try store.probed()
    let editor = SQLStripEditor(catalogue, isServer: false)
    probe.failMaintenance(after: 4)  // the first step of the compaction
    let updates = (0..<1001).map { #"{"op":"update","id":"i\#($0)","set":{"width":7}}"# }
    try editor.edit("[\(updates.joined(separator: ","))]")
    #expect(try store.number("SELECT uncompacted_changes FROM strip") == 1001)
    #expect(try store.count(of: "compaction") == 0)
    probe.failMaintenance(after: .max)
    try store.put([Item(id: "t")], into: "t")
    _ = try editor.set("t", SettingsPatch(json: Array(#"{"gap":3}"#.utf8)), expecting: .anything)
    #expect(try store.number("SELECT uncompacted_changes FROM strip WHERE name = 's'") == 0)
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `expired keys that cannot be deleted do not stop a compaction`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 4000)
    let (probe, catalogue) = try store.probed()
    let editor = SQLStripEditor(catalogue, isServer: false)
    probe.failMaintenance(after: 1)
    let updates = (0..<1001).map { #"{"op":"update","id":"i\#($0)","set":{"width":7}}"# }
    try editor.edit("[\(updates.joined(separator: ","))]")
    #expect(probe.hasFailedMaintenance)
    #expect(try store.number("SELECT uncompacted_changes FROM strip") == 0)
  }

  @Test(arguments: Store.allCases)
  func `an edit has a long log compacted`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 4000)
    let editor = try store.editor(isServer: true)
    let updates = (0..<1001).map { #"{"op":"update","id":"i\#($0)","set":{"width":7}}"# }
    try editor.edit("[\(updates.joined(separator: ","))]")
    try eventually { try store.number("SELECT uncompacted_changes FROM strip") == 0 }
    #expect(try store.faults() == [])
  }
}
