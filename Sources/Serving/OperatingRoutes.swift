import Catalogue
import HTTP
import Views
import Windowing

extension App {
  /// `GET /livez`: 200 while the process runs.
  func liveness(_ request: Request) -> Response { Self.health(writes: nil) }

  /// `GET /readyz`: 200 if the server is ready and the first strip can be read; otherwise 503. If
  /// changes are not possible now, the body says why.
  func readyz(_ context: ReadContext) throws(Problem) -> Outcome {
    switch readiness() {
    case .ready: break
    case .waiting: throw .unavailable("The catalogue is not available yet.")
    case .loading(let count, let total):
      throw .unavailable("The catalogue is loading: \(count) of \(total) items.")
    case .stopping: throw .unavailable("The server is about to stop.")
    }
    let ready = Self.health(writes: editor?.readOnlyReason)
    let (found, reason) = try context.summaries(after: nil, limit: 1)
    guard let strips = found else { return .suspended(on: reason) }
    guard let first = strips.first else { return .response(ready) }
    return try context.withSnapshot(of: first.name, at: nil) { snapshot, context throws(Problem) in
      let isRead = try snapshot.read(0..<min(snapshot.strip.count, 1), context.mode) { _ in }
      return isRead ? .response(ready) : .suspended(on: .store)
    }
  }

  private static func health(writes reason: String?) -> Response {
    let writes = reason.map { #","writes":"\#($0)""# } ?? ""
    return Response(
      "application/json", Array(#"{"status":"ok"\#(writes)}"#.utf8), fields: [.noStore])
  }

  func openAPI(_ request: Request) throws(Problem) -> Response {
    guard let openAPIDocument else {
      throw .notFound("The interface is not described: openapi.json is not in the folder of files.")
    }
    return try openAPIDocument.response(to: request)
  }

  /// `GET /metrics`: the metrics in the Prometheus text format. Some are sizes and states of files.
  var metricsResult: HandlerResult {
    disk.result { [metrics] in
      .response(
        Response(
          "text/plain; version=0.0.4; charset=utf-8", Array(metrics.text.utf8), fields: [.noStore]))
    }
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
