import Catalogue
import Dispatch
import HTTP
import Synchronization
import Testing
import Windowing

@testable import Serving

@Suite("What has to be fetched")
struct FetchTests {
  private static func items(_ count: Int) throws -> [Item] {
    try (0..<count).map { try Item(id: "i\($0)", width: .px(40 + $0 % 7)) }
  }

  private static func remote(_ count: Int = 3) throws -> RemoteCatalogue {
    RemoteCatalogue(near: try catalogue(items(count)))
  }

  private func answer(_ site: App, _ target: String) async -> Response? {
    guard case .deferred(let start) = site.answer(Request(.get, target)) else { return nil }
    return await withCheckedContinuation { done in start(Responder { done.resume(returning: $0) }) }
  }

  @Test(
    "is answered as if it had been at hand, by another thread",
    arguments: [
      "/window", "/window?item=i2&width=50", "/window?format=html", "/strips", "/strips/strip",
      "/strips/strip/groups", "/strips/strip/items/i1", "/?strip=strip", "/window?strip=none",
      "/window?revision=6", "/strips/strip/items/none", "/strips?after=none", "/window?width=x",
    ])
  func later(_ target: String) async throws {
    let near = try site(catalogue(Self.items(3))).get(target)
    let remote = try site(Self.remote())
    guard target != "/window?width=x" else {
      #expect(try remote.get(target).status == 400)
      return
    }
    let response = try #require(await answer(remote, target))
    #expect(response.status == near.status)
    #expect(response.body.bytes == near.body.bytes)
    #expect(response["ETag"] == near["ETag"])
  }

  @Test("is fetched once a search for pools is done")
  func afterPools() async throws {
    let catalogue = try Self.remote(60_000)
    catalogue.isEditionNear = true
    let response = try #require(await answer(site(catalogue), "/window?width=300"))
    #expect(response.status == 200)
    #expect((response.json["items"] as? [Any])?.isEmpty == false)
  }

  @Test("is refused with 503 where a catalogue is behind its store")
  func behind() async throws {
    let response = try #require(await answer(site(Self.remote()), "/window?revision=8"))
    #expect(response.status == 503)
    #expect(response["Retry-After"] == "1")
  }

  @Test("is not waited for by more than a bounded number")
  func full() {
    let threads = FetchThreads(count: 2, limit: 3)
    let gate = DispatchSemaphore(value: 0)
    let begun = DispatchSemaphore(value: 0)
    let refused = Atomic(0)
    func ask() {
      let delivery = Responder { response in
        if response.status == 503 { refused.add(1, ordering: .relaxed) }
      }
      threads.take(delivery) { _ in
        begun.signal()
        gate.wait()
      }
    }
    for _ in 0..<2 { ask() }
    for _ in 0..<2 { begun.wait() }
    for _ in 0..<4 { ask() }
    #expect(refused.load(ordering: .relaxed) == 1)
    for _ in 0..<5 { gate.signal() }
    for _ in 0..<3 { begun.wait() }
  }

  @Test("is not fetched for a client that has left before its turn")
  func left() {
    let threads = FetchThreads(count: 1)
    let gate = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    let isThere = Atomic(true)
    let asked = Mutex<[String]>([])
    let left = Mutex<Int?>(nil)
    threads.take(Responder { _ in }) { _ in gate.wait() }
    threads.take(
      Responder(isAwaited: { isThere.load(ordering: .relaxed) }) { response in
        left.withLock { $0 = response.status }
      }
    ) { _ in asked.withLock { $0.append("left") } }
    threads.take(Responder { _ in }) { _ in
      asked.withLock { $0.append("stays") }
      done.signal()
    }
    isThere.store(false, ordering: .relaxed)
    gate.signal()
    done.wait()
    #expect(asked.withLock { $0 } == ["stays"])
    // Its connection is set aside until something is delivered.
    #expect(left.withLock { $0 } == 503)
  }
}

/// A catalogue whose strips, or whose items alone, are never at hand.
private final class RemoteCatalogue: StripCatalogue, @unchecked Sendable {
  private let near: MemoryCatalogue
  // Set before the first question.
  var isEditionNear = false

  init(near: MemoryCatalogue) { self.near = near }

  func names(after: String?, limit: Int, mode: ReadMode) throws(CatalogueError) -> [String] {
    guard mode == .mayBlock else { throw .wouldBlock }
    return try near.names(after: after, limit: limit)
  }

  func edition(
    of name: String?, at revision: Int64?, mode: ReadMode
  ) throws(CatalogueError) -> Edition {
    guard isEditionNear || mode == .mayBlock else { throw .wouldBlock }
    if revision == 8 { throw .behind(8) }
    let edition = try near.edition(of: name, at: revision)
    guard mode == .cachedOnly else { return edition }
    return Edition(
      name: edition.name, settings: edition.settings, revision: edition.revision,
      strip: edition.strip, source: NothingAtHand(), pools: edition.pools)
  }
}

private struct NothingAtHand: ItemSource {
  func contents(of range: Range<Int>) throws(CatalogueError) -> [ItemContent] { throw .wouldBlock }
  func items(in range: Range<Int>) throws(CatalogueError) -> [Item] { throw .wouldBlock }
  func index(of id: String) throws(CatalogueError) -> Int? { throw .wouldBlock }
}
