import HTTP

extension App {
  /// `GET /metrics`: for Prometheus.
  func metrics(_ request: Request) -> Response {
    Response(
      "text/plain; version=0.0.4; charset=utf-8", Array(metrics.text.utf8), fields: [.noStore])
  }

  /// Adds the metrics of this module.
  func addMetrics() {
    let windows = windows
    for (result, value) in [("hit", \WindowCache.hits), ("miss", \.misses)] {
      metrics.counter(
        "carousel_window_cache_requests_total", "Windows that were cached, and that were not.",
        labels: "{result=\"\(result)\"}"
      ) { Double(windows[keyPath: value]) }
    }
    let feed = feed
    metrics.gauge("carousel_event_listeners", "Open event streams.") {
      Double(feed.count)
    }
  }
}
