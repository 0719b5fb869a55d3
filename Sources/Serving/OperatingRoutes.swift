import Catalogue
import FoundationEssentials
import HTTP
import Windowing

extension App {
  /// `GET /livez`: 200 while the process runs.
  func liveness(_ request: Request) -> Response { Self.health(writes: nil) }

  /// `GET /readyz`: 200 if the server is ready and the first strip can be read; otherwise 503. If
  /// changes are not possible now, the body says why.
  func readyz(_ context: ReadContext) throws(Problem) -> StepOutcome {
    switch readiness() {
    case .ready: break
    case .waiting: throw .unavailable("The catalogue is not available yet.")
    case .loading(let count, let total):
      throw .unavailable("The catalogue is loading: \(count) of \(total) items.")
    case .stopping: throw .unavailable("The server is about to stop.")
    }
    let ready = Self.health(writes: editor?.readOnlyReason)
    guard let strips = try context.summaries(after: nil, limit: 1) else { return .needs(.store) }
    guard let first = strips.first else { return .response(ready) }
    return try context.read(first.name, at: nil) { edition, context throws(Problem) in
      let isRead = try edition.read(0..<min(edition.strip.count, 1), context.mode) { _ in }
      return isRead ? .response(ready) : .needs(.store)
    }
  }

  private static func health(writes reason: String?) -> Response {
    let writes = reason.map { #","writes":"\#($0)""# } ?? ""
    return Response(
      "application/json", Array(#"{"status":"ok"\#(writes)}"#.utf8), fields: [.noStore])
  }

  func openAPI(_ request: Request) throws(Problem) -> Response {
    guard let interface else {
      throw .notFound("The interface is not described: openapi.json is not in the folder of files.")
    }
    return try interface.answer(to: request)
  }

  /// `GET /metrics`: the metrics in the Prometheus text format.
  func metrics(_ request: Request) -> Response {
    Response(
      "text/plain; version=0.0.4; charset=utf-8", Array(metrics.text.utf8), fields: [.noStore])
  }
}

package enum Readiness: Sendable {
  case ready
  /// The catalogue is not available yet.
  case waiting
  /// The number of items that are loaded, of all items.
  case loading(Int, of: Int)
  case stopping
}

// The metrics of the app. Those of one name follow each other.
extension App {
  func addMetrics() {
    let (windows, views, feed) = (windows, views, feed)
    func gauge(
      _ name: String, _ help: String, _ value: @autoclosure @escaping @Sendable () -> Int
    ) {
      metrics.gauge(name, help) { Double(value()) }
    }
    for (result, value) in [("hit", \WindowCache.hits), ("miss", \.misses)] {
      metrics.counter(
        "carousel_window_cache_requests_total", "Windows that were cached, and that were not.",
        labels: "{result=\"\(result)\"}"
      ) { Double(windows[keyPath: value]) }
    }
    gauge(
      "carousel_window_cache_bytes", "Bytes of cached windows, approximately.", windows.bytes.used)
    gauge(
      "carousel_window_cache_limit_bytes", "The most bytes of cached windows.", windows.bytes.limit)
    gauge("carousel_views_held", "Views in memory.", views.usage.count)
    gauge(
      "carousel_views_held_bytes", "Bytes of views in memory, approximately.", views.usage.bytes)
    gauge("carousel_views_limit_bytes", "The most bytes of views in memory.", views.usage.limit)
    metrics.counter("carousel_view_builds_total", "Views that were made from whole strips.") {
      Double(views.buildCount)
    }
    addQueueMetrics()
    addStoreMetrics()
    gauge("carousel_event_listeners", "Open event streams.", feed.count)
  }

  private func addQueueMetrics() {
    let queues: [(name: String, queue: any CountedQueue)] = [
      ("reads", reads), ("compressions", compressions), ("changes", changes),
      ("new_tokens", newTokens), ("searches", searches),
      ("views", viewWork), ("columns", columnWaits),
    ]
    for (name, queue) in queues {
      metrics.gauge(
        "carousel_queue_tasks", "Tasks that wait or run.", labels: "{queue=\"\(name)\"}"
      ) { Double(queue.count) }
    }
    for (name, queue) in queues {
      metrics.gauge(
        "carousel_queue_limit", "The most tasks that wait or run.", labels: "{queue=\"\(name)\"}"
      ) { Double(queue.limit) }
    }
    let keyed = queues.filter { $0.queue.keyLimit < $0.queue.limit }
    for (name, queue) in keyed {
      metrics.gauge(
        "carousel_queue_keys", "Different views, facets or pools among the tasks.",
        labels: "{queue=\"\(name)\"}"
      ) { Double(queue.keyCount) }
    }
    for (name, queue) in keyed {
      metrics.gauge(
        "carousel_queue_keys_limit", "The most different views, facets or pools.",
        labels: "{queue=\"\(name)\"}"
      ) { Double(queue.keyLimit) }
    }
  }

  private func addStoreMetrics() {
    guard let status = catalogue.status else { return }
    func gauge(
      _ name: String, _ help: String, _ value: @escaping @Sendable (StoreStatus) -> Double
    ) {
      metrics.gauge(name, help) { [catalogue] in catalogue.status.map(value) ?? 0 }
    }
    gauge("carousel_strips_held", "Strips in memory.") { Double($0.strips.count) }
    gauge("carousel_strips_held_bytes", "Bytes of strips in memory, approximately.") {
      Double($0.strips.bytes)
    }
    gauge("carousel_strips_limit_bytes", "The most bytes of strips in memory.") {
      Double($0.strips.limit)
    }
    gauge(
      "carousel_store_contact_age_seconds",
      "Seconds since the server last compared its strips with the store."
    ) { $0.contactAge / .seconds(1) }
    gauge("carousel_store_reachable", "Whether the store was reached within 15 seconds.") {
      $0.contactAge < .seconds(15) ? 1 : 0
    }
    gauge(
      "carousel_columns_pending_items",
      "Items of strips whose columns for views are being read or built."
    ) { Double($0.pendingItems) }
    metrics.counter(
      "carousel_damaged_rows_total", "Reads of the store that found a row damaged or missing."
    ) { [catalogue] in Double(catalogue.status?.damagedRows ?? 0) }
    if let editor {
      metrics.gauge("carousel_store_writable", "Whether nothing is known to prevent changes.") {
        editor.readOnlyReason == nil ? 1 : 0
      }
    }
    if let limit = status.pageCacheLimit {
      gauge("carousel_page_cache_limit_bytes", "The most bytes of SQLite's page caches.") { _ in
        Double(limit)
      }
    }
    gauge("carousel_store_bytes", "Bytes of the tables in the store, with free pages.") {
      Double($0.size?.bytes ?? 0)
    }
    gauge(
      "carousel_store_pending_deletions",
      "Deletions of old items, layouts and strips that maintenance has not finished."
    ) { Double($0.size?.pendingDeletions ?? 0) }
    guard status.logBytes != nil else { return }
    gauge("carousel_store_free_bytes", "Bytes of free pages in the SQLite file.") {
      Double($0.size?.freeBytes ?? 0)
    }
    gauge("carousel_store_wal_bytes", "Bytes of SQLite's write-ahead log.") {
      Double($0.logBytes ?? 0)
    }
  }
}
