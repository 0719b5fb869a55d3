import Catalogue
import CatalogueTesting
import Foundation
import GRDB
import Items
import SQLCatalogue
import Synchronization
import Testing
import Views
import Windowing

/// A catalogue follows changes that other processes commit, and evicts strips from memory.
struct ChangeObservationTests {
  @Test(arguments: Store.allCases)
  func `a catalogue follows what another process commits`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let before = try store.put(numbered(3)).revision
    let catalogue = try store.catalogue()
    _ = try catalogue.snapshot(of: "s", at: nil)
    let after = try store.put([Item(id: "new")], .append).revision
    #expect(after == before + 1)
    try eventually { try catalogue.snapshot(of: "s", at: nil).revision >= after }
    #expect(try ids(catalogue) == ["i0", "i1", "i2", "new"])
    #expect(try ids(catalogue, at: before) == ["i0", "i1", "i2"])
    #expect(try catalogue.snapshot(of: "s", at: before).source.index(of: "new") == nil)
    try store.editor().edit(#"[{"op":"remove","ids":["i0"]}]"#)
    try eventually { try catalogue.snapshot(of: "s", at: nil).revision > after }
    #expect(
      try catalogue.snapshot(of: "s", at: after).source.indices(of: ["new", "i0", "i2"]) == [
        3, 0, 2,
      ])
  }

  @Test func `a catalogue follows a copy that is restored into its file`() throws {
    let store = try StoreUnderTest(holding: 3)
    let copy = try DatabaseQueue()
    try DatabaseQueue(path: store.path).backup(to: copy)
    let catalogue = try store.catalogue()
    #expect(try ids(catalogue).count == 3)
    try store.put([Item(id: "new")], .append)
    try eventually { try ids(catalogue).count == 4 }
    try copy.backup(to: DatabaseQueue(path: store.path))
    // Until the restore is noticed, the items of the newest revision are gone.
    try eventually { (try? ids(catalogue)) == ["i0", "i1", "i2"] }
  }

  @Test(arguments: Store.allCases)
  func `a revision of another process is found when it is asked for`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let catalogue = try store.catalogue()
    _ = try catalogue.snapshot(of: "s", at: nil)
    let revision = try store.put([Item(id: "new")], .append).revision
    #expect(try ids(catalogue, at: revision).last == "new")
    #expect(throws: CatalogueError.revisionUnknown(revision + 1)) {
      try catalogue.snapshot(of: "s", at: revision + 1)
    }
  }

  @Test(arguments: Store.allCases)
  func `a snapshot in memory is read without the database`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let catalogue = try store.catalogue()
    #expect(try catalogue.cachedSnapshot(of: "s", at: nil) == nil)
    let newest = try catalogue.newestRevisions(of: ["s"])["s"]
    let snapshot = try catalogue.snapshot(of: "s", at: nil)
    #expect(snapshot.revision == newest)
    #expect(try catalogue.newestRevisions(of: ["t"]).isEmpty)
    _ = try snapshot.source.contents(of: 0..<3)
    let cached = try #require(try catalogue.cachedSnapshot(of: "s", at: nil))
    var ids: [String] = []
    let isRead = try cached.source.read(0..<3, .cachedOnly) { item in
      ids.append(String(decoding: item.id, as: UTF8.self))
    }
    #expect(isRead && ids == ["i0", "i1", "i2"])
    #expect(try catalogue.cachedSnapshot(of: "s", at: snapshot.revision + 1) == nil)
  }

  @Test(arguments: Store.allCases)
  func `a catalogue has the strips of other processes after a refresh`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put([Item(id: "a")])
    let catalogue = try store.catalogue()
    let before = try catalogue.snapshot(of: "s", at: nil)
    try store.put([Item(id: "b")], .append)
    try store.put([Item(id: "x")], into: "new")
    try catalogue.refresh()
    let after = try catalogue.snapshot(of: "s", at: nil)
    #expect(after.revision == before.revision + 1)
    #expect(after.strip.count == 2)
    #expect(try catalogue.names(after: nil, limit: 9) == ["s", "new"])
    #expect(try catalogue.snapshot(of: "new", at: nil).strip.count == 1)
  }

  @Test(arguments: Store.allCases)
  func `strips are followed if only some are in memory`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    for name in ["a", "b", "c"] { try store.put(numbered(1), into: name) }
    let catalogue = try store.catalogue()
    _ = try catalogue.snapshot(of: "a", at: nil)
    _ = try catalogue.snapshot(of: "b", at: nil)
    for name in ["b", "c", "d"] { try store.put([Item(id: "new")], into: name, .append) }
    try catalogue.refresh()
    let counts = try ["a", "b", "c", "d"].map {
      try catalogue.snapshot(of: $0, at: nil).strip.count
    }
    #expect(counts == [1, 2, 2, 1])
  }

  @Test(arguments: Store.allCases)
  func `a refresh of one strip does not read others`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    for name in ["a", "b"] { try store.put(numbered(1), into: name) }
    let catalogue = try SQLStripCatalogue(store.database(), observesChanges: false)
    for name in ["a", "b"] { _ = try catalogue.snapshot(of: name, at: nil) }
    for name in ["a", "b"] { try store.put([Item(id: "new")], into: name, .append) }
    try catalogue.refresh("a")
    let counts = try ["a", "b"].map { try catalogue.cachedSnapshot(of: $0, at: nil)?.strip.count }
    #expect(counts == [2, 1])
  }

  @Test func `stale views are evicted before strips, also for a new strip`() throws {
    let store = try StoreUnderTest(holding: 3)
    let catalogue = try store.catalogue(memory: 20_000)
    _ = try catalogue.snapshot(of: "s", at: nil)
    let budget = try #require(catalogue.memory)
    let view = Mutex<MemoryReservation?>(MemoryReservation(budget.limit - budget.used, of: budget))
    budget.addCache {
      view.withLock { view in
        defer { view = nil }
        return view != nil
      }
    }
    _ = catalogue.cached("new")
    #expect(catalogue.cached("s").newest != nil)
  }

  @Test func `a strip evicts others before its geometry is read`() throws {
    let store = try StoreUnderTest(holding: 3000)
    let catalogue = try store.catalogue(memory: 100_000)
    let budget = try #require(catalogue.memory)
    let view = Mutex<MemoryReservation?>(MemoryReservation(90_000, of: budget))
    let isRead = Mutex<Bool?>(nil)
    budget.addCache {
      isRead.withLock { $0 = $0 ?? (catalogue.cached("s").newest != nil) }
      return view.withLock { view in
        defer { view = nil }
        return view != nil
      }
    }
    _ = try catalogue.snapshot(of: "s", at: nil)
    #expect(isRead.withLock { $0 } == false)
  }

  @Test(arguments: Store.allCases)
  func `an evicted strip is read again`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let names = (0..<20).map { "s\($0)" }
    try store.importer().run(StripImport()) {
      add throws(CatalogueError) in
      for name in names { try add(Item(id: "1"), name) }
    }
    let catalogue = try store.catalogue(memory: 4000)
    let first = try catalogue.snapshot(of: "s7", at: nil)
    try store.put([Item(id: "2")], into: "s7", .append)
    try catalogue.refresh()
    for name in names { _ = try catalogue.snapshot(of: name, at: nil) }
    #expect(try catalogue.cachedSnapshot(of: "s7", at: nil) == nil)
    #expect(try catalogue.snapshot(of: "s7", at: nil).strip.count == 2)
    let former = try catalogue.snapshot(of: "s7", at: first.revision)
    #expect(former.strip.count == 1)
    #expect(try former.source.contents(of: 0..<1) == first.source.contents(of: 0..<1))
  }

  @Test(arguments: Store.allCases)
  func `a committed edit succeeds if the catalogue cannot follow it`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let (probe, catalogue) = try store.probed()
    let editor = SQLStripEditor(catalogue, isServer: true)
    _ = try catalogue.snapshot(of: "s", at: nil)
    // The catalogue has to read this revision before it can follow the next one.
    let other = try store.put([Item(id: "other")], .append).revision
    probe.failAfterWrite(true)
    let remove = try batch(#"[{"op":"remove","ids":["i0"]}]"#)
    #expect(try editor.edit(remove) == other + 1)
    #expect(throws: CatalogueError.self) { try catalogue.refresh() }
    // Reads continue from memory.
    #expect(try catalogue.snapshot(of: "s", at: nil).revision == other - 1)
    #expect(throws: CatalogueError.revisionNotLoaded(other + 1)) {
      try catalogue.snapshot(of: "s", at: other + 1)
    }
    probe.failAfterWrite(false)
    try catalogue.refresh()
    #expect(try ids(catalogue) == ["i1", "i2", "other"])
  }

  @Test(arguments: Store.allCases)
  func `the first strip is known while the database is unreachable`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let (probe, catalogue) = try store.probed()
    let editor = SQLStripEditor(catalogue, isServer: true)
    _ = try catalogue.snapshot(of: nil, at: nil)
    probe.failAfterWrite(true)
    // The list of strips changes. Thus the name has to be read again.
    try store.put(numbered(1), into: "other")
    try editor.remove("other", expecting: .anything)
    #expect(try catalogue.snapshot(of: nil, at: nil).name == "s")
    probe.failAfterWrite(false)
    try editor.remove("s", expecting: .anything)
    #expect(throws: CatalogueError.noStrips) { try catalogue.snapshot(of: nil, at: nil) }
  }

  @Test(arguments: Store.allCases)
  func `a view is stale only when the catalogue has the next revision`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let (probe, catalogue) = try store.probed(readsWindows: false)
    var query = ViewQuery()
    try query.set(.filter, to: "id = i1")
    let view = try StripView.make(query, of: catalogue.snapshot(of: "s", at: nil), list: nil)
    let insert = try batch(#"[{"op":"insert","before":null,"items":[{"id":"new"}]}]"#)
    try store.editor().edit(insert)
    probe.failsItems.store(true, ordering: .relaxed)
    #expect(throws: CatalogueError.self) { try catalogue.refresh() }
    #expect(!view.isStale)
    probe.failsItems.store(false, ordering: .relaxed)
    try catalogue.refresh()
    #expect(view.isStale)
  }

  @Test(arguments: Store.allCases)
  func `items are read again after a connection is lost`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let (probe, catalogue) = try store.probed(readsWindows: false)
    let snapshot = try catalogue.snapshot(of: "s", at: nil)
    probe.repeatsReads.store(true, ordering: .relaxed)
    var ids: [String] = []
    _ = try snapshot.source.read(0..<3, .mayBlock) {
      ids.append(String(decoding: $0.id, as: UTF8.self))
    }
    #expect(ids == ["i0", "i1", "i2"])
  }

  @Test(arguments: Store.allCases)
  func `a damaged strip does not stop the following of others`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    for name in ["a", "s"] { try store.put(numbered(3), into: name) }
    let catalogue = try SQLStripCatalogue(store.database(), observesChanges: false)
    for name in ["a", "s"] { _ = try catalogue.snapshot(of: name, at: nil) }
    let editor = try store.editor(isServer: true)
    let remove = try batch(#"[{"op":"remove","ids":["i0"]}]"#)
    for name in ["a", "s"] {
      try editor.edit(remove, of: name)
    }
    try store.damageLog(of: "a")
    try catalogue.refresh()
    #expect(try ids(catalogue) == ["i1", "i2"])
    let error = #expect(throws: CatalogueError.self) { try catalogue.snapshot(of: "a", at: nil) }
    #expect(error?.description.contains("\"a\"") == true)
  }

  @Test(arguments: Store.allCases)
  func `a strip that changes while it is loaded is read again`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let (probe, catalogue) = try store.probed()
    probe.afterNextRead = {
      try store.put([Item(id: "new")], .append)
      try onAnotherThread {
        try catalogue.update("s")
        try catalogue.refresh()
      }
    }
    _ = try catalogue.snapshot(of: "s", at: nil)
    try eventually { try catalogue.snapshot(of: "s", at: nil).strip.count == 4 }
  }

  /// One thread follows the database for all strips. A wait would delay the other strips.
  @Test(arguments: Store.allCases)
  func `following does not wait for a thread that reads the strip`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let (probe, catalogue) = try store.probed()
    _ = try catalogue.snapshot(of: "s", at: nil)
    let revision = try store.put([Item(id: "new")], .append).revision
    probe.afterNextRead = {
      try store.put([Item(id: "newer")], .append)
      try onAnotherThread { try catalogue.update("s") }
    }
    #expect(try catalogue.snapshot(of: "s", at: revision).strip.count == 4)
    try eventually { try catalogue.snapshot(of: "s", at: nil).strip.count == 5 }
  }

  @Test(arguments: Store.allCases)
  func `following leaves a long geometry to another thread`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: SnapshotCache.asyncLoadThreshold)
    let catalogue = try SQLStripCatalogue(store.database(), observesChanges: false)
    let strip = SnapshotCache(name: "s", SnapshotReader(catalogue.database, contentMemory: 0))
    let first = try strip.snapshot(at: nil).revision
    _ = try catalogue.snapshot(of: "s", at: nil)
    // `itemWidth` changes all items without a size. So the change log does not lead to the new snapshot.
    try store.editor(isServer: true).set(#"{"itemWidth":50}"#)
    #expect(try !strip.applyChangeLog())
    #expect(strip.revision == first)
    try strip.refresh()
    #expect(strip.revision == first + 1)
    #expect(try strip.applyChangeLog())
    try catalogue.update("s")
    try eventually { try catalogue.snapshot(of: "s", at: nil).revision == first + 1 }
  }

  /// Changes of other strips wait for the thread that makes a change.
  @Test(arguments: Store.allCases)
  func `a change of all sizes leaves a long geometry to another thread`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: SnapshotCache.asyncLoadThreshold)
    let (probe, catalogue) = try store.probed()
    let editor = SQLStripEditor(catalogue, isServer: true)
    let first = try catalogue.snapshot(of: "s", at: nil).revision
    let readers = Mutex<[Thread]>([])
    func recordReaders() {
      probe.afterNextRead = {
        readers.withLock { $0.append(.current) }
        recordReaders()
      }
    }
    recordReaders()
    try editor.set(#"{"itemWidth":50}"#)
    try eventually { catalogue.cached("s").revision == first + 1 }
    #expect(readers.withLock(\.last) != .current)
    #expect(try catalogue.snapshot(of: "s", at: nil).settings.itemWidth == .px(50))
  }

  @Test(arguments: Store.allCases)
  func `a name that was not read takes no memory`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let (probe, catalogue) = try store.probed()
    _ = try catalogue.snapshot(of: "s", at: nil)
    probe.failReads(true)
    #expect(throws: CatalogueError.self) { try catalogue.snapshot(of: "x", at: nil) }
    #expect(throws: CatalogueError.self) { try catalogue.snapshot(of: "s", at: 7_000_000) }
    #expect(catalogue.status?.strips.count == 1)
    #expect(try catalogue.snapshot(of: "s", at: nil).strip.count == 3)
  }

  /// The database reports a change once.
  @Test(arguments: Store.allCases)
  func `a long geometry that cannot be read at first is read later`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: SnapshotCache.asyncLoadThreshold)
    let probe = DatabaseProbe(try store.database())
    let catalogue = try SQLStripCatalogue(probe)
    let first = try catalogue.snapshot(of: "s", at: nil).revision
    // The thread that follows the database finds the change. The thread that reads the geometry fails.
    probe.afterNextRead = { probe.failReads(true) }
    try store.editor(isServer: true).set(#"{"itemWidth":50}"#)
    let known = probe.counts.reads
    try eventually { probe.counts.reads >= known + 2 }
    probe.failReads(false)
    try eventually { try catalogue.snapshot(of: "s", at: nil).revision == first + 1 }
  }

  @Test(arguments: Store.allCases)
  func `one query finds the revisions of all strips`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    var revisions: [String: Int64] = [:]
    for name in ["a", "b", "c"] {
      revisions[name] = try store.put(numbered(1), into: name).revision
    }
    let (probe, catalogue) = try store.probed()
    _ = try catalogue.snapshot(of: "a", at: nil)
    var found: [String: Int64] = [:]
    let counts = try probe.counting {
      found = try catalogue.newestRevisions(of: ["a", "b", "c", "none"])
    }
    #expect(found == revisions)
    #expect(counts.reads == 1 && counts.statements == 1)
    let cached = try probe.counting { _ = try catalogue.newestRevisions(of: ["a"]) }
    #expect(cached.reads == 0)
  }

  // MARK: - Memory

  @Test(arguments: Store.allCases)
  func `an older snapshot is rebuilt once`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    let first = try store.put(numbered(3)).revision
    let editor = try store.editor(isServer: true)
    let update = try batch(#"[{"op":"update","id":"i0","set":{"width":9}}]"#)
    for _ in 0..<66 { try editor.edit(update) }
    let (probe, catalogue) = try store.probed()
    _ = try catalogue.snapshot(of: "s", at: nil)
    let snapshot = try catalogue.snapshot(of: "s", at: first)
    #expect(snapshot.strip[0].size.width == .zero)
    let again = try probe.counting { _ = try catalogue.snapshot(of: "s", at: first) }
    #expect(again.reads == 0)
    #expect(try catalogue.cachedSnapshot(of: "s", at: first) != nil)
  }

  @Test(arguments: Store.allCases)
  func `a snapshot costs what it does not share with others`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3000)
    let editor = try store.editor(isServer: true)
    let many = (0..<1000).map { #"{"op":"update","id":"i\#($0)","set":{"width":7}}"# }
    let reader = SnapshotReader(try store.database(), contentMemory: 0)
    let strip = SnapshotCache(name: "s", reader)
    let last = try strip.snapshot(at: nil).revision
    let before = strip.memory.used
    try editor.edit(#"[{"op":"update","id":"i0","set":{"width":7}}]"#)
    try strip.refresh()
    let afterOne = strip.memory.used
    #expect(before < afterOne && afterOne < before + 20_000)
    try editor.edit("[\(many.joined(separator: ","))]")
    try strip.refresh()
    #expect(strip.memory.used > afterOne + 20_000)
    #expect(strip.memory.used < afterOne + 100_000)

    let fresh = SnapshotCache(name: "s", reader)
    _ = try fresh.snapshot(at: nil)
    let loaded = fresh.memory.used
    _ = try fresh.snapshot(at: last)
    #expect(fresh.memory.used > loaded + 20_000)
  }

  @Test(arguments: Store.allCases)
  func `the items of a list are found in one read`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 300)
    let (probe, catalogue) = try store.probed(memory: 1 << 20)
    let source = try catalogue.snapshot(of: "s", at: nil).source
    let ids = (0..<300).reversed().map { "i\($0)" } + ["absent"]
    var found: [Int?] = []
    let counts = try probe.counting { found = try source.indices(of: ids) }
    #expect(counts.reads == 1)
    #expect(found == (0..<300).reversed().map { $0 } + [nil])
  }

  @Test(arguments: Store.allCases)
  func `a strip that takes most of the memory leaves room for others`(_ store: Store) throws {
    let store = try StoreUnderTest(store)
    try store.put(numbered(5000), into: "heavy")
    let names = ["a", "heavy", "b"]
    for name in ["a", "b"] { try store.put(numbered(1), into: name) }
    let (probe, catalogue) = try store.probed(memory: 70_000)
    for name in names { _ = try catalogue.snapshot(of: name, at: nil) }
    let again = try probe.counting {
      for name in names + names { _ = try catalogue.snapshot(of: name, at: nil) }
    }
    #expect(again.reads == 0)
  }

  @Test(arguments: Store.allCases)
  func `a change that is made while its strip is loaded is in the next read`(_ store: Store) throws
  {
    let store = try StoreUnderTest(store)
    let before = try store.put(numbered(3)).revision
    let (probe, catalogue) = try store.probed()
    let editor = SQLStripEditor(catalogue, isServer: true)
    let removal = try batch(#"[{"op":"remove","ids":["i0"]}]"#)
    probe.afterNextRead = {
      try editor.edit(removal)
    }
    // The geometry was read before the change.
    #expect(try catalogue.snapshot(of: "s", at: nil).revision == before)
    #expect(try catalogue.cachedSnapshot(of: "s", at: nil).map { $0.revision > before } ?? true)
    #expect(try ids(catalogue) == ["i1", "i2"])
    #expect(try catalogue.cachedSnapshot(of: "s", at: nil)?.revision == before + 1)
  }

  @Test(arguments: Store.allCases)
  func `a change that is made while a rewritten strip is loaded is in the next read`(
    _ store: Store
  ) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let (probe, catalogue) = try store.probed()
    let editor = SQLStripEditor(catalogue, isServer: true)
    _ = try catalogue.snapshot(of: "s", at: nil)
    let rewritten = try store.put([Item(id: "x"), Item(id: "y")], .replace).revision
    let removal = try batch(#"[{"op":"remove","ids":["x"]}]"#)
    probe.afterNextRead = {
      try onAnotherThread {
        try editor.edit(removal)
      }
      // No other thread reads the change.
      probe.failReads(true)
    }
    try catalogue.refresh("s")
    #expect(catalogue.cached("s").revision == rewritten)
    #expect(try catalogue.cachedSnapshot(of: "s", at: nil) == nil)
    probe.failReads(false)
    // A read that waits for one that fails gets its failure.
    try eventually { try ids(catalogue) == ["y"] }
  }

  @Test(arguments: Store.allCases)
  func `a strip that is removed while it is loaded is not in the next read`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 3)
    let (probe, catalogue) = try store.probed()
    let editor = SQLStripEditor(catalogue, isServer: true)
    probe.afterNextRead = { try editor.remove("s", expecting: .anything) }
    _ = try catalogue.snapshot(of: "s", at: nil)
    #expect(try catalogue.cachedSnapshot(of: "s", at: nil) == nil)
    #expect(throws: CatalogueError.noSuchStrip("s")) { try catalogue.snapshot(of: "s", at: nil) }
  }
}
