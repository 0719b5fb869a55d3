import Catalogue
import FoundationEssentials
import HTTP
import Windowing

extension App {
  /// `GET /livez`: the process runs.
  func liveness(_ request: Request) -> Response {
    Response("application/json", Array(#"{"status":"ok"}"#.utf8), fields: [.noStore])
  }

  /// `GET /readyz`: requests are welcome, and the first strip can be read.
  func readyz(
    _ request: Request, _ path: PathValues, in context: ReadContext
  ) throws(Problem) -> Attempt {
    switch readiness() {
    case .ready: break
    case .waiting: throw .unavailable("The catalogue is not available yet.")
    case .loading(let count, let total):
      throw .unavailable("The catalogue is being read: \(count) of \(total) items.")
    case .stopping: throw .unavailable("The server is about to stop.")
    }
    guard let first = try context.summaries(after: nil, limit: 1).first else {
      return .response(liveness(request))
    }
    return try context.read(first.name, at: nil) { edition throws(Problem) in
      guard try edition.read(0..<min(edition.strip.count, 1), context.mode, { _ in }) else {
        return .needs(.store)
      }
      return .response(liveness(request))
    }
  }
}

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

/// The OpenAPI description: `Public/openapi.json`, in which `{{version}}` stands for the program's version.
package struct InterfaceFile: Sendable {
  private let text: String?

  /// Reads the file at `path` once. The response is 404 if there is none.
  package init(path: String) {
    text = try? String(contentsOfFile: path, encoding: .utf8)
  }

  /// - Throws: 404 if there is no such file.
  func bytes(version: String) throws(Problem) -> [UInt8] {
    guard let text else {
      throw .notFound("The interface is not described: openapi.json is not in the folder of files.")
    }
    return Array(text.replacing("{{version}}", with: version).utf8)
  }
}

extension App {
  /// `GET /openapi.json`.
  func interface(_ request: Request) throws(Problem) -> Response {
    guard let file = interfaceFile else { throw .notFound("The interface is not described.") }
    return try ReadContext(app: self, mode: .cachedOnly)
      .response(try file.bytes(version: version), isPinned: false, to: request)
  }
}

/// Whether the server is ready for requests: what `/readyz` responds.
package enum Readiness: Sendable {
  case ready
  /// The catalogue is not available yet.
  case waiting
  /// So many of all items are loaded.
  case loading(Int, of: Int)
  case stopping
}
