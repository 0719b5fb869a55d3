import Catalogue
import Dispatch
import HTTP
import Items
import Serving
import Synchronization
import Testing
import Views
import Windowing

struct DeferredReadTests {
  private static func items(_ count: Int) throws -> [Item] {
    try (0..<count).map { try Item(id: "i\($0)", width: .px(40 + $0 % 7)) }
  }

  private static func remote(
    _ count: Int = 3, cachesSnapshots: Bool = false, isAbsent: Bool = false
  ) throws -> RemoteCatalogue {
    RemoteCatalogue(
      near: try catalogue(items(count)), cachesSnapshots: cachesSnapshots, isAbsent: isAbsent)
  }

  @Test(arguments: [
    "/window", "/window?item=i2&width=50", "/window?format=html", "/strips", "/strips/strip",
    "/strips/strip/groups", "/strips/strip/items/i1", "/?strip=strip", "/window?strip=none",
    "/window?revision=6", "/strips/strip/items/none", "/strips?after=none",
  ])
  func `a read of the store has the same response as one from memory, by another thread`(
    _ target: String
  ) throws {
    let near = try app(catalogue(Self.items(3))).get(target)
    let remote = try app(Self.remote())
    #expect(remote.getAtOnce(target) == nil)
    let response = remote.get(target)
    #expect(response.status == near.status)
    #expect(response.body.bytes == near.body.bytes)
    #expect(response["ETag"] == near["ETag"])
  }

  @Test func `a read with wrong parameters does not wait for the store`() throws {
    #expect(try app(Self.remote()).getAtOnce("/window?width=x")?.status == 400)
  }

  @Test func `a read that waited for pools then reads its items`() throws {
    let response = try app(Self.remote(60_000, cachesSnapshots: true)).get("/window?width=300")
    #expect(response.status == 200)
    #expect((response.json["items"] as? [Any])?.isEmpty == false)
  }

  @Test func `requests that wait for a revision take no threads`() throws {
    let catalogue = try Self.remote(cachesSnapshots: true)
    let app = try app(catalogue)
    let reads = (1...200).map { number in
      defer { catalogue.refusals.wait() }
      return PendingResponse(app, "/window?revision=\(100 + number)")
    }
    #expect(reads.allSatisfy { $0.isDeferred })
    #expect(app.get("/window").status == 200)
    #expect(reads.allSatisfy { $0.wait().status == 200 })
  }

  @Test func `a read is 503 if the catalogue has not read the revision`() throws {
    let response = try app(Self.remote()).get("/window?revision=8")
    #expect(response.status == 503)
    #expect(response["Retry-After"] == "1")
  }

  @Test func `an absent store is 503 and blames no parameter`() throws {
    for target in ["/strips", "/strips?after=strip"] {
      let response = try app(Self.remote(isAbsent: true)).get(target)
      #expect(response.status == 503)
      #expect(response.json["parameter"] == nil)
    }
  }

  @Test func `a read is 503 if too many others wait`() throws {
    let app = try app(Self.remote())
    let goOn = DispatchSemaphore(value: 0)
    var count = 0
    while app.io.add(nil, { goOn.wait() }) { count += 1 }
    #expect(count == 256)
    #expect(app.get("/window").status == 503)
    for _ in 0..<count { goOn.signal() }
  }

  @Test func `a strip that loads does not delay another one`() throws {
    let catalogue = try Self.remote()
    let app = try app(catalogue)
    let cold = Array(repeating: "/window?strip=cold", count: 10) + ["/strips/cold/items/i1"]
    let reads = cold.map { PendingResponse(app, $0) }
    #expect(reads.allSatisfy { $0.isDeferred })
    #expect(app.get("/window").status == 200)
    #expect(app.get("/strips/strip/items/i1").status == 200)
    catalogue.isLoaded.signal()
    for read in reads { _ = read.wait() }
  }

  @Test func `a list of the strip of a token occupies one thread while the strip is loaded`() throws
  {
    struct ColdReader: TokenVerifier {
      func grants(of secrets: [[UInt8]]) -> [TokenGrant?] {
        secrets.map { _ in TokenGrant(strip: "cold", scope: .reads) }
      }
    }
    let catalogue = try Self.remote()
    let app = App(
      catalogue: catalogue, files: nil, pages: PageFile(path: ""), tokenVerifier: ColdReader())
    let request = Request(.get, "/strips", headers: [("Authorization", "Bearer a")])
    let reads = (0..<10).map { _ in PendingResponse(app, request) }
    let isRun = DispatchSemaphore(value: 0)
    while app.io.count < 10 { _ = isRun.wait(timeout: .now() + .milliseconds(5)) }
    #expect(app.io.add(nil) { isRun.signal() })
    #expect(isRun.wait(timeout: .now() + 60) == .success)
    catalogue.isLoaded.signal()
    for read in reads { #expect(read.wait().status == 200) }
  }

  @Test func `a strip that loads does not delay another one if its revision is named`() throws {
    let catalogue = try Self.remote()
    let app = try app(catalogue)
    let reads = (1...10).map { number in
      defer { catalogue.refusals.wait() }
      return PendingResponse(app, "/window?strip=cold&revision=\(100 + number)")
    }
    #expect(reads.allSatisfy { $0.isDeferred })
    // They ask again after a second.
    let pause = DispatchSemaphore(value: 0)
    while app.io.count < 10 { _ = pause.wait(timeout: .now() + .milliseconds(5)) }
    #expect(app.get("/window").status == 200)
    for _ in 0..<10 { catalogue.isLoaded.signal() }
    for read in reads { _ = read.wait() }
  }

  @Test func `a strip that an import has rewritten does not delay another one`() throws {
    let catalogue = try Self.remote()
    let app = try app(catalogue)
    let reads = (1...10).map { _ in PendingResponse(app, "/window?strip=rewritten") }
    #expect(reads.allSatisfy { $0.isDeferred })
    #expect(app.get("/window").status == 200)
    catalogue.isLoaded.signal()
    for read in reads { _ = read.wait() }
    #expect(app.get("/window?strip=rewritten").status == 200)
  }

  @Test(arguments: ["/window?width=5000", "/window?width=5000&format=html"])
  func `a large body is compressed on another thread`(_ target: String) throws {
    struct Shortening: ContentEncoder {
      func encode(_ bytes: [UInt8], in coding: ContentCoding) -> [UInt8]? { [1] }
    }
    let text = String(repeating: "a", count: 4000)
    let items = try (0..<100).map {
      try Item(id: "i\($0)", width: .px(1), fields: Fields([("title", .string(text))]))
    }
    let app = try app(try catalogue(items), encoder: Shortening())
    let headers = [("Accept-Encoding", "br")]
    var tag: String?
    for status in [200, 304] {
      let conditions = status == 304 ? [("If-None-Match", tag ?? "")] : []
      let answer = PendingResponse(app, Request(.get, target, headers: headers + conditions))
      let response = answer.wait()
      #expect(answer.isDeferred, "It is compressed at once.")
      #expect(response.status == status && response.body.bytes == [1])
      tag = response["ETag"]
    }
  }

  @Test func `an event stream loads no strip`() throws {
    let catalogue = try Self.remote()
    let app = try app(catalogue)
    let response = app.get("/events?strips=strip")
    app.feed.sendAll()
    #expect(response.status == 200)
    #expect(catalogue.reads == 0)
    if case .events(let stream) = response.body { stream.end() }
  }

  @Test func `a read is not done for a client that has left`() throws {
    let catalogue = try Self.remote()
    let app = try app(catalogue)
    let goOn = DispatchSemaphore(value: 0)
    for _ in 0..<8 { _ = app.io.add { goOn.wait() } }
    let read = PendingResponse(app, Request(.get, "/window"), isClientWaiting: { false })
    #expect(read.isDeferred)
    for _ in 0..<8 { goOn.signal() }
    // The connection is suspended until it gets a response, even if the client has left.
    #expect(read.wait().status == 503)
    #expect(catalogue.reads == 0)
  }
}

/// A catalogue whose strips are never in memory. With `cachesSnapshots`, only its items are not.
private final class RemoteCatalogue: StripCatalogue {
  private let near: MemoryCatalogue
  private let cachesSnapshots: Bool
  private let isAbsent: Bool
  private let readCount = Atomic(0)
  /// Revisions above 100 that were asked for. The first question finds none of them.
  private let late = Mutex<Set<Int64>>([])
  /// Signalled for each of them.
  let refusals = DispatchSemaphore(value: 0)
  /// Signalled once the strip `cold` can be read. Each thread that has waited signals the next one.
  let isLoaded = DispatchSemaphore(value: 0)
  /// Whether the strip `rewritten` has been read again. Until then its items are gone from the store.
  private let isRefreshed = Atomic(false)

  init(near: MemoryCatalogue, cachesSnapshots: Bool, isAbsent: Bool) {
    self.near = near
    self.isAbsent = isAbsent
    self.cachesSnapshots = cachesSnapshots
  }

  /// The number of snapshots that were read from the store.
  var reads: Int { readCount.load(ordering: .relaxed) }

  func summaries(after: String?, limit: Int) throws(CatalogueError) -> [StripSummary] {
    if isAbsent { throw .unavailable("the store is absent") }
    readCount.add(1, ordering: .relaxed)
    return try near.summaries(after: after, limit: limit)
  }

  func newestRevisions(of names: [String]) throws(CatalogueError) -> [String: Int64] {
    near.newestRevisions(of: names)
  }

  func snapshot(of name: String?, at revision: Int64?) throws(CatalogueError) -> Snapshot {
    readCount.add(1, ordering: .relaxed)
    if revision == 8 { throw .revisionNotLoaded(8) }
    if let revision, revision > 100, late.withLock({ $0.insert(revision).inserted }) {
      refusals.signal()
      throw .revisionNotLoaded(revision)
    }
    if name == "cold" {
      isLoaded.wait()
      isLoaded.signal()
    }
    let isRewritten = name == "rewritten"
    let snapshot = try near.snapshot(
      of: isRewritten ? nil : name, at: revision ?? 0 > 100 ? nil : revision)
    return Snapshot(
      name: isRewritten ? "rewritten" : snapshot.name, settings: snapshot.settings,
      revision: snapshot.revision, strip: snapshot.strip,
      source: RemoteItems(
        items: snapshot.source, isGone: isRewritten && !isRefreshed.load(ordering: .relaxed)),
      layouts: snapshot.layouts)
  }

  func cachedSnapshot(of name: String?, at revision: Int64?) throws(CatalogueError) -> Snapshot? {
    cachesSnapshots || name == "rewritten" ? try snapshot(of: name, at: revision) : nil
  }

  func refresh(_ strip: String) throws(CatalogueError) {
    isLoaded.wait()
    isLoaded.signal()
    isRefreshed.store(true, ordering: .relaxed)
  }
}

private struct RemoteItems: ItemSource {
  let items: any ItemSource
  let isGone: Bool

  var sortKeys: SortKeys { items.sortKeys }
  func read(
    at sortKeys: [Int64], _ mode: ReadMode, _ body: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool {
    guard mode == .mayBlock else { return false }
    if isGone { throw .revisionGone(7) }
    return try items.read(at: sortKeys, mode, body)
  }
  func items(at sortKeys: [Int64]) throws(CatalogueError) -> [Item] {
    try items.items(at: sortKeys)
  }
  func indices(of ids: [String]) throws(CatalogueError) -> [Int?] { try items.indices(of: ids) }
  var hasIndicesInMemory: Bool { false }
}
