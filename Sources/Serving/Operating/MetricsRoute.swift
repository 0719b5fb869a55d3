import Catalogue
import HTTP

extension App {
  /// `GET /metrics`: the metrics in the Prometheus text format.
  func metrics(_ request: Request) -> Response {
    Response(
      "text/plain; version=0.0.4; charset=utf-8", Array(metrics.text.utf8), fields: [.noStore])
  }

  func addMetrics() {
    let windows = windows
    for (result, value) in [("hit", \WindowCache.hits), ("miss", \.misses)] {
      metrics.counter(
        "carousel_window_cache_requests_total", "Windows that were cached, and that were not.",
        labels: "{result=\"\(result)\"}"
      ) { Double(windows[keyPath: value]) }
    }
    metrics.gauge("carousel_window_cache_bytes", "Bytes of cached windows, approximately.") {
      Double(windows.bytes.used)
    }
    metrics.gauge("carousel_window_cache_limit_bytes", "The most bytes of cached windows.") {
      Double(windows.bytes.limit)
    }
    addViewMetrics()
    addQueueMetrics()
    addStoreMetrics()
    let feed = feed
    metrics.gauge("carousel_event_listeners", "Open event streams.") {
      Double(feed.count)
    }
  }

  private func addViewMetrics() {
    let views = views
    metrics.gauge("carousel_views_held", "Views in memory.") { Double(views.usage.count) }
    metrics.gauge("carousel_views_held_bytes", "Bytes of views in memory, approximately.") {
      Double(views.usage.bytes)
    }
    metrics.gauge("carousel_views_limit_bytes", "The most bytes of views in memory.") {
      Double(views.usage.limit)
    }
    metrics.counter("carousel_view_builds_total", "Views that were made from whole strips.") {
      Double(views.buildCount)
    }
  }

  private func addQueueMetrics() {
    let (reads, changes, newTokens) = (reads, changes, newTokens)
    let (searches, viewWork, columnWaits) = (searches, viewWork, columnWaits)
    let queues: [(name: String, count: @Sendable () -> Int, limit: Int)] = [
      ("reads", { reads.count }, reads.limit), ("changes", { changes.count }, changes.limit),
      ("new_tokens", { newTokens.count }, newTokens.limit),
      ("searches", { searches.count }, searches.limit),
      ("views", { viewWork.count }, viewWork.limit),
      ("columns", { columnWaits.count }, columnWaits.limit),
    ]
    for (name, count, _) in queues {
      metrics.gauge(
        "carousel_queue_tasks", "Tasks that wait or run.", labels: "{queue=\"\(name)\"}"
      ) { Double(count()) }
    }
    for (name, _, limit) in queues {
      metrics.gauge(
        "carousel_queue_limit", "The most tasks that wait or run.", labels: "{queue=\"\(name)\"}"
      ) { Double(limit) }
    }
  }

  private func addStoreMetrics() {
    guard let status = catalogue.status else { return }
    storeGauge("carousel_strips_held", "Strips in memory.") { Double($0.strips.count) }
    storeGauge("carousel_strips_held_bytes", "Bytes of strips in memory, approximately.") {
      Double($0.strips.bytes)
    }
    storeGauge("carousel_strips_limit_bytes", "The most bytes of strips in memory.") {
      Double($0.strips.limit)
    }
    storeGauge(
      "carousel_store_contact_age_seconds",
      "Seconds since the server last compared its strips with the store."
    ) { $0.contactAge / .seconds(1) }
    storeGauge("carousel_store_reachable", "Whether the store was reached within 15 seconds.") {
      $0.contactAge < .seconds(15) ? 1 : 0
    }
    storeGauge(
      "carousel_columns_pending_items",
      "Items of strips whose columns for views are being read or built."
    ) { Double($0.pendingItems) }
    if let editor {
      metrics.gauge("carousel_store_writable", "Whether nothing is known to prevent changes.") {
        editor.readOnlyReason == nil ? 1 : 0
      }
    }
    guard status.logBytes != nil else { return }
    storeGauge("carousel_store_wal_bytes", "Bytes of SQLite's write-ahead log.") {
      Double($0.logBytes ?? 0)
    }
  }

  private func storeGauge(
    _ name: String, _ help: String, _ figure: @escaping @Sendable (StoreStatus) -> Double
  ) {
    metrics.gauge(name, help) { [catalogue] in catalogue.status.map(figure) ?? 0 }
  }
}
