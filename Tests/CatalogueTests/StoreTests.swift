import Catalogue
import Testing
import Windowing

/// What holds for every store that is written to, whatever it keeps its strips in.
struct StoreTests {
  private func numbered(_ count: Int) throws -> [Item] {
    try (0..<count).map { try Item(id: "i\($0)", width: .px($0 % 50)) }
  }

  private func batch(_ json: String) throws -> EditBatch {
    try EditBatch(Array(json.utf8), as: .array)
  }

  private func ids(_ catalogue: any StripCatalogue, at revision: Int64? = nil) throws -> [String] {
    let edition = try catalogue.edition(of: "s", at: revision)
    return try edition.source.contents(of: 0..<edition.strip.count).map(\.id)
  }

  /// Makes sure that an edition is exactly the strip of these items.
  private func check(_ edition: Edition, is items: [Item], _ label: String) throws {
    let expected = try Edition(
      name: "s", settings: edition.settings, revision: edition.revision, items: items)
    try #require(edition.strip.count == items.count, "\(label)")
    #expect(try edition.source.items(in: 0..<items.count) == items, "\(label)")
    #expect(
      try edition.source.contents(of: 0..<items.count)
        == items.map { ItemContent(id: $0.id, fields: $0.fields) }, "\(label)")
    for index in items.indices {
      let (found, wanted) = (edition.strip[index], expected.strip[index])
      try #require(found.size == wanted.size, "\(label), item \(index)")
      #expect(edition.strip.kinds[Int(found.kind.number)] == items[index].kind, "\(label)")
    }
    #expect(
      Array(edition.strip.groupRuns(from: 0)) == Array(expected.strip.groupRuns(from: 0)),
      "\(label)")
    for index in Swift.stride(from: 0, to: items.count, by: items.count / 25 + 1) {
      #expect(try edition.source.index(of: items[index].id) == index, "\(label)")
    }
  }

  /// One writer's catalogue follows its own edits, another's those of others, a third begins anew;
  /// all of them are what an array becomes, and so is every former revision.
  @Test(arguments: Store.allCases, 1...8 as ClosedRange<UInt64>)
  func doesWhatAnArrayWouldAndHoldsWhatWas(_ store: Store, _ seed: UInt64) throws {
    let store = try StoreUnderTest(store)
    var naive = NaiveItems(items: try numbered(seed % 2 == 0 ? 2500 : 12))
    try store.put(naive.items)
    let (catalogue, editor) = try store.editable()
    let other = try store.catalogue()
    _ = try other.edition(of: "s", at: nil)
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
      if turn == 15 {
        naive.items += try [Item(id: "appended", group: "end")]
        history.append(
          (try store.put([naive.items[naive.items.count - 1]], .append).revision, naive.items))
        try catalogue.refresh()
        try check(catalogue.edition(of: "s", at: nil), is: naive.items, "\(label), appended")
      }
    }
    let fresh = try store.catalogue()
    try check(fresh.edition(of: "s", at: nil), is: naive.items, "seed \(seed), anew")
    for (revision, items) in history {
      let label = "seed \(seed), at \(revision - history[0].0)"
      try check(catalogue.edition(of: "s", at: revision), is: items, label)
      try check(fresh.edition(of: "s", at: revision), is: items, "\(label), anew")
    }
    #expect(try store.faults() == [])
  }

  @Test(arguments: Store.allCases)
  func followsByItself(_ store: Store) async throws {
    let store = try StoreUnderTest(store)
    let before = try store.put(numbered(3)).revision
    let catalogue = try store.catalogue()
    _ = try catalogue.edition(of: "s", at: nil)
    let after = try store.put([Item(id: "new")], .append).revision
    #expect(after == before + 1)
    let end = ContinuousClock.now + .seconds(60)
    while try catalogue.edition(of: "s", at: nil).revision < after {
      try #require(ContinuousClock.now < end)
      await Task.yield()
    }
    #expect(try ids(catalogue) == ["i0", "i1", "i2", "new"])
    #expect(try ids(catalogue, at: before) == ["i0", "i1", "i2"])
  }

  @Test(arguments: Store.allCases)
  func hasARevisionThatOthersHaveMadeAsSoonAsItIsAskedFor(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put(numbered(3))
    let catalogue = try store.catalogue()
    _ = try catalogue.edition(of: "s", at: nil)
    let revision = try store.put([Item(id: "new")], .append).revision
    #expect(try ids(catalogue, at: revision).last == "new")
    #expect(throws: CatalogueError.revisionUnknown(revision + 1)) {
      try catalogue.edition(of: "s", at: revision + 1)
    }
  }

  @Test(arguments: Store.allCases)
  func asksNobodyWhereThereIsNoPatience(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put(numbered(3))
    let catalogue = try store.catalogue()
    #expect(throws: CatalogueError.wouldBlock) {
      try catalogue.edition(of: "s", at: nil, mode: .cachedOnly)
    }
    let edition = try catalogue.edition(of: "s", at: nil)
    _ = try edition.source.contents(of: 0..<3)
    let atHand = try catalogue.edition(of: "s", at: nil, mode: .cachedOnly)
    #expect(try atHand.source.contents(of: 0..<3).map(\.id) == ["i0", "i1", "i2"])
    #expect(throws: CatalogueError.wouldBlock) {
      try catalogue.edition(of: "s", at: edition.revision + 1, mode: .cachedOnly)
    }
  }

  @Test(arguments: Store.allCases)
  func replacesAndGoesOnAboveBothRevisions(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let first = try store.put(numbered(3)).revision
    try store.put([], into: "later")
    let catalogue = try store.catalogue()
    let before = try catalogue.edition(of: "s", at: nil)
    let what = try before.source.items(in: 0..<3)
    let second = try store.put([Item(id: "b"), Item(id: "i1")], .replace).revision
    #expect(second > first)
    try catalogue.refresh()
    #expect(try ids(catalogue) == ["b", "i1"])
    #expect(try catalogue.names(after: nil, limit: 9) == ["s", "later"])
    // It is there as it was, or gone; never half.
    do throws(CatalogueError) {
      #expect(try before.source.items(in: 0..<3) == what)
    } catch {
      #expect(error == .revisionGone(before.revision))
    }
  }

  @Test(arguments: Store.allCases)
  func replacesAllKindsByOthers(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    func items(_ kinds: Range<Int>) throws -> [Item] {
      try [Item(id: "same")] + kinds.map { try Item(id: "i\($0)", kind: "k\($0)") }
    }
    try store.put(items(0..<63))
    try store.put(items(40..<103), .replace)
    let catalogue = try store.catalogue()
    let edition = try catalogue.edition(of: "s", at: nil)
    #expect(try edition.source.items(in: 0..<64) == items(40..<103))
    #expect(try store.faults() == [])
    #expect(throws: CatalogueError.self) { try store.put(items(40..<104), .replace) }
    #expect(try store.catalogue().edition(of: "s", at: nil).revision == edition.revision)
  }

  @Test(arguments: Store.allCases)
  func namesAnIdThatIsThereAndCanGoOn(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put([Item(id: "a")])
    let imported = try store.importer().run(
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
    #expect(try ids(store.catalogue()) == ["a", "b", "c"])
    #expect(try store.catalogue().edition(of: "s", at: nil).strip.kinds == ["card", "other"])
  }

  @Test(arguments: Store.allCases)
  func leavesTheStripAsItWasWhenAnImportFails(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let first = try store.put(numbered(1500))
    for mode in [StripImport.Mode.append, .replace] {
      #expect(throws: CatalogueError.invalid("no")) {
        try store.importer().run(StripImport(name: "s", mode: mode)) { add throws(CatalogueError) in
          for id in 0..<1500 { try add(Item(id: "b\(id)")) }
          throw .invalid("no")
        }
      }
      #expect(try ids(store.catalogue()) == numbered(1500).map(\.id))
      #expect(try store.catalogue().edition(of: "s", at: nil).revision == first.revision)
    }
    #expect(throws: CatalogueError.stripExists("s")) { try store.put([]) }
  }

  @Test(arguments: Store.allCases)
  func makesAChangeOfOneKeyOnce(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put(numbered(3))
    let (_, editor) = try store.editable()
    let body = Array(#"[{"op":"remove","ids":["i0"]}]"#.utf8)
    let key = try IdempotencyKey(Array("key".utf8), body: body)
    let batch = try EditBatch(body, as: .array)
    let made = try editor.edit("s", batch, expecting: .anything, once: key)
    #expect(try editor.edit("s", batch, expecting: .oneOf([made - 1]), once: key) == made)
    let other = try IdempotencyKey(Array("key".utf8), body: [])
    let error = #expect(throws: CatalogueError.self) {
      try editor.edit("s", batch, expecting: .anything, once: other)
    }
    guard case .conflict? = error else {
      Issue.record("\(String(describing: error)) is no conflict")
      return
    }
    #expect(throws: CatalogueError.revisionDiffers(made)) {
      try editor.edit("s", batch, expecting: .oneOf([made - 1]), once: nil)
    }
    // A day later the key is free, and the change is made: it cannot be, a second time.
    try store.execute("UPDATE once SET made = 1")
    let late = #expect(throws: CatalogueError.self) {
      try editor.edit("s", batch, expecting: .anything, once: key)
    }
    #expect(late?.description.contains("there is no item") == true)
  }

  @Test(arguments: Store.allCases)
  func forgetsTheKeysOfAStripThatIsRemoved(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put(numbered(3))
    let (catalogue, editor) = try store.editable()
    let body = Array(#"[{"op":"remove","ids":["i0"]}]"#.utf8)
    let key = try IdempotencyKey(Array("key".utf8), body: body)
    let batch = try EditBatch(body, as: .array)
    let made = try editor.edit("s", batch, expecting: .anything, once: key)
    try editor.remove("s", expecting: .anything)
    try store.put(numbered(3))
    #expect(try editor.edit("s", batch, expecting: .anything, once: key) > made)
    try catalogue.refresh()
    #expect(try catalogue.edition(of: "s", at: nil).strip.count == 2)
  }

  @Test(arguments: Store.allCases)
  func holdsTheLast64RevisionsAndLetsGoOfOlderOnes(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let first = try store.put(numbered(1)).revision
    let (_, editor) = try store.editable()
    for width in 1...70 {
      let update = try batch(#"[{"op":"update","id":"i0","set":{"width":\#(width)}}]"#)
      _ = try editor.edit("s", update, expecting: .anything, once: nil)
    }
    let young = try store.catalogue().edition(of: "s", at: first)
    #expect(try young.source.items(in: 0..<1)[0].width == .px(0))

    try store.execute("UPDATE past_strip SET ended = 1")
    let last = try editor.edit(
      "s", batch(#"[{"op":"update","id":"i0","set":{"width":71}}]"#), expecting: .anything,
      once: nil)
    #expect(throws: CatalogueError.revisionGone(first)) { try young.source.items(in: 0..<1) }
    let fresh = try store.catalogue()
    #expect(throws: CatalogueError.revisionGone(first)) { try fresh.edition(of: "s", at: first) }
    let oldest = try fresh.edition(of: "s", at: last - 63)
    #expect(try oldest.source.items(in: 0..<1)[0].width == .px(8))
    #expect(throws: CatalogueError.revisionUnknown(last + 1)) {
      try fresh.edition(of: "s", at: last + 1)
    }
  }

  @Test(arguments: Store.allCases)
  func changesSettingsAndKeepsTheFormerOnes(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put([Item(id: "bare"), Item(id: "wide", width: .px(10))])
    let (catalogue, editor) = try store.editable()
    let before = try catalogue.edition(of: "s", at: nil)
    let patch = try SettingsPatch(json: Array(#"{"itemWidth":20,"title":"T","loop":true}"#.utf8))
    let made = try editor.set("s", patch, expecting: .existence)
    #expect(made == SettingsMade(revision: before.revision + 1, isNew: false))
    let after = try catalogue.edition(of: "s", at: nil)
    #expect(after.settings.title == "T" && after.settings.loop)
    #expect(after.strip[0].size.width == .px(20))
    let held = try store.catalogue().edition(of: "s", at: before.revision)
    #expect(held.settings == before.settings)
    #expect(held.strip == before.strip)
  }

  @Test(arguments: Store.allCases)
  func makesAndRemovesStripsAndGoesOnAboveWhatWas(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put(numbered(3))
    let (catalogue, editor) = try store.editable()
    let patch = try SettingsPatch(json: Array("{}".utf8))
    #expect(try editor.set("new", patch, expecting: .anything).isNew)
    #expect(try catalogue.names(after: nil, limit: 9) == ["s", "new"])
    // A clock that goes back does not bring back a revision.
    try store.execute("UPDATE strip SET revision = 9000000000000000 WHERE name = 's'")
    try editor.remove("s", expecting: .anything)
    #expect(throws: CatalogueError.noSuchStrip("s")) { try catalogue.edition(of: "s", at: nil) }
    #expect(try catalogue.edition(of: nil, at: nil).name == "new")
    #expect(try editor.set("s", patch, expecting: .anything).revision == 9_000_000_000_000_001)
    #expect(try catalogue.edition(of: "s", at: nil).strip.isEmpty)
    #expect(throws: CatalogueError.revisionDiffers(nil)) {
      try editor.set("third", patch, expecting: .existence)
    }
  }

  @Test(arguments: Store.allCases)
  func tellsARevisionOfARemovedStripFromOneThatNeverWas(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let first = try store.put(numbered(3)).revision
    let (catalogue, editor) = try store.editable()
    func fails(at revision: Int64, with error: CatalogueError) throws {
      #expect(throws: error) { try catalogue.edition(of: "s", at: revision) }
    }
    try fails(at: first - 1, with: .revisionUnknown(first - 1))
    let patch = try SettingsPatch(json: Array("{}".utf8))
    let last = try editor.set("s", patch, expecting: .anything).revision
    try editor.remove("s", expecting: .anything)
    let remade = try editor.set("s", patch, expecting: .absence).revision
    try fails(at: first, with: .revisionGone(first))
    try fails(at: last, with: .revisionGone(last))
    try fails(at: remade - 1, with: .revisionUnknown(remade - 1))
    #expect(try catalogue.edition(of: "s", at: remade).strip.isEmpty)
  }

  @Test(arguments: Store.allCases)
  func makesAStripOnlyWhereThereIsNone(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let revision = try store.put(numbered(3)).revision
    let (catalogue, editor) = try store.editable()
    let patch = try SettingsPatch(json: Array(#"{"title":"T"}"#.utf8))
    for expected in [RevisionGuard.absence, .noneOf([1, revision]), .both(.existence, .absence)] {
      #expect(throws: CatalogueError.revisionDiffers(revision)) {
        try editor.set("s", patch, expecting: expected)
      }
      #expect(throws: CatalogueError.revisionDiffers(revision)) {
        try editor.remove("s", expecting: expected)
      }
    }
    #expect(try catalogue.edition(of: "s", at: nil).revision == revision)
    #expect(try editor.set("new", patch, expecting: .absence).isNew)
    let lost = RevisionGuard.both(.oneOf([revision]), .noneOf([1]))
    #expect(try editor.set("s", patch, expecting: lost).revision == revision + 1)
  }

  @Test(arguments: Store.allCases)
  func knowsTokensByTheirHashAlone(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put(numbered(1))
    let (_, editor) = try store.editable()
    let tokens = try store.tokens()
    let token = try tokens.makeToken(for: "s", right: .changes, lifetime: nil)
    let short = try tokens.makeToken(for: "s", right: .changes, lifetime: 0)
    let reading = try tokens.makeToken(for: "s", right: .reads, lifetime: nil)
    func permission(_ secret: String, _ strip: String) throws -> Permission {
      try editor.permission(of: Array(secret.utf8), for: strip)
    }
    #expect(try permission(token.secret, "s") == .granted)
    #expect(try permission(token.secret, "t") == .ofAnotherStrip)
    #expect(try permission(token.secret + "x", "s") == .unknown)
    #expect(try permission(short.secret, "s") == .unknown)
    #expect(try permission(reading.secret, "s") == .toRead)
    #expect(try permission(reading.secret, "t") == .ofAnotherStrip)
    #expect(try tokens.tokens().map(\.strip) == ["s", "s", "s"])
    #expect(try tokens.tokens().map(\.right) == [.changes, .changes, .reads])
    try tokens.revokeToken(tokens.tokens()[0].number)
    #expect(try permission(token.secret, "s") == .unknown)
    #expect(throws: CatalogueError.self) { try tokens.revokeToken(77) }
  }
}
