import Catalogue
import Dispatch
import Foundation
import HTTP
import Synchronization
import Testing
import Windowing

@testable import Serving

@Suite struct ViewWorkTests {
  private static func edition() throws -> Edition {
    var settings = StripSettings(title: "strip")
    settings.filterable = ["year"]
    let items = try (0..<100).map { number in
      try Item(
        id: "i\(number)", width: .px(40), fields: Fields([("year", .number("\(number % 10)"))]))
    }
    return try Edition(name: "strip", settings: settings, revision: 7, items: items)
  }

  @Test func `requests for one view share one build and other requests do not wait for it`() throws
  {
    let app = try app(MemoryCatalogue([Self.edition()]))
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
    #expect(app.views.buildCount == 1)
    // The view is in memory now.
    #expect(app.getAtOnce("/window?where=year=3&width=300")?.status == 200)
  }

  @Test func `a view is 503 with Retry-After if 64 others wait`() throws {
    let app = try app(MemoryCatalogue([Self.edition()]))
    let isBlocked = try Blocker(app)
    let waiting = (0..<63).map { PendingResponse(app, "/window?where=year%3E\($0)") }
    #expect(waiting.allSatisfy { $0.response == nil })
    for target in ["/window?where=year=3", "/strips/strip/facets?field=year"] {
      let rejected = app.get(target)
      #expect(rejected.status == 503)
      #expect(rejected["Retry-After"] == "1")
    }
    // A view that is waited for already takes no more room.
    let same = PendingResponse(app, "/window?where=year%3E5")
    #expect(same.response == nil)
    isBlocked.end()
    for reply in waiting + [same] { #expect(reply.wait().status == 200) }
    #expect(app.get("/window?where=year=3").status == 200)
  }

  @Test func `a view waits for the columns that another thread builds and no request thread does`()
    throws
  {
    let near = try Self.edition()
    let source = SlowItems(items: near.source)
    let edition = Edition(
      name: near.name, settings: near.settings, revision: near.revision, strip: near.strip,
      source: source)
    let app = try app(MemoryCatalogue([edition]))
    let isPrepared = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? edition.columns.prepare(edition)
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
}

/// Occupies the thread that makes views.
private final class Blocker: Sendable {
  private let goOn = DispatchSemaphore(value: 0)

  init(_ app: App) throws {
    let isRunning = DispatchSemaphore(value: 0)
    var query = ViewQuery()
    try query.set(.filter, to: "id = none")
    let key = ViewWork.Key.view(ViewCache.Key(query, of: "another"), revision: 0)
    let isAdded = app.viewWork.add(key) { [goOn] in
      isRunning.signal()
      goOn.wait()
    }
    #expect(isAdded)
    isRunning.wait()
  }

  func end() { goOn.signal() }
}

/// A request whose response may still be missing.
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
    return response ?? Response(status: 599)
  }

  private func deliver(_ response: Response) {
    delivered.withLock { $0 = response }
    isDelivered.signal()
  }
}

/// Items whose reading for columns waits for a signal.
private final class SlowItems: ItemSource {
  private let items: any ItemSource
  let isReading = DispatchSemaphore(value: 0)
  let goOn = DispatchSemaphore(value: 0)
  private let passCount = Atomic(0)

  init(items: any ItemSource) { self.items = items }

  /// How often all items were read.
  var passes: Int { passCount.load(ordering: .relaxed) }

  func read(_ range: Range<Int>, _ take: (ItemBytes) -> Void) throws(CatalogueError) {
    if range.count == items.keys.count {
      passCount.add(1, ordering: .relaxed)
      isReading.signal()
      goOn.wait()
      goOn.signal()
    }
    try items.read(range, take)
  }

  var keys: ItemKeys { items.keys }
  func contents(of range: Range<Int>) throws(CatalogueError) -> [ItemContent] {
    try items.contents(of: range)
  }
  func contents(at keys: [Int64]) throws(CatalogueError) -> [ItemContent] {
    try items.contents(at: keys)
  }
  func items(in range: Range<Int>) throws(CatalogueError) -> [Item] { try items.items(in: range) }
  func items(at keys: [Int64]) throws(CatalogueError) -> [Item] { try items.items(at: keys) }
  func index(of id: String) throws(CatalogueError) -> Int? { try items.index(of: id) }
  func cachedIndex(of id: String) throws(CatalogueError) -> CachedIndex {
    try items.cachedIndex(of: id)
  }
  func cachedRead(
    _ range: Range<Int>, _ take: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool { try items.cachedRead(range, take) }
  func cachedRead(
    at keys: [Int64], _ take: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool { try items.cachedRead(at: keys, take) }
}
