import Catalogue
import CatalogueTesting
import Foundation
import GRDB
import Items
import RandomTesting
import SQLCatalogue
import SQLiteDatabase
import Testing
import Views
import Windowing

/// Tests that change single bytes of a SQLite file. No change ends the process or causes invalid JSON. If
/// the check finds no damage, the catalogue can be read.
struct DamageTests {
  /// The bytes of a database with many different items, superseded items, a log and a token. Revisions and
  /// the token differ in each run.
  private func database() throws -> (bytes: [UInt8], revisions: [Int64]) {
    let store = try StoreUnderTest()
    var settings = SettingsPatch()
    settings.filterable = ["title"]
    settings.searchable = ["title"]
    try store.put(randomItems(40, seed: 5), settings: settings)
    _ = try store.tokens().makeToken(for: "s", scope: .reads, lifetime: 1000)
    let editor = try store.editor()
    let revisions = try (0..<6).map { number in
      try editor.edit(
        #"[{"op":"update","id":"item \#(number) \"😀\"","set":{"width":\#(number),"group":"g\#(number)","fields":{"title":"é\#(number)"}}}]"#
      )
    }
    editor.close()
    return (Array(try Data(contentsOf: URL(fileURLWithPath: store.path))), revisions)
  }

  @Test func `a change of one byte is found or harmless`() throws {
    let (bytes, revisions) = try database()
    let folder = try ScratchFolder()
    let path = folder.path("damaged.db")
    let written = bytes.indices.filter { bytes[$0] != 0 }
    var found = 0
    for seed in 0..<500 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      let place = try #require(written.randomElement(using: &random))
      var damaged = bytes
      damaged[place] ^= UInt8.random(in: 1...255, using: &random)
      for log in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + log) }
      try Data(damaged).write(to: URL(fileURLWithPath: path))
      var faults: [String]
      do {
        let database = try SQLiteFile(path: path, readers: 1)
        faults = try IntegrityCheck(database).faults
        database.close()
      } catch {
        faults = ["\(error)"]
      }
      if !faults.isEmpty { found += 1 }
      let surroundings = bytes[max(0, place - 60)..<min(bytes.count, place + 60)]
        .map { String($0, radix: 16) }.joined(separator: " ")
      let failures = read(path, at: revisions, isEdited: seed.isMultiple(of: 8))
      #expect(
        !faults.isEmpty || failures.isEmpty,
        "seed \(seed), byte \(place), \(bytes[place]) to \(damaged[place]) in \(surroundings): \(failures)"
      )
    }
    #expect(found > 200)
  }

  /// Reads and edits everything, and expects valid JSON. Returns the errors.
  private func read(_ path: String, at revisions: [Int64], isEdited: Bool) -> [String] {
    var failures: [String] = []
    func attempt(_ body: () throws -> Void) {
      do { try body() } catch { failures.append("\(error)") }
    }
    attempt {
      let catalogue = try SQLStripCatalogue(
        SQLiteFile(path: path, readers: 2), observesChanges: false)
      let editor = SQLStripEditor(catalogue, isServer: true)
      defer { editor.close() }
      attempt { _ = try catalogue.summaries(after: nil, limit: 10) }
      for revision in [nil, revisions[0]] {
        attempt {
          let snapshot = try catalogue.snapshot(of: "s", at: revision)
          let all = 0..<snapshot.strip.count
          attempt {
            for item in try snapshot.source.items(in: all) { expectJSON(item.json) }
          }
          attempt {
            try snapshot.source.read(all) { item in
              expectJSON(Array(item.fields))
              #expect(String(validating: item.id, as: UTF8.self) != nil)
            }
          }
          guard revision == nil else { return }
          attempt {
            var query = ViewQuery()
            try query.set(.filter, to: "title EXISTS")
            let view = try StripView.make(query, of: snapshot, list: nil).snapshot
            _ = try view.source.contents(of: 0..<view.strip.count)
          }
        }
      }
      // A change may fail; it must not trap.
      guard isEdited else { return }
      _ = try? editor.edit(#"[{"op":"insert","before":null,"items":[{"id":"new"}]}]"#)
      try? DatabaseQueue(path: path).write { try $0.execute(sql: StoreUnderTest.lengthenLogs) }
      try? StoreUnderTest.reseal(SQLiteFile(path: path))
      try? editor.maintain()
    }
    return failures
  }

  private func expectJSON(_ bytes: [UInt8]) {
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(bytes)) }
  }

  @Test func `a damaged item is an error that names it, in windows and exports`() throws {
    for damage in [
      #"fields = '{"title":"x'"#, #"fields = '{"title":"x"}}'"#, #"fields = '{"title":[1]}'"#,
      #"fields = '{"title":"' || char(10) || '"}'"#, "fields = CAST(x'7B2261223A22FF227D' AS TEXT)",
      "width = -1", "kind = -1",
    ] {
      let store = try StoreUnderTest()
      try store.put((0..<3).map { try Item(id: "i\($0)", width: .px(5)) })
      try store.damageItems("\(damage) WHERE id = 'i1'")
      let catalogue = try store.catalogue()
      let snapshot = try catalogue.snapshot(of: "s", at: nil)
      let error = #expect(throws: CatalogueError.self, "\(damage)") {
        try snapshot.source.items(in: 0..<3)
      }
      #expect("\(try #require(error))".contains("\"i1\""), "\(damage)")
      #expect(try store.faults() != [], "\(damage)")
      guard damage.hasPrefix("fields") else { continue }
      var ids: [String] = []
      let windowError = #expect(throws: CatalogueError.self, "\(damage)") {
        try snapshot.source.read(0..<3) { ids.append(String(decoding: $0.id, as: UTF8.self)) }
      }
      #expect("\(try #require(windowError))".contains("\"i1\""), "\(damage)")
      #expect(!ids.contains("i1"))
    }
  }

  @Test(
    arguments: Store.allCases,
    [
      ("UPDATE item SET first_revision = first_revision + 1000000 WHERE id = 'i1'", "i1"),
      ("UPDATE item SET sort_key = sort_key + 1 WHERE id = 'i1'", "i1"),
      ("UPDATE item SET sort_key = sort_key + 100000000 WHERE id = 'i1'", "at the sort key"),
      ("DELETE FROM item WHERE id = 'i1'", "at the sort key"),
    ])
  func `a row that is not where the geometry says is named and counted`(
    _ kind: Store, _ damage: (sql: String, name: String)
  ) throws {
    let store = try StoreUnderTest(kind, holding: 3)
    let catalogue = try store.catalogue()
    let snapshot = try catalogue.snapshot(of: "s", at: nil)
    try store.execute(damage.sql)
    let known = try #require(catalogue.status).damagedRows
    for read in [
      { _ = try snapshot.source.items(in: 0..<3) }, { try snapshot.source.read(0..<3) { _ in } },
    ] {
      let error = #expect(throws: CatalogueError.self) { try read() }
      let sentence = "\(try #require(error))"
      #expect(sentence.hasPrefix("the strip \"s\": ") && sentence.contains(damage.name))
    }
    #expect(try #require(catalogue.status).damagedRows >= known + 2)
    #expect(try store.faults().contains { $0.contains("\"s\"") })
  }

  @Test(
    arguments: Store.allCases,
    [
      #"fields = '{"a":1}'"#, "first_revision = first_revision + 1000000",
      "sort_key = sort_key + 1",
    ])
  func `a look-up of an id compares the checksum of the row`(_ kind: Store, _ damage: String) throws
  {
    let store = try StoreUnderTest(kind, holding: 3)
    let (catalogue, editor) = try store.editable()
    let snapshot = try catalogue.snapshot(of: "s", at: nil)
    let update = try batch(#"[{"op":"update","id":"i2","set":{"width":7}}]"#)
    try editor.edit(update)
    #expect(try snapshot.source.indices(of: ["i0", "i2", "i9"]) == [0, 2, nil])
    for table in ["item", "item_history"] {
      let id = table == "item" ? "i1" : "i2"
      // A superseded row with a later first revision is not found, as one that is not there.
      if table == "item_history", damage.hasPrefix("first_revision") { continue }
      try store.execute("UPDATE \(table) SET \(damage) WHERE id = '\(id)'")
      for ids in [[id], ["i0", id, "i9"]] {
        let error = #expect(throws: CatalogueError.self) { try snapshot.source.indices(of: ids) }
        #expect("\(try #require(error))".contains("\"s\": the item \"\(id)\""))
      }
    }
  }

  @Test(
    arguments: Store.allCases,
    [
      ("UPDATE item SET fields = '{}' WHERE id = 'i1'", "the item \"i1\"", [0]),
      ("UPDATE layout SET step = step + 1", "the chunk of the layout at the sort key", [1]),
      (
        "UPDATE revision SET ordinal = ordinal + 1", "the row of the change log at the revision",
        [0, 1]
      ),
    ])
  func `an edit or import that meets a damaged row names the strip and the row`(
    _ kind: Store, _ damage: (sql: String, name: String, changes: [Int])
  ) throws {
    let updates = try [1, 2].map { value in
      try batch(#"[{"op":"update","id":"i1","set":{"fields":{"a":\#(value)}}}]"#)
    }
    for change in damage.changes {
      let store = try StoreUnderTest(kind)
      try store.put(numbered(3))
      let editor = try store.editor()
      try editor.edit(updates[0])
      try store.execute(damage.sql)
      let error = #expect(throws: CatalogueError.self, "\(change)") {
        switch change {
        case 0: _ = try editor.edit(updates[1])
        default: try store.put([Item(id: "new")], .append)
        }
      }
      #expect("\(try #require(error))".hasPrefix("the strip \"s\": \(damage.name)"))
    }
  }

  @Test(
    arguments: Store.allCases,
    [
      #"UPDATE item SET fields = '{"b":1}' WHERE id = 'i2400'"#,
      #"UPDATE item SET fields = '{"b":1}' WHERE id = 'removed'"#,
      "UPDATE layout SET step = step + 1", "UPDATE revision SET ordinal = ordinal + 1",
    ])
  func `a replacement writes a strip with damaged rows anew`(
    _ kind: Store, _ damage: String
  ) throws {
    let store = try StoreUnderTest(kind)
    try store.put(numbered(2500) + [Item(id: "removed")])
    let update = try batch(#"[{"op":"update","id":"i1","set":{"fields":{"a":1}}}]"#)
    try store.editor().edit(update)
    try store.execute(damage)
    #expect(try store.faults() != [])
    var items = try numbered(2500)
    items.insert(try Item(id: "new"), at: 0)
    items.swapAt(5, 1700)
    try store.put(items, .replace)
    #expect(try ids(store.catalogue()) == items.map(\.id))
    #expect(try store.faults() == [])
  }

  @Test func `the check knows every constraint of the schema`() throws {
    let store = try StoreUnderTest()
    try store.put([try Item(id: "a")])
    _ = try store.tokens().makeToken(for: "s", scope: .reads, lifetime: nil)
    #expect(try store.faults() == [])
    for damage in ["UPDATE token SET allows = 'all'", "UPDATE catalogue SET epoch_revoked = 7"] {
      try store.execute(damage)
      #expect(try store.faults().contains { $0.contains("constraint") }, "\(damage)")
    }
  }
}
