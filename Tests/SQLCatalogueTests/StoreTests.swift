import Catalogue
import CatalogueTesting
import Items
import SQLCatalogue
import Testing
import Views
import Windowing

/// Edits, revisions, tokens and settings, in every store.
struct StoreTests {

  /// One catalogue makes the edits, a second one follows them, and each check opens a third one. All of
  /// them have the items of the array at each revision.
  @Test(arguments: Store.allCases, 1...4 as ClosedRange<UInt64>)
  func `a strip has the items of an array after each edit, at each revision`(
    _ store: Store, _ seed: UInt64
  ) throws {
    let store = try StoreUnderTest(store)
    var naive = NaiveItems(items: try numbered(seed % 2 == 0 ? 2500 : 12))
    try store.put(naive.items)
    let (catalogue, editor) = try store.editable()
    let other = try store.catalogue()
    _ = try other.snapshot(of: "s", at: nil)
    var edits = RandomEdits(seed: seed)
    var history = [(try catalogue.snapshot(of: "s", at: nil).revision, naive.items)]
    for turn in 0..<40 {
      let batch = try edits.batch(for: naive.items.map(\.id), upTo: 6)
      let label = "seed \(seed), turn \(turn)"
      var after = naive
      do {
        try batch.apply(to: &after)
      } catch let error as CatalogueError {
        #expect(throws: error, "\(label)") {
          try editor.edit(batch)
        }
        continue
      }
      let revision = try editor.edit(batch)
      let isChange = after.items != naive.items
      naive = after
      #expect(revision == history[history.count - 1].0 + (isChange ? 1 : 0), "\(label)")
      history.append((revision, naive.items))
      try check(catalogue.snapshot(of: "s", at: nil), is: naive.items, label)
      if turn % 7 == 0 {
        try other.refresh()
        try check(other.snapshot(of: "s", at: nil), is: naive.items, "\(label), another process")
      }
      if turn == 15 {
        naive.items += try [Item(id: "appended", group: "end")]
        history.append(
          (try store.put([naive.items[naive.items.count - 1]], .append).revision, naive.items))
        try catalogue.refresh()
        try check(catalogue.snapshot(of: "s", at: nil), is: naive.items, "\(label), appended")
      }
    }
    let fresh = try store.catalogue()
    try check(fresh.snapshot(of: "s", at: nil), is: naive.items, "seed \(seed), opened again")
    for (revision, items) in history {
      let label = "seed \(seed), at \(revision - history[0].0)"
      try check(catalogue.snapshot(of: "s", at: revision), is: items, label)
      try check(fresh.snapshot(of: "s", at: revision), is: items, "\(label), opened again")
    }
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases, 1...6 as ClosedRange<UInt64>)
  func `an undo takes an edit back`(_ store: Store, _ seed: UInt64) throws {
    let store = try StoreUnderTest(store)
    var naive = NaiveItems(items: try numbered(seed % 2 == 0 ? 1500 : 12))
    try store.put(naive.items)
    let (catalogue, editor) = try store.editable()
    var edits = RandomEdits(seed: seed)
    for turn in 0..<25 {
      let label = "seed \(seed), turn \(turn)"
      let before = naive
      let batch = try edits.batch(for: naive.items.map(\.id), upTo: 8)
      guard let undo = try? batch.apply(to: &naive, undoLimit: .max) else {
        naive = before
        continue
      }
      func edit(_ batch: EditBatch, at revision: Int64?) throws -> EditResult {
        try editor.edit(
          "s", batch, expecting: revision.map { .oneOf([$0]) } ?? .anything, idempotencyKey: nil,
          undoLimit: .max, by: WriteDeadline())
      }
      let made = try edit(batch, at: nil)
      #expect(made.undo == undo, "\(label)")
      try check(catalogue.snapshot(of: "s", at: nil), is: naive.items, label)
      let undone = try edit(EditBatch(undo, as: .array), at: made.revision)
      try check(catalogue.snapshot(of: "s", at: nil), is: before.items, "\(label), undone")
      if turn % 3 == 0 {
        _ = try edit(EditBatch(#require(undone.undo), as: .array), at: undone.revision)
        try check(catalogue.snapshot(of: "s", at: nil), is: naive.items, "\(label), done again")
      } else {
        naive = before
      }
    }
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func `the last 64 revisions can be read, older ones for a minute`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let first = try store.put(numbered(1)).revision
    let (_, editor) = try store.editable()
    for width in 1...70 {
      try editor.edit(#"[{"op":"update","id":"i0","set":{"width":\#(width)}}]"#)
    }
    let young = try store.catalogue().snapshot(of: "s", at: first)
    #expect(try young.source.items(in: 0..<1)[0].width == .px(0))

    try store.execute("UPDATE revision SET created = 1", reseals: true)
    let last = try editor.edit(#"[{"op":"update","id":"i0","set":{"width":71}}]"#)
    #expect(throws: CatalogueError.revisionGone(first)) { try young.source.items(in: 0..<1) }
    #expect(throws: CatalogueError.revisionGone(first)) { try young.source.index(of: "i0") }
    let fresh = try store.catalogue()
    #expect(throws: CatalogueError.revisionGone(first)) { try fresh.snapshot(of: "s", at: first) }
    let oldest = try fresh.snapshot(of: "s", at: last - 63)
    #expect(try oldest.source.items(in: 0..<1)[0].width == .px(8))
    #expect(throws: CatalogueError.revisionUnknown(last + 1)) {
      try fresh.snapshot(of: "s", at: last + 1)
    }
  }

  @Test(arguments: Store.allCases)
  func `old revisions take no more memory than they may, except the one before the newest`(
    _ store: Store
  ) throws {
    let store = try StoreUnderTest(store)
    let first = try store.put(numbered(1)).revision
    let (catalogue, editor) = try store.editable()
    func update(_ width: Int) throws {
      let update = try batch(#"[{"op":"update","id":"i0","set":{"width":\#(width)}}]"#)
      try editor.edit(update)
    }
    func weigh(_ bytes: Int) throws {
      try store.execute(
        "UPDATE revision SET weight = \(bytes), weight_sum = \(bytes) * ordinal", reseals: true)
    }
    func oldest() throws -> Int64 {
      Int64(try store.number("SELECT oldest_revision FROM strip"))
    }
    _ = try catalogue.snapshot(of: "s", at: nil)
    try update(1)
    #expect(try oldest() == first)
    try weigh(64_000_001)
    try update(2)
    #expect(try oldest() == first + 1)
    #expect(throws: CatalogueError.revisionGone(first)) {
      try catalogue.snapshot(of: "s", at: first)
    }
    for width in 3...30 { try update(width) }
    #expect(try oldest() == first + 1)
    // Many end with one revision: of ten million bytes each, six are held beside the newest.
    try weigh(10_000_000)
    try update(31)
    #expect(try oldest() == first + 24)
    try update(32)
    #expect(try oldest() == first + 24)
  }

  @Test(arguments: Store.allCases)
  func `a revision keeps its settings`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put([Item(id: "bare"), Item(id: "wide", width: .px(10))])
    let (catalogue, editor) = try store.editable()
    let before = try catalogue.snapshot(of: "s", at: nil)
    let patch = try SettingsPatch(json: Array(#"{"itemWidth":20,"title":"T","loop":true}"#.utf8))
    let made = try editor.set("s", patch, expecting: .existence)
    #expect(made == SettingsResult(revision: before.revision + 1, isNew: false))
    let after = try catalogue.snapshot(of: "s", at: nil)
    #expect(after.settings.title == "T" && after.settings.loop)
    #expect(after.strip[0].size.width == .px(20))
    let held = try store.catalogue().snapshot(of: "s", at: before.revision)
    #expect(held.settings == before.settings)
    #expect(held.strip == before.strip)
  }

  @Test(arguments: Store.allCases)
  func `a strip that is made again has a revision above the last one`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let (catalogue, editor) = try store.editable()
    let patch = try SettingsPatch(json: Array("{}".utf8))
    #expect(try editor.set("new", patch, expecting: .anything).isNew)
    #expect(try catalogue.names(after: nil, limit: 9) == ["s", "new"])
    // A clock that goes back does not cause a revision to be used again.
    try store.execute(
      "UPDATE strip SET revision = 9000000000000000 WHERE name = 's'", reseals: true)
    try editor.remove("s", expecting: .anything)
    #expect(throws: CatalogueError.noSuchStrip("s")) { try catalogue.snapshot(of: "s", at: nil) }
    #expect(try catalogue.snapshot(of: nil, at: nil).name == "new")
    #expect(try editor.set("s", patch, expecting: .anything).revision == 9_000_000_000_000_001)
    #expect(try catalogue.snapshot(of: "s", at: nil).strip.isEmpty)
    #expect(throws: CatalogueError.revisionDiffers(nil)) {
      try editor.set("third", patch, expecting: .existence)
    }
  }

  @Test(arguments: Store.allCases)
  func `a revision of a removed strip is gone, another one unknown`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let first = try store.put(numbered(3)).revision
    let (catalogue, editor) = try store.editable()
    func fails(at revision: Int64, with error: CatalogueError) throws {
      #expect(throws: error) { try catalogue.snapshot(of: "s", at: revision) }
    }
    try fails(at: first - 1, with: .revisionUnknown(first - 1))
    let patch = try SettingsPatch(json: Array("{}".utf8))
    let last = try editor.set("s", patch, expecting: .anything).revision
    try editor.remove("s", expecting: .anything)
    let remade = try editor.set("s", patch, expecting: .absence).revision
    try fails(at: first, with: .revisionGone(first))
    try fails(at: last, with: .revisionGone(last))
    try fails(at: remade - 1, with: .revisionUnknown(remade - 1))
    #expect(try catalogue.snapshot(of: "s", at: remade).strip.isEmpty)
  }

  @Test(arguments: Store.allCases)
  func `a strip is made only if the expected state holds`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let revision = try store.put(numbered(3)).revision
    let (catalogue, editor) = try store.editable()
    let patch = try SettingsPatch(json: Array(#"{"title":"T"}"#.utf8))
    for expected in [
      RevisionPrecondition.absence, .noneOf([1, revision]), .both(.existence, .absence),
    ] {
      #expect(throws: CatalogueError.revisionDiffers(revision)) {
        try editor.set("s", patch, expecting: expected)
      }
      #expect(throws: CatalogueError.revisionDiffers(revision)) {
        try editor.remove("s", expecting: expected)
      }
    }
    #expect(try catalogue.snapshot(of: "s", at: nil).revision == revision)
    #expect(try editor.set("new", patch, expecting: .absence).isNew)
    let lost = RevisionPrecondition.both(.oneOf([revision]), .noneOf([1]))
    #expect(try editor.set("s", patch, expecting: lost).revision == revision + 1)
  }

  @Test(arguments: Store.allCases)
  func `a token permits what it was made for`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 1)
    let (_, editor) = try store.editable()
    let tokens = try store.tokens()
    let token = try tokens.makeToken(for: "s", scope: .changes, lifetime: nil)
    let short = try tokens.makeToken(for: "s", scope: .changes, lifetime: 0)
    let reading = try tokens.makeToken(for: "s", scope: .reads, lifetime: nil)
    let lists = try tokens.makeToken(for: "s", scope: .lists, lifetime: nil)
    func grant(_ secret: String) throws -> TokenGrant? {
      try editor.grant(of: Array(secret.utf8))
    }
    #expect(try grant(token.secret) == TokenGrant(strip: "s", scope: .changes))
    #expect(try grant(token.secret + "x") == nil)
    #expect(try grant(short.secret) == nil)
    #expect(try grant(reading.secret) == TokenGrant(strip: "s", scope: .reads))
    #expect(try grant(lists.secret) == TokenGrant(strip: "s", scope: .lists))
    #expect(try tokens.tokens().map(\.strip) == ["s", "s", "s", "s"])
    #expect(try tokens.tokens().map(\.scope) == [.changes, .changes, .reads, .lists])
    try tokens.revokeToken(tokens.tokens()[0].number)
    #expect(try grant(token.secret) == nil)
    #expect(throws: CatalogueError.self) { try tokens.revokeToken(77) }
  }

  @Test(arguments: Store.allCases)
  func `a check of a token reads no other token`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 1)
    let tokens = try store.tokens()
    let made = try (0..<20).map { _ in try tokens.makeToken(for: "s", scope: .reads, lifetime: nil)
    }
    let (probe, catalogue) = try store.probed()
    for (secret, count) in [(made[7].secret, 1), ("unknown", 0)] {
      let counts = try probe.counting { _ = try catalogue.grant(of: Array(secret.utf8)) }
      #expect(counts.rows == count)
    }
  }

  @Test(arguments: Store.allCases)
  func `the list of strips has the sums of their items after each edit`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    for (name, count) in [("a", 0), ("b", 1200), ("c", 40)] {
      var settings = SettingsPatch()
      settings.gap = Length(px: 2.5)
      settings.loop = name == "c"
      settings.itemWidth = .px(33)
      try store.put(randomItems(count, seed: UInt64(count)), into: name, settings: settings)
    }
    let (catalogue, editor) = try store.editable()
    var edits = RandomEdits(seed: 12)
    for turn in 0..<40 {
      let name = ["a", "b", "c"][turn % 3]
      let snapshot = try catalogue.snapshot(of: name, at: nil)
      let ids = try snapshot.source.contents(of: 0..<snapshot.strip.count).map(\.id)
      _ = try? editor.edit(edits.batch(for: ids, upTo: 5), of: name)
      if turn == 20 { try store.put(randomItems(30, seed: 5), into: "c", .replace) }
      if turn == 30 { try store.put([Item(id: "appended")], into: "c", .append) }
      try catalogue.refresh()
      for listed in try catalogue.summaries(after: nil, limit: 9) {
        let strip = StripSummary(try catalogue.snapshot(of: listed.name, at: nil))
        #expect(listed.count == strip.count && listed.extent == strip.extent, "turn \(turn)")
        #expect(listed.revision == strip.revision && listed.kinds == strip.kinds)
      }
    }
    #expect(try catalogue.summaries(after: "a", limit: 1).map(\.name) == ["b"])
    #expect(throws: CatalogueError.noSuchStrip("x")) {
      try catalogue.summaries(after: "x", limit: 1)
    }
    #expect(try store.faults() == [])
    try store.execute("UPDATE strip SET unsized = unsized + 1 WHERE name = 'b'", reseals: true)
    #expect(try store.faults().count == 1)
  }
}
