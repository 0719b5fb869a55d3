import Catalogue
import Dispatch
import Foundation
import HTTP
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
    // Another thread builds the columns, or the first request that needs them does.
    if isPrepared {
      Thread.detachNewThread { try? snapshot.columns.prepare(snapshot) }
      source.isReading.wait()
    }
    for target in ["/window?where=year=3", "/strips/strip/facets?field=year"] {
      let rejected = app.get(target)
      #expect(rejected.status == 503 && rejected["Retry-After"] == "5")
    }
    #expect(app.getAtOnce("/window?width=300")?.status == 200)
    source.goOn.signal()
    for target in ["/window?where=year=3", "/strips/strip/facets?field=year"] {
      while app.get(target).status != 200 {}
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
