import Catalogue
import CatalogueTesting
import SQLCatalogue
import Synchronization
import Testing
import Windowing

/// Revisions of a store that are published at intervals.
struct PublishedStoreTests {
  /// A clock that the test sets, in seconds since 1970.
  private final class Clock: Sendable {
    private let seconds = Mutex(0)

    func set(_ value: Int) { seconds.withLock { $0 = value } }
    var now: Duration { .seconds(seconds.withLock { $0 }) }
  }

  private let seconds = Clock()

  private func published(_ store: any StripCatalogue) -> PublishedCatalogue {
    PublishedCatalogue(store, every: .seconds(2)) { [seconds] in seconds.now }
  }

  /// Overwrites the times in the store, so that the test does not wait for intervals.
  @Test(arguments: Store.allCases)
  func `the published revision was the newest by the clock of the store`(_ kind: Store) throws {
    let store = try StoreUnderTest(kind)
    var revisions = [try store.put([Item(id: "a")]).revision]
    let (catalogue, editor) = try store.editable()
    let json = #"[{"op":"update","id":"a","set":{"width":9}}]"#
    let batch = try EditBatch(Array(json.utf8), as: .array)
    func edit(_ time: Int) throws {
      let revision = try editor.edit("s", batch, expecting: .anything, idempotencyKey: nil)
      try store.execute(
        "UPDATE revision SET created = \(time) WHERE previous = \(revisions[revisions.count - 1])",
        reseals: true)
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
        try catalogue.revisions(of: ["s", "t"], before: Int64(moment) * 1_000_000)
          == ["s": revisions[revision]])
    }
  }

  @Test(arguments: Store.allCases)
  func `the published revisions of many strips take one query`(_ kind: Store) throws {
    let store = try StoreUnderTest(kind)
    let names = (0..<20).map { "s\($0)" }
    for name in names { try store.put([Item(id: "a")], into: name) }
    let probe = DatabaseProbe(try store.database())
    let catalogue = published(try StoredCatalogue(probe, follows: false))
    var found: [String: Int64] = [:]
    let counts = try probe.counting { found = try catalogue.newestRevisions(of: names + ["none"]) }
    #expect(found.keys.sorted() == names.sorted())
    #expect(counts.statements == 1)
    let again = try probe.counting { _ = try catalogue.newestRevisions(of: names) }
    #expect(again.statements == 0)
  }
}
