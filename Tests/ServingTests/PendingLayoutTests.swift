import Catalogue
import Dispatch
import HTTP
import Items
import Serving
import Synchronization
import Testing
import Views
import Windowing

struct PendingLayoutTests {
  /// The window of a strip that is so long that another thread searches for its pools.
  private static func longStrip() -> Snapshot {
    let strip = Strip(
      kinds: ["card"],
      items: (0..<60_000).map {
        StripItem(size: ItemSize(aspect: .zero, width: .px(40 + $0 % 7)), kind: Kind(number: 0))
      })
    return Snapshot(
      name: "long", settings: StripSettings(title: "long"), revision: 7, strip: strip,
      source: Numbered())
  }

  @Test func `pools of a long strip are found on another thread, and known from then on`() throws {
    let snapshot = Self.longStrip()
    let app = try ServingTests.app(MemoryCatalogue([snapshot]))
    #expect(app.getAtOnce("/window?width=500") == nil)
    let response = app.get("/window?width=500")
    #expect(response.status == 200)
    #expect(
      response.json["pools"] as? [String: Int]
        == ["card": app.pools(of: snapshot, poolLength: .px(500))])
    #expect(app.getAtOnce("/window?width=500") != nil)
  }

  @Test func `a request is 503 if too many different pools are needed at once`() throws {
    let snapshot = Self.longStrip()
    let app = try ServingTests.app(MemoryCatalogue([snapshot]))
    let (isBlocked, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let pending = PendingLayout(snapshot, .strip(height: .px(8), wraps: false), poolLength: .px(1))
    let isAdded = app.layout.add(pending) {
      isBlocked.signal()
      goOn.wait()
    }
    #expect(isAdded)
    isBlocked.wait()
    // Each size class of a stretch is requested twice: the second request waits for the same search.
    let searches = (0..<17).flatMap { number in
      let width = (8 + number % 8) << (3 + number / 8)
      return (0..<2).map { _ in PendingResponse(app, "/window?width=\(width)") }
    }
    #expect(searches.compactMap { $0.response?.status } == [503, 503, 503, 503])
    goOn.signal()
    #expect(searches.count { $0.wait().status == 200 } == 30)
  }

  @Test func `a search does not begin for a client that has left`() throws {
    let snapshot = Self.longStrip()
    let app = try ServingTests.app(MemoryCatalogue([snapshot]))
    let read = PendingResponse(app, Request(.get, "/window?width=500"), isClientWaiting: { false })
    #expect(read.isDeferred && read.wait().status == 503)
    let line = SharedLayoutCache.Query(
      .strip(height: snapshot.settings.height, wraps: false), snapshot.settings)
    #expect(
      try snapshot.layouts.cachedLayout(line, of: snapshot.strip, poolLength: .px(500))
        == nil)
  }

  @Test func `a request waits for pools for a limited time`() throws {
    let snapshot = Self.longStrip()
    let app = try ServingTests.app(MemoryCatalogue([snapshot]), viewWait: .milliseconds(20))
    let goOn = DispatchSemaphore(value: 0)
    let pending = PendingLayout(snapshot, .strip(height: .px(8), wraps: false), poolLength: .px(1))
    #expect(app.layout.add(pending) { goOn.wait() })
    let response = app.get("/window?width=500")
    #expect(response.status == 503 && response["Retry-After"] == "5")
    goOn.signal()
  }
}

extension App {
  fileprivate func pools(of snapshot: Snapshot, poolLength: Length) -> Int {
    StripLayout(snapshot.strip, height: snapshot.settings.height, gap: snapshot.settings.gap)
      .pools(poolLength: poolLength)[Kind(number: 0)]
  }
}

/// Items with a number and no fields.
struct Numbered: NonblockingItemSource {
  var count: Int { .max }

  func read(at sortKeys: [Int64], _ body: (ItemBytes) -> Void) {
    for sortKey in sortKeys { ItemContent(id: "\(sortKey)", fields: Fields()).withBytes(body) }
  }

  func items(at sortKeys: [Int64]) throws(CatalogueError) -> [Item] {
    try sortKeys.map { sortKey throws(CatalogueError) in try Item(id: "\(sortKey)") }
  }

  func index(of id: String) -> Int? { Int(id) }
}
