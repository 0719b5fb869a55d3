import Catalogue
import Dispatch
import Foundation
import Glibc
import HTTP
import HTTPServer
import Items
import Serving
import Synchronization
import Testing
import Views
import Windowing

@Suite struct ViewWorkTests {
  private static func snapshot(_ name: String = "strip") throws -> Snapshot {
    var settings = StripSettings(title: "strip")
    settings.filterable = ["year"]
    let items = try (0..<100).map { number in
      try Item(
        id: "i\(number)", width: .px(40), fields: Fields([("year", .number("\(number % 10)"))]))
    }
    return try Snapshot(name: name, settings: settings, revision: 7, items: items)
  }

  /// A snapshot whose columns are built when the test permits it.
  private static func slowSnapshot() throws -> (Snapshot, SlowItems) {
    let near = try Self.snapshot()
    let source = SlowItems(items: near.source)
    let snapshot = Snapshot(
      name: near.name, settings: near.settings, revision: near.revision, strip: near.strip,
      source: source)
    return (snapshot, source)
  }

  @Test func `requests for one view share one build and other requests do not wait for it`() throws
  {
    let app = try app(MemoryCatalogue([Self.snapshot()]))
    let isBlocked = try Blocker(app)
    let target = "/window?where=year=3"
    let replies = (0..<10).map { _ in PendingResponse(app, target) }
    #expect(replies.allSatisfy { $0.response == nil })
    // Another spelling is the same view.
    let other = PendingResponse(app, "/window?where=year%20=%203")
    #expect(app.getAtOnce("/window?width=300")?.status == 200)
    isBlocked.end()
    let bodies = (replies + [other]).map { $0.wait().text }
    #expect(Set(bodies).count == 1)
    #expect(app.viewCache.buildCount == 1)
    // The view is in memory now.
    #expect(app.getAtOnce("/window?where=year=3&width=300")?.status == 200)
  }

  @Test func `a view that fills the memory gives way to the next view`() throws {
    let app = try app(MemoryCatalogue([Self.snapshot()]), viewMemory: 4000)
    for limit in [9, 8, 9] {
      #expect(app.get("/window?where=year%3C\(limit)").status == 200)
      #expect(app.getAtOnce("/window?where=year%3C\(limit)")?.status == 200)
    }
  }

  @Test func `a view is 503 with Retry-After if 64 others wait`() throws {
    let app = try app(MemoryCatalogue([Self.snapshot()]))
    let isBlocked = try Blocker(app)
    let waiting = (0..<63).map { PendingResponse(app, "/window?where=year%3E\($0)") }
    #expect(waiting.allSatisfy { $0.response == nil })
    for target in ["/window?where=year=3", "/strips/strip/facets?field=year"] {
      let rejected = app.get(target)
      #expect(rejected.status == 503)
      #expect(rejected["Retry-After"] == "1")
    }
    // A second request for a view that is being built takes no place in the queue.
    let same = PendingResponse(app, "/window?where=year%3E5")
    #expect(same.response == nil)
    isBlocked.end()
    for reply in waiting + [same] { #expect(reply.wait().status == 200) }
    #expect(app.get("/window?where=year=3").status == 200)
  }

  @Test func `a view waits for the columns that another thread builds and no request thread does`()
    throws
  {
    let (snapshot, source) = try Self.slowSnapshot()
    let app = try app(MemoryCatalogue([snapshot]))
    let isPrepared = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? snapshot.columns.prepare(snapshot)
      isPrepared.signal()
    }
    // The preparation has begun to read the items.
    source.isReading.wait()
    let view = PendingResponse(app, "/window?where=year=3")
    let facets = PendingResponse(app, "/strips/strip/facets?field=year")
    #expect(app.getAtOnce("/window?width=300")?.status == 200)
    #expect(view.response == nil && facets.response == nil)
    source.goOn.signal()
    isPrepared.wait()
    #expect(view.wait().json["count"] as? Int == 10)
    #expect(facets.wait().json["count"] as? Int == 100)
    #expect(source.passes == 1)
  }

  @Test(arguments: ["/window?where=year=3", "/strips/strip/facets?field=year"])
  func `a request for a view whose columns are being built waits for that view`(
    _ target: String
  ) throws {
    let (snapshot, source) = try Self.slowSnapshot()
    let app = try app(MemoryCatalogue([snapshot]))
    let first = PendingResponse(app, target)
    source.isReading.wait()
    let second = PendingResponse(app, target)
    // Both have one key of one queue, which runs them one at a time.
    #expect(app.views.count == 2 && app.views.keyCount == 1)
    source.goOn.signal()
    #expect([first, second].map { $0.wait().status } == [200, 200])
    #expect(app.viewCache.buildCount <= 1)
  }

  @Test(arguments: [false, true])
  func `a view is 503 with Retry-After after a limited wait and a later request finds it`(
    isPrepared: Bool
  ) throws {
    let (snapshot, source) = try Self.slowSnapshot()
    let app = try app(MemoryCatalogue([snapshot]), viewWait: .milliseconds(20))
    let server = try Server(ServerOptions.onFreePort, handler: app)
    // Another thread builds the columns, or the first request that needs them does.
    if isPrepared {
      Thread.detachNewThread { try? snapshot.columns.prepare(snapshot) }
      source.isReading.wait()
    }
    for target in ["/window?where=year=3", "/strips/strip/facets?field=year"] {
      let head = try server.head(of: target)
      #expect(head.hasPrefix("HTTP/1.1 503 "))
      #expect(head.lowercased().contains("\r\nretry-after: 5\r\n"))
    }
    #expect(try server.head(of: "/window?width=300").hasPrefix("HTTP/1.1 200 "))
    source.goOn.signal()
    for target in ["/window?where=year=3", "/strips/strip/facets?field=year"] {
      while try !server.head(of: target).hasPrefix("HTTP/1.1 200 ") {}
    }
    #expect(source.passes == 1)
  }

  @Test func `a view does not wait for the columns of another strip`() throws {
    let (snapshot, source) = try Self.slowSnapshot()
    let app = try app(MemoryCatalogue([snapshot, Self.snapshot("other")]))
    Thread.detachNewThread { try? snapshot.columns.prepare(snapshot) }
    source.isReading.wait()
    let view = PendingResponse(app, "/window?strip=strip&where=year=3")
    #expect(app.get("/window?strip=other&where=year=3").json["count"] as? Int == 10)
    #expect(view.response == nil)
    source.goOn.signal()
    #expect(view.wait().json["count"] as? Int == 10)
  }

  @Test(arguments: ["/window?where=year=3", "/strips/strip/facets?field=year"])
  func `a view is computed at the newest revision if its revision is deleted while it waits`(
    _ target: String
  ) throws {
    let app = try app(DeletedCatalogue(Self.snapshot()))
    let isBlocked = try Blocker(app)
    let newest = PendingResponse(app, target)
    let pinned = PendingResponse(app, "\(target)&revision=7")
    isBlocked.end()
    #expect(pinned.wait().status == 410)
    #expect(newest.wait().status == 200)
    #expect(newest.wait().json["revision"] as? Int == 8)
  }
}

/// A catalogue whose strip is at revision 8. Only a refresh shows this. The items of revision 7 are
/// deleted.
private final class DeletedCatalogue: StripCatalogue {
  private let newest: Snapshot
  private let deleted: Snapshot
  private let isRefreshed = Atomic(false)

  init(_ snapshot: Snapshot) {
    func at(_ revision: Int64, _ source: any ItemSource) -> Snapshot {
      Snapshot(
        name: snapshot.name, settings: snapshot.settings, revision: revision, strip: snapshot.strip,
        source: source)
    }
    newest = at(8, snapshot.source)
    deleted = at(7, DeletedItems(items: snapshot.source))
  }

  func summaries(after: String?, limit: Int) -> [StripSummary] {
    [StripSummary(snapshot(of: nil, at: nil))]
  }
  func newestRevisions(of names: [String]) -> [String: Int64] { ["strip": 8] }
  func refresh(_ strip: String) { isRefreshed.store(true, ordering: .relaxed) }

  func snapshot(of name: String?, at revision: Int64?) -> Snapshot {
    revision == 7 || !isRefreshed.load(ordering: .relaxed) ? deleted : newest
  }

  func cachedSnapshot(of name: String?, at revision: Int64?) -> Snapshot? {
    snapshot(of: name, at: revision)
  }
}

extension ServerOptions {
  fileprivate static var onFreePort: ServerOptions {
    var options = ServerOptions()
    options.port = 0
    return options
  }
}

extension Server {
  /// The head of the response to `GET target`.
  fileprivate borrowing func head(of target: String) throws -> String {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    // A test fails if there is no response, and does not wait forever.
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(isConnected == 0)
    let request = Array("GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
    try #require(send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count)
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(socket, &part, part.count, 0)
      guard count > 0 else { break }
      bytes += part[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Occupies the thread that makes views.
private final class Blocker: Sendable {
  private let goOn = DispatchSemaphore(value: 0)

  init(_ app: App) throws {
    let isRunning = DispatchSemaphore(value: 0)
    var query = ViewQuery()
    try query.set(.filter, to: "id = none")
    let key = PendingView.Key.view(ViewCache.Key(query, of: "another"), revision: 0)
    let isAdded = app.views.add(key) { [goOn] in
      isRunning.signal()
      goOn.wait()
    }
    #expect(isAdded)
    isRunning.wait()
  }

  func end() { goOn.signal() }
}

/// A request that may not have its response yet.
private final class PendingResponse: Sendable {
  private let delivered = Mutex<Response?>(nil)
  private let isDelivered = DispatchSemaphore(value: 0)

  init(_ app: App, _ target: String) {
    switch app.answer(Request(.get, target)) {
    case .response(let response): deliver(response)
    case .deferred(let start): start(Responder { [self] in deliver($0) })
    }
  }

  var response: Response? { delivered.withLock { $0 } }

  func wait() -> Response {
    isDelivered.wait()
    isDelivered.signal()
    return response ?? Response(status: 599)
  }

  private func deliver(_ response: Response) {
    delivered.withLock { $0 = response }
    isDelivered.signal()
  }
}

/// Items of a snapshot. A read of all items for columns waits for a signal.
private final class SlowItems: ItemSource {
  private let items: any ItemSource
  let isReading = DispatchSemaphore(value: 0)
  let goOn = DispatchSemaphore(value: 0)
  private let passCount = Atomic(0)

  init(items: any ItemSource) { self.items = items }

  /// The number of reads of all items.
  var passes: Int { passCount.load(ordering: .relaxed) }

  func read(
    at sortKeys: [Int64], _ mode: ReadMode, _ take: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool {
    if sortKeys.count == items.sortKeys.count {
      passCount.add(1, ordering: .relaxed)
      isReading.signal()
      goOn.wait()
      goOn.signal()
    }
    return try items.read(at: sortKeys, mode, take)
  }

  var sortKeys: SortKeys { items.sortKeys }
  func items(at sortKeys: [Int64]) throws(CatalogueError) -> [Item] {
    try items.items(at: sortKeys)
  }
  func indices(of ids: [String]) throws(CatalogueError) -> [Int?] { try items.indices(of: ids) }
  var hasIndicesInMemory: Bool { items.hasIndicesInMemory }
}

/// The items of a deleted revision.
private struct DeletedItems: ItemSource {
  let items: any ItemSource

  private var error: CatalogueError { .revisionGone(7) }

  var sortKeys: SortKeys { items.sortKeys }
  func read(
    at sortKeys: [Int64], _ mode: ReadMode, _ take: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool {
    guard mode == .mayBlock else { return false }
    throw error
  }
  func items(at sortKeys: [Int64]) throws(CatalogueError) -> [Item] { throw error }
  func indices(of ids: [String]) throws(CatalogueError) -> [Int?] { throw error }
  var hasIndicesInMemory: Bool { false }
}
