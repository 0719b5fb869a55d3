import Catalogue
import CatalogueTesting
import Foundation
import GRDB
import Items
import RandomTesting
import SQLCatalogue
import Testing
import Views
import Windowing

struct EditingTests {

  @Test(arguments: Store.allCases)
  func `an insertion writes its own rows and no others`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3000)
    let editor = try store.editor()
    try editor.edit(#"[{"op":"insert","before":"i1500","items":[{"id":"a"},{"id":"b"}]}]"#)
    #expect(try store.number("SELECT count(*) FROM item_history") == 0)
    try editor.edit(#"[{"op":"move","ids":["i2","i2000","b"],"after":"i900"}]"#)
    #expect(try store.number("SELECT count(*) FROM item_history") == 3)
  }

  @Test(
    arguments: Store.allCases,
    [
      #"{"op":"insert","before":"i500","items":[{"id":"NEW"}]}"#,
      #"{"op":"insert","after":"i500","items":[{"id":"NEW"}]}"#,
      #"{"op":"insert","after":"LAST","items":[{"id":"NEW"}]}"#,
      #"{"op":"insert","before":"LAST","items":[{"id":"NEW"}]}"#,
    ])
  func `few neighbours move if a gap is used up`(_ store: Store, _ operation: String) throws {
    let store = try StoreUnderTest(store, holding: 1000)
    let catalogue = try store.catalogue()
    let editor = SQLStripEditor(catalogue, isServer: false)
    var last = "i500"
    let turns = 400
    var (most, moved) = (0, 0)
    for turn in 0..<turns {
      let id = "n\(turn)"
      let json = operation.replacing("NEW", with: id).replacing("LAST", with: last)
      let revision = try editor.edit("[\(json)]")
      last = id
      guard turn % 40 == 39 else { continue }
      let recent = "FROM item_history WHERE last_revision >= \(revision - 40)"
      let counts = "SELECT count(*) AS count \(recent) GROUP BY last_revision"
      most = max(most, try store.number("SELECT max(count) FROM (\(counts)) AS counts"))
      moved += try store.number("SELECT count(*) \(recent)")
    }
    #expect(most <= 256)
    #expect(moved <= turns * 16)
    #expect(try catalogue.snapshot(of: "s", at: nil).strip.count == 1000 + turns)
  }

  @Test(arguments: Store.allCases)
  func `chunks of a geometry have at most a thousand items after a compaction`(
    _ store: Store
  ) throws {
    let store = try StoreUnderTest(store, holding: 5000)
    let catalogue = try store.catalogue()
    let editor = SQLStripEditor(catalogue, isServer: false)
    let gone = (0..<5000).filter { $0 % 50 != 0 }.map { "\"i\($0)\"" }.joined(separator: ",")
    try editor.edit(#"[{"op":"remove","ids":[\#(gone)]}]"#)
    #expect(try store.number("SELECT count(*) FROM layout") == 1)
    let new = (0..<4500).map { #"{"id":"n\#($0)"}"# }.joined(separator: ",")
    try editor.edit(#"[{"op":"insert","after":"i0","items":[\#(new)]}]"#)
    #expect(try store.number("SELECT max(count) FROM layout") <= 1000)
    #expect(try catalogue.snapshot(of: "s", at: nil).source.index(of: "n4499") == 4500)
    #expect(try store.faults() == [])
  }

  /// Several programs can write to a strip, and each can compact the geometry at any time.
  @Test(arguments: Store.allCases, 1...2 as ClosedRange<UInt64>)
  func `the geometry can be compacted between any two edits`(_ store: Store, _ seed: UInt64) throws
  {
    let store = try StoreUnderTest(store)
    var naive = NaiveItems(items: try numbered(3000))
    try store.put(naive.items)
    let catalogue = try store.catalogue()
    let editors = [
      SQLStripEditor(catalogue, isServer: false), SQLStripEditor(catalogue, isServer: true),
    ]
    var edits = RandomEdits(seed: seed)
    var random = SeededRandom(seed: seed)
    var history: [(Int64, [Item])] = []
    for turn in 0..<30 {
      let batch = try edits.batch(for: naive.items.map(\.id), upTo: 5)
      var after = naive
      guard (try? batch.apply(to: &after)) != nil else { continue }
      naive = after
      let editor = editors[Int.random(in: 0...1, using: &random)]
      history.append((try editor.edit(batch), naive.items))
      if Int.random(in: 0..<3, using: &random) == 0 {
        try store.maintain(SQLStripEditor(catalogue, isServer: false))
        #expect(try store.number("SELECT count(*) FROM strip WHERE uncompacted_changes > 0") == 0)
      }
      if turn % 5 == 0 {
        try check(
          store.catalogue().snapshot(of: "s", at: nil), is: naive.items,
          "seed \(seed), turn \(turn)")
      }
    }
    #expect(try store.faults() == [])
    let fresh = try store.catalogue()
    for (revision, items) in history {
      try check(fresh.snapshot(of: "s", at: revision), is: items, "seed \(seed), at \(revision)")
    }
  }

  /// A server makes the new snapshot during the commit, unless another program has written in between.
  @Test(arguments: Store.allCases, 1...2 as ClosedRange<UInt64>)
  func `two servers that edit in turn have the items of an array`(
    _ store: Store, _ seed: UInt64
  ) throws {
    let store = try StoreUnderTest(store)
    var naive = NaiveItems(items: try numbered(500))
    try store.put(naive.items)
    let catalogues = try (0..<2).map { _ in try store.catalogue() }
    let editors = catalogues.map { SQLStripEditor($0, isServer: true) }
    _ = try catalogues[0].snapshot(of: "s", at: nil)
    var edits = RandomEdits(seed: seed)
    var random = SeededRandom(seed: seed)
    var made = 0
    while made < 6 {
      let batch = try edits.batch(for: naive.items.map(\.id), upTo: 80)
      var after = naive
      let isRejected = (try? batch.apply(to: &after)) == nil
      let turn = Int.random(in: 0..<4, using: &random) / 3
      if isRejected {
        #expect(throws: CatalogueError.self) {
          try editors[turn].edit(batch)
        }
        try catalogues[turn].refresh()
      } else {
        naive = after
        let revision = try editors[turn].edit(batch)
        #expect(try catalogues[turn].snapshot(of: "s", at: nil).revision == revision)
        made += 1
      }
      try check(
        catalogues[turn].snapshot(of: "s", at: nil), is: naive.items, "seed \(seed), \(made)")
    }
    #expect(try store.faults() == [])
  }

  /// A large batch looks up its items in advance, on another connection. The results do not contain the
  /// changes of the batch.
  @Test(arguments: Store.allCases)
  func `a batch can change an item several times`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    var naive = NaiveItems(items: try numbered(300))
    try store.put(naive.items)
    let catalogue = try store.catalogue()
    let editor = SQLStripEditor(catalogue, isServer: true)
    // The batch uses up the sort keys between two items. So neighbours that it names later move.
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
      let revision = try editor.edit(batch)
      #expect(try catalogue.snapshot(of: "s", at: nil).revision == revision)
      try check(catalogue.snapshot(of: "s", at: nil), is: naive.items, "turn \(turn)")
    }
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `maintenance deletes the rows of a removed strip`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3000)
    try store.put(numbered(2), into: "other")
    let editor = try store.editor(isServer: true)
    try editor.edit(#"[{"op":"remove","ids":["i0","i7"]}]"#)
    try editor.remove("s", expecting: .anything)
    #expect(try store.number("SELECT count(*) FROM item") == 3000)
    #expect(try store.faults() == [])
    try store.maintain(editor)
    for table in ["item_history", "revision", "garbage", "compaction"] {
      #expect(try store.number("SELECT count(*) FROM \(table)") == 0, "\(table)")
    }
    #expect(try store.count(of: "item") == 2 && store.count(of: "layout") == 1)
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `the last revisions of the newest removed strips are kept`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 2)
    let limit = Retention.removedStrips
    try store.execute(
      """
      WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < \(limit + 5))
      INSERT INTO removed_strip (name, revision) SELECT 'r' || n, n FROM n
      """)
    // Its last revision is later than the clock, so a new strip of its name needs it.
    try store.execute("UPDATE removed_strip SET revision = \(Int64.max / 2) WHERE name = 'r1'")
    try store.editor().remove("s", expecting: .anything)
    #expect(try store.count(of: "removed_strip") == limit)
    #expect(try store.number("SELECT count(*) FROM removed_strip WHERE name IN ('r1', 's')") == 2)
    #expect(try store.number("SELECT min(revision) FROM removed_strip") == 8)
  }

  @Test(arguments: Store.allCases)
  func `maintenance after an import deletes what it supersedes`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let count = Int(Retention.revisions) + 8
    for width in 0..<count {
      try store.put([Item(id: "a", width: .px(width))], .replace)
      // The next import supersedes those that are old, and not among the newest.
      guard width >= Retention.revisions - 1 else { continue }
      try store.execute("UPDATE revision SET created = 0", reseals: true)
    }
    #expect(try store.count(of: "garbage") > 0)
    #expect(try store.count(of: "item_history") == count - 1)
    try store.editor().maintain()
    #expect(try store.count(of: "garbage") == 0)
    #expect(try store.count(of: "item_history") == Int(Retention.revisions) - 1)
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `an edit of another revision than expected is rejected`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let catalogue = try store.catalogue()
    let editor = SQLStripEditor(catalogue, isServer: false)
    let first = try catalogue.snapshot(of: "s", at: nil).revision
    let fine = try batch(#"[{"op":"remove","ids":["i0"]}]"#)
    let second = try editor.edit(fine, expecting: .oneOf([1, first]))
    let again = try batch(#"[{"op":"remove","ids":["i1"]}]"#)
    #expect(throws: CatalogueError.revisionDiffers(second)) {
      try editor.edit(again, expecting: .oneOf([first]))
    }
    #expect(try catalogue.snapshot(of: "s", at: nil).revision == second)
  }

  @Test(arguments: Store.allCases)
  func `revisions that a replacement skipped are gone`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 20)
    let first = try store.catalogue().snapshot(of: "s", at: nil).revision
    let items = try (0..<19).map { try Item(id: "i\($0)", width: .px($0)) }
    let second = try store.put(items, .replace).revision
    let jumpedOver = first + 1..<second
    #expect(!jumpedOver.isEmpty)
    let catalogue = try store.catalogue()
    let third = try SQLStripEditor(catalogue, isServer: false).edit(
      #"[{"op":"remove","ids":["i0"]}]"#)
    for revision in [first - 1, third + 1] {
      #expect(throws: CatalogueError.revisionUnknown(revision)) {
        try catalogue.snapshot(of: "s", at: revision)
      }
    }
    for revision in [jumpedOver.lowerBound, jumpedOver.upperBound - 1] {
      #expect(throws: CatalogueError.revisionGone(revision)) {
        try catalogue.snapshot(of: "s", at: revision)
      }
    }
    for revision in [first, second, third] {
      #expect(try catalogue.snapshot(of: "s", at: revision).revision == revision)
    }
  }

  /// Some of the changes are compacted into the geometry's rows, and others are still in the log.
  @Test(arguments: Store.allCases)
  func `a strip of thousands of changes is the same if it is loaded`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let count = 3000
    try store.put((0..<count).map { try Item(id: "i\($0)", width: .px(1)) })
    let (catalogue, editor) = try store.editable()
    for turn in 1...8 {
      let step = turn < 5 ? 1 : 700
      let updates = stride(from: 0, to: count, by: step).map {
        #"{"op":"update","id":"i\#($0)","set":{"width":\#(turn)}}"#
      }
      let batch = try EditBatch(Array("[\(updates.joined(separator: ","))]".utf8), as: .array)
      try editor.edit(batch)
    }
    let (here, fresh) = (
      try catalogue.snapshot(of: "s", at: nil), try store.catalogue().snapshot(of: "s", at: nil)
    )
    #expect(here.strip == fresh.strip)
    #expect(fresh.strip[0].size.width == .px(8) && fresh.strip[1].size.width == .px(4))
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `an edit takes as many round trips for many items as for few`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3000)
    let (probe, catalogue) = try store.probed()
    let editor = SQLStripEditor(catalogue, isServer: true)
    func statements(_ count: Int, from first: Int) throws -> Int {
      let ids = (first..<first + count).map { "\"i\($0)\"" }.joined(separator: ",")
      let items = (first..<first + count).map { #"{"id":"n\#($0)"}"# }.joined(separator: ",")
      let batch = try batch(
        """
        [{"op":"insert","before":"i9","items":[\(items)]}, {"op":"move","ids":[\(ids)],"after":"i7"},
         {"op":"remove","ids":[\(ids)]}]
        """)
      return try probe.counting {
        try editor.edit(batch)
      }.statements
    }
    let few = try statements(2, from: 1000)
    let many = try statements(100, from: 2000)
    #expect(many <= few + 2 && many < 30, "\(few), \(many)")
  }

  @Test(arguments: Store.allCases)
  func `a log of appended items does not grow for good`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    for turn in 0..<70 { try store.put([Item(id: "a\(turn)")], .append) }
    try store.execute("UPDATE revision SET created = 1", reseals: true)
    for turn in 70..<72 { try store.put([Item(id: "a\(turn)")], .append) }
    #expect(try store.count(of: "revision") == 63)
    #expect(try store.faults() == [])
    #expect(try ids(store.catalogue()).count == 75)
    let editor = try store.editor(isServer: true)
    for number in [1, 2] {
      let update = try batch(#"[{"op":"update","id":"i0","set":{"width":\#(number)}}]"#)
      try editor.edit(update)
      let json = #"{"gap":\#(number)}"#
      _ = try editor.set("s", SettingsPatch(json: Array(json.utf8)), expecting: .anything)
    }
    // Changes of settings count too, so that a log of only settings is compacted.
    #expect(try store.number("SELECT uncompacted_changes FROM strip") == 4)
  }
}
