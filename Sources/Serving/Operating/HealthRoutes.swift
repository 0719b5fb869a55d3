import Catalogue
import HTTP
import Windowing

extension App {
  /// `GET /livez`: 200 while the process runs.
  func liveness(_ request: Request) -> Response {
    Response("application/json", Array(#"{"status":"ok"}"#.utf8), fields: [.noStore])
  }

  /// `GET /readyz`: 200 if the server is ready and the first strip can be read; otherwise 503.
  func readyz(
    _ request: Request, _ path: PathValues, in context: ReadContext
  ) throws(Problem) -> StepOutcome {
    switch readiness() {
    case .ready: break
    case .waiting: throw .unavailable("The catalogue is not available yet.")
    case .loading(let count, let total):
      throw .unavailable("The catalogue is loading: \(count) of \(total) items.")
    case .stopping: throw .unavailable("The server is about to stop.")
    }
    guard let strips = try context.summaries(after: nil, limit: 1) else { return .needs(.store) }
    guard let first = strips.first else { return .response(readiness(request)) }
    return try context.read(first.name, at: nil) {
      [self] edition, context throws(Problem) in
      guard try edition.read(0..<min(edition.strip.count, 1), context.mode, { _ in }) else {
        return .needs(.store)
      }
      return .response(readiness(request))
    }
  }

  /// 200. If changes are not possible now, the body says why.
  private func readiness(_ request: Request) -> Response {
    guard let readOnlyReason = editor?.readOnlyReason else { return liveness(request) }
    let body = #"{"status":"ok","writes":"\#(readOnlyReason)"}"#
    return Response("application/json", Array(body.utf8), fields: [.noStore])
  }
}

/// Whether the server is ready for requests, for `/readyz`.
package enum Readiness: Sendable {
  case ready
  /// The catalogue is not available yet.
  case waiting
  /// The number of items that are loaded, and the number of all items.
  case loading(Int, of: Int)
  case stopping
}
