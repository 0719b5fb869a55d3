import Catalogue
import Synchronization
import Testing
import Windowing

/// A catalogue that publishes every two seconds, by a clock that the test sets.
struct PublishedCatalogueTests {
  private let store: ChangingCatalogue
  private let seconds = Clock()

  init() { store = ChangingCatalogue(seconds) }

  private func published(_ store: (any StripCatalogue)? = nil) -> PublishedCatalogue {
    PublishedCatalogue(store ?? self.store, every: .seconds(2)) { [seconds] in
      .microseconds(seconds.microseconds)
    }
  }

  @Test func `the edits of an interval are published together`() throws {
    let catalogue = published()
    var read: [Int64] = []
    for second in 100..<106 {
      seconds.set(Double(second))
      read.append(try catalogue.edition(of: "s", at: nil).revision)
      store.change()
    }
    #expect(read == [1, 1, 3, 3, 5, 5])
  }

  @Test func `all servers publish the same revision`() throws {
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

  /// Some servers may not see the edit yet when the interval begins.
  @Test func `an edit just before an interval is published in the next`() throws {
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

  @Test func `the first revision of a strip is published at once`() throws {
    seconds.set(51)
    let store = ChangingCatalogue(seconds)
    store.change()
    seconds.set(51.5)
    #expect(try published(store).edition(of: "s", at: nil).revision == 1)
    seconds.set(52)
    #expect(try published(store).edition(of: "s", at: nil).revision == 2)
  }

  @Test func `a cached edition is published while the store is unavailable`() throws {
    let catalogue = published()
    seconds.set(101)
    store.change()
    store.isUnreachable = true
    seconds.set(104)
    #expect(try catalogue.edition(of: "s", at: nil).revision == 2)
  }

  @Test func `an unavailable store is asked every ten seconds`() throws {
    let catalogue = published()
    store.isUnreachable = true
    for second in stride(from: 101.0, to: 111, by: 2) {
      seconds.set(second)
      _ = try catalogue.edition(of: "s", at: nil)
    }
    #expect(store.questions == 1)
    seconds.set(112)
    store.change()
    store.isUnreachable = false
    #expect(try catalogue.edition(of: "s", at: nil).revision == 1)
    #expect(store.questions == 2)
  }

  @Test func `a read with a revision sees an edit at once`() throws {
    let catalogue = published()
    #expect(try catalogue.edition(of: "s", at: nil).revision == 1)
    store.change()
    #expect(try catalogue.edition(of: "s", at: 2).revision == 2)
    #expect(try catalogue.edition(of: nil, at: nil).revision == 1)
    #expect(throws: CatalogueError.revisionUnknown(9)) { try catalogue.edition(of: "s", at: 9) }
  }

  @Test func `a list shows the published revisions`() throws {
    let catalogue = published()
    _ = try catalogue.edition(of: "s", at: nil)
    store.change()
    #expect(try catalogue.summaries(after: nil, limit: 9).map(\.revision) == [1])
    seconds.set(200)
    #expect(try catalogue.edition(of: "s", at: nil).revision == 2)
    #expect(try catalogue.summaries(after: nil, limit: 9).map(\.revision) == [2])
  }

  @Test func `a published revision is cached for a minute`() throws {
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

  @Test func `a removed strip is not published`() throws {
    let catalogue = published()
    _ = try catalogue.edition(of: "s", at: nil)
    store.remove()
    seconds.set(102)
    #expect(throws: CatalogueError.noSuchStrip("s")) { try catalogue.edition(of: "s", at: nil) }
  }

  @Test func `a refresh publishes the newest revision`() throws {
    let catalogue = published()
    _ = try catalogue.edition(of: "s", at: nil)
    store.change()
    store.forgetFormer()
    try catalogue.refresh("s")
    #expect(try catalogue.edition(of: "s", at: nil).revision == 2)
  }

  @Test func `a published edition is in memory until the next interval`() throws {
    let catalogue = published()
    #expect(try catalogue.cachedEdition(of: "s", at: nil) == nil)
    #expect(try catalogue.edition(of: "s", at: nil).revision == 1)
    store.change()
    #expect(try catalogue.cachedEdition(of: "s", at: nil)?.revision == 1)
    seconds.set(102)
    #expect(try catalogue.cachedEdition(of: "s", at: nil) == nil)
    #expect(try catalogue.cachedEdition(of: "s", at: 1)?.revision == 1)
  }

  @Test func `the newest revision is the published one, and loads no edition`() throws {
    let catalogue = published()
    #expect(try catalogue.newestRevisions(of: ["s"])["s"] == 1)
    store.change()
    #expect(try catalogue.newestRevisions(of: ["s"])["s"] == 1)
    #expect(store.editions == 0)
    #expect(try catalogue.edition(of: "s", at: nil).revision == 1)
    seconds.set(102)
    #expect(try catalogue.newestRevisions(of: ["s"])["s"] == 2)
    #expect(try catalogue.edition(of: "s", at: nil).revision == 2)
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
  /// The revisions, each with the time of its edit, the newest last.
  private let held: Mutex<[(revision: Int64, made: Int64)]>
  private let away = Atomic(false)
  private let asked = Atomic(0)
  private let loaded = Atomic(0)

  init(_ clock: Clock) {
    self.clock = clock
    held = Mutex([(1, clock.microseconds)])
  }

  /// Whether the store fails.
  var isUnreachable: Bool {
    get { away.load(ordering: .relaxed) }
    set { away.store(newValue, ordering: .relaxed) }
  }

  /// The number of requests for the newest revision.
  var questions: Int { asked.load(ordering: .relaxed) }

  func change() {
    held.withLock { held in
      guard let newest = held.last?.revision else { return }
      held.append((newest + 1, clock.microseconds))
    }
  }

  func forgetFormer() { held.withLock { $0 = $0.suffix(1) } }

  func remove() { held.withLock { $0 = [] } }

  /// The number of editions that were loaded.
  var editions: Int { loaded.load(ordering: .relaxed) }

  func summaries(after: String?, limit: Int) throws(CatalogueError) -> [StripSummary] {
    [StripSummary(try edition(of: "s", at: nil))]
  }

  func newestRevisions(of names: [String]) -> [String: Int64] {
    held.withLock { $0.last.map { ["s": $0.revision] } ?? [:] }
  }

  func cachedEdition(of name: String?, at revision: Int64?) -> Edition? { nil }

  func revisions(
    of names: [String], before moment: Int64
  ) throws(CatalogueError) -> [String: Int64]? {
    asked.add(1, ordering: .relaxed)
    guard !isUnreachable else { throw .unavailable("the store is away") }
    let held = held.withLock { $0 }
    let found = held.last(where: { $0.made < moment }) ?? held.first
    return found.map { ["s": $0.revision] } ?? [:]
  }

  func edition(of name: String?, at revision: Int64?) throws(CatalogueError) -> Edition {
    loaded.add(1, ordering: .relaxed)
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
