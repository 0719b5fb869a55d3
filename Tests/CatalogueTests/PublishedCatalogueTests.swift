import Catalogue
import Synchronization
import Testing
import Windowing

/// A catalogue that changes, published every two seconds by a clock that the test sets.
struct PublishedCatalogueTests {
  private let store: ChangingCatalogue
  private let seconds = Clock()

  init() { store = ChangingCatalogue(seconds) }

  private func published(_ store: (any StripCatalogue)? = nil) -> PublishedCatalogue {
    PublishedCatalogue(store ?? self.store, every: .seconds(2)) { [seconds] in
      .microseconds(seconds.microseconds)
    }
  }

  @Test func gathersTheEditsOfAnInterval() throws {
    let catalogue = published()
    var read: [Int64] = []
    for second in 100..<106 {
      seconds.set(Double(second))
      read.append(try catalogue.edition(of: "s", at: nil).revision)
      store.change()
    }
    #expect(read == [1, 1, 3, 3, 5, 5])
  }

  @Test func publishesTheSameOnEveryServerWheneverItIsFirstAsked() throws {
    let (one, other) = (published(), published())
    seconds.set(101)
    #expect(try one.edition(of: "s", at: nil).revision == 1)
    store.change()
    seconds.set(102)
    #expect(try one.edition(of: "s", at: nil).revision == 2)
    for _ in 0..<3 { store.change() }
    seconds.set(103.9)
    #expect(try other.edition(of: "s", at: nil).revision == 2)
    #expect(try one.edition(of: "s", at: nil).revision == 2)
    seconds.set(104)
    #expect(try other.edition(of: "s", at: nil).revision == 5)
    #expect(try one.edition(of: "s", at: nil).revision == 5)
  }

  /// Not all servers may see it when they are first asked.
  @Test func leavesToTheNextIntervalWhatWasMadeJustBefore() throws {
    let catalogue = published()
    seconds.set(101.7)
    store.change()
    seconds.set(101.8)
    store.change()
    seconds.set(102)
    #expect(try catalogue.edition(of: "s", at: nil).revision == 2)
    seconds.set(104)
    #expect(try catalogue.edition(of: "s", at: nil).revision == 3)
  }

  @Test func publishesAtOnceWhatAStripWasFirst() throws {
    seconds.set(51)
    let store = ChangingCatalogue(seconds)
    store.change()
    seconds.set(51.5)
    #expect(try published(store).edition(of: "s", at: nil).revision == 1)
    seconds.set(52)
    #expect(try published(store).edition(of: "s", at: nil).revision == 2)
  }

  @Test func goesOnWithWhatIsAtHandWhileTheStoreIsAway() throws {
    let catalogue = published()
    seconds.set(101)
    store.change()
    store.isAway = true
    seconds.set(104)
    #expect(try catalogue.edition(of: "s", at: nil).revision == 2)
  }

  @Test func asksAStoreThatIsAwayButEveryTenSeconds() throws {
    let catalogue = published()
    store.isAway = true
    for second in stride(from: 101.0, to: 111, by: 2) {
      seconds.set(second)
      _ = try catalogue.edition(of: "s", at: nil)
    }
    #expect(store.questions == 1)
    seconds.set(112)
    store.change()
    store.isAway = false
    #expect(try catalogue.edition(of: "s", at: nil).revision == 1)
    #expect(store.questions == 2)
  }

  /// The store's own times are written over, so that the test need not wait for intervals.
  @Test(arguments: Store.allCases)
  func publishesWhatTheStoreSaysWasTheNewest(_ kind: Store) throws {
    let store = try StoreUnderTest(kind)
    var revisions = [try store.put([Item(id: "a")]).revision]
    let (catalogue, editor) = try store.editable()
    let json = #"[{"op":"update","id":"a","set":{"width":9}}]"#
    let batch = try EditBatch(Array(json.utf8), as: .array)
    func edit(_ time: Int) throws {
      let revision = try editor.edit("s", batch, expecting: .anything, once: nil)
      try store.execute(
        "UPDATE past_strip SET ended = \(time) WHERE until = \(revisions[revisions.count - 1])")
      revisions.append(revision)
    }
    let one = published(catalogue)
    seconds.set(102)
    #expect(try one.edition(of: "s", at: nil).revision == revisions[0])
    try edit(103_000_000)
    try edit(103_500_000)
    seconds.set(104)
    #expect(try one.edition(of: "s", at: nil).revision == revisions[2])
    try edit(104_500_000)
    let other = published(try store.catalogue())
    #expect(try other.edition(of: "s", at: nil).revision == revisions[2])
    #expect(try one.edition(of: "s", at: nil).revision == revisions[2])
    seconds.set(106)
    for server in [one, other] {
      #expect(try server.edition(of: "s", at: nil).revision == revisions[3])
    }
    for (moment, revision) in [(102, 0), (103, 0), (104, 2), (105, 3)] {
      #expect(
        try catalogue.revision(of: "s", before: Int64(moment) * 1_000_000, mode: .mayBlock)
          == revisions[revision])
    }
    #expect(throws: CatalogueError.noSuchStrip("t")) {
      try catalogue.revision(of: "t", before: 0, mode: .mayBlock)
    }
  }

  @Test func readsARevisionThatIsNamedAtOnce() throws {
    let catalogue = published()
    #expect(try catalogue.edition(of: "s", at: nil).revision == 1)
    store.change()
    #expect(try catalogue.edition(of: "s", at: 2).revision == 2)
    #expect(try catalogue.edition(of: nil, at: nil).revision == 1)
    #expect(throws: CatalogueError.revisionUnknown(9)) { try catalogue.edition(of: "s", at: 9) }
  }

  @Test func tellsWhatIsPublishedInLists() throws {
    let catalogue = published()
    _ = try catalogue.edition(of: "s", at: nil)
    store.change()
    #expect(try catalogue.summaries(after: nil, limit: 9).map(\.revision) == [1])
    seconds.set(200)
    #expect(try catalogue.edition(of: "s", at: nil).revision == 2)
    #expect(try catalogue.summaries(after: nil, limit: 9).map(\.revision) == [2])
  }

  @Test func holdsWhatWasPublishedForAMinute() throws {
    let catalogue = published()
    _ = try catalogue.edition(of: "s", at: nil)
    store.change()
    seconds.set(102)
    _ = try catalogue.edition(of: "s", at: nil)
    store.forgetFormer()
    #expect(try catalogue.edition(of: "s", at: 1).revision == 1)
    for second in stride(from: 104.0, through: 300, by: 2) {
      store.change()
      seconds.set(second)
      _ = try catalogue.edition(of: "s", at: nil)
    }
    store.forgetFormer()
    #expect(throws: CatalogueError.revisionGone(1)) { try catalogue.edition(of: "s", at: 1) }
  }

  @Test func countsAChangeWheneverWhatIsNewestMayBeAnother() throws {
    let catalogue = published()
    let first = catalogue.changeCount
    seconds.set(101)
    #expect(catalogue.changeCount == first)
    seconds.set(102)
    let second = catalogue.changeCount
    #expect(second != first)
    store.change()
    #expect(catalogue.changeCount != second)
  }

  @Test func lacksAStripThatIsGone() throws {
    let catalogue = published()
    _ = try catalogue.edition(of: "s", at: nil)
    store.remove()
    seconds.set(102)
    #expect(throws: CatalogueError.noSuchStrip("s")) { try catalogue.edition(of: "s", at: nil) }
  }

  @Test func findsTheNewestWhereItIsToldToLookAgain() throws {
    let catalogue = published()
    _ = try catalogue.edition(of: "s", at: nil)
    store.change()
    store.forgetFormer()
    try catalogue.refresh()
    #expect(try catalogue.edition(of: "s", at: nil).revision == 2)
  }

  @Test func asksForTheSameRevisionWithAndWithoutPatience() throws {
    let catalogue = published()
    #expect(try catalogue.edition(of: "s", at: nil, mode: .cachedOnly).revision == 1)
    store.change()
    #expect(try catalogue.edition(of: "s", at: nil, mode: .mayBlock).revision == 1)
  }
}

private final class Clock: Sendable {
  private let value = Atomic(100_000_000 as Int64)
  /// Since 1970.
  var microseconds: Int64 { value.load(ordering: .relaxed) }
  func set(_ seconds: Double) {
    value.store(Int64((seconds * 1_000_000).rounded()), ordering: .relaxed)
  }
}

/// One strip, `s`, without items: at revision 1, and at the next with each change.
private final class ChangingCatalogue: StripCatalogue {
  private let clock: Clock
  /// When each revision that is held was made, the newest last.
  private let held: Mutex<[(revision: Int64, made: Int64)]>
  private let changes = Atomic(0)
  private let away = Atomic(false)
  private let asked = Atomic(0)

  init(_ clock: Clock) {
    self.clock = clock
    held = Mutex([(1, clock.microseconds)])
  }

  var changeCount: Int? { changes.load(ordering: .relaxed) }

  /// Whether no more is known of the strip than is at hand.
  var isAway: Bool {
    get { away.load(ordering: .relaxed) }
    set { away.store(newValue, ordering: .relaxed) }
  }

  /// How often it was asked what was the newest.
  var questions: Int { asked.load(ordering: .relaxed) }

  func change() {
    held.withLock { held in
      guard let newest = held.last?.revision else { return }
      held.append((newest + 1, clock.microseconds))
    }
    changes.add(1, ordering: .relaxed)
  }

  func forgetFormer() { held.withLock { $0 = $0.suffix(1) } }

  func remove() { held.withLock { $0 = [] } }

  func names(after: String?, limit: Int, mode: ReadMode) -> [String] { ["s"] }

  func revision(
    of name: String, before moment: Int64, mode: ReadMode
  ) throws(CatalogueError) -> Int64? {
    asked.add(1, ordering: .relaxed)
    guard !isAway else { throw .unavailable("the store is away") }
    let held = held.withLock { $0 }
    guard let found = held.last(where: { $0.made < moment }) ?? held.first else {
      throw .noSuchStrip("s")
    }
    return found.revision
  }

  func edition(
    of name: String?, at revision: Int64?, mode: ReadMode
  ) throws(CatalogueError) -> Edition {
    let held = held.withLock { $0 }
    guard let oldest = held.first?.revision, let newest = held.last?.revision else {
      throw .noSuchStrip("s")
    }
    let revision = revision ?? newest
    guard revision <= newest else { throw .revisionUnknown(revision) }
    guard revision >= oldest else { throw .revisionGone(revision) }
    return try Edition(name: "s", revision: revision, items: [])
  }
}
