import HTTP

extension App {
  /// `GET /metrics`: what the server has done so far, for Prometheus.
  func metrics(_ request: Request, _ path: PathValues) -> Response {
    Response(
      "text/plain; version=0.0.4; charset=utf-8", Array(metrics.text.utf8), fields: [.noStore])
  }

  /// Adds what only a site knows.
  func addMetrics() {
    let windows = windows
    for (result, value) in [("hit", \WindowCache.hits), ("miss", \.misses)] {
      metrics.counter(
        "carousel_window_cache_requests_total", "Windows found kept, and not.",
        labels: "{result=\"\(result)\"}"
      ) { Double(windows[keyPath: value]) }
    }
    let feed = feed
    metrics.gauge("carousel_event_listeners", "Event streams that hear of revisions.") {
      Double(feed.count)
    }
  }
}
