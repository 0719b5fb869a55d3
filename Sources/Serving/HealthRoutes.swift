import Catalogue
import HTTP
import Windowing

extension App {
  /// `GET /livez`: the process runs.
  func liveness(_ request: Request, _ path: PathValues) -> Response {
    Response("application/json", Array(#"{"status":"ok"}"#.utf8), fields: [.noStore])
  }

  /// `GET /readyz`: requests are welcome, and what the first strip shows can be read.
  func readyz(_ request: Request, _ path: PathValues) throws(Problem) -> Response {
    switch readiness() {
    case .ready: break
    case .waiting: throw .unavailable("The catalogue is not to be had yet.")
    case .loading(let count, let total):
      throw .unavailable("The catalogue is being read: \(count) of \(total) items.")
    case .stopping: throw .unavailable("The server is about to stop.")
    }
    if let first = try open.summaries(after: nil, limit: 1).first?.name {
      _ = try open.reading(first, at: nil) { edition throws(Problem) in
        try edition.contents(of: 0..<min(edition.strip.count, 1))
      }
    }
    return liveness(request, path)
  }
}
