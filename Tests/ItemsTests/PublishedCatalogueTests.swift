import Items
import Synchronization
import Testing
import Windowing

/// A catalogue that changes, published every two seconds by a clock that the test sets.
struct PublishedCatalogueTests {
  private let store = ChangingCatalogue()
  private let seconds = Clock()

  private func published() -> PublishedCatalogue {
    PublishedCatalogue(store, every: .seconds(2)) { [seconds] in .seconds(seconds.now) }
  }

  @Test func gathersTheEditsOfAnInterval() throws {
    let catalogue = published()
    var read: [Int64] = []
    for second in 100..<106 {
      seconds.set(second)
      read.append(try catalogue.edition(of: "s", at: nil).revision)
      store.change()
    }
    #expect(read == [1, 1, 3, 3, 5, 5])
  }

  @Test func publishesAtTheSameMomentsOnEveryServer() throws {
    let (one, other) = (published(), published())
    seconds.set(101)
    #expect(try one.edition(of: "s", at: nil).revision == 1)
    seconds.set(102)
    store.change()
    #expect(try one.edition(of: "s", at: nil).revision == 2)
    #expect(try other.edition(of: "s", at: nil).revision == 2)
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
    for second in stride(from: 104, through: 300, by: 2) {
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
    try catalogue.refresh()
    #expect(try catalogue.edition(of: "s", at: nil).revision == 2)
  }

  @Test func asksForTheSameRevisionWithAndWithoutPatience() throws {
    let catalogue = published()
    #expect(try catalogue.edition(of: "s", at: nil, patience: .none).revision == 1)
    store.change()
    #expect(try catalogue.edition(of: "s", at: nil, patience: .waits).revision == 1)
  }
}

private final class Clock: Sendable {
  private let seconds = Atomic(100)
  var now: Int { seconds.load(ordering: .relaxed) }
  func set(_ value: Int) { seconds.store(value, ordering: .relaxed) }
}

/// One strip, `s`, without items: at revision 1, and at the next with each change.
private final class ChangingCatalogue: Catalogue {
  private let held = Mutex<ClosedRange<Int64>?>(1...1)
  private let changes = Atomic(0)

  var changeCount: Int? { changes.load(ordering: .relaxed) }

  func change() {
    held.withLock { $0 = $0.map { $0.lowerBound...$0.upperBound + 1 } }
    changes.add(1, ordering: .relaxed)
  }

  func forgetFormer() { held.withLock { $0 = $0.map { $0.upperBound...$0.upperBound } } }

  func remove() { held.withLock { $0 = nil } }

  func names(after: String?, limit: Int, patience: Patience) -> [String] { ["s"] }

  func edition(
    of name: String?, at revision: Int64?, patience: Patience
  ) throws(CatalogueError) -> Edition {
    guard let held = held.withLock({ $0 }) else { throw .noSuchStrip("s") }
    let revision = revision ?? held.upperBound
    guard revision <= held.upperBound else { throw .revisionUnknown(revision) }
    guard revision >= held.lowerBound else { throw .revisionGone(revision) }
    return try Edition(name: "s", revision: revision, items: [])
  }
}
