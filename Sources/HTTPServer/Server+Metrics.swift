package import HTTP
import Synchronization

extension Server {
  /// Adds what each thread has in hand.
  package func addMetrics(to metrics: Metrics) {
    let readings: [(String, String, @Sendable (WorkerLoad) -> Int)] = [
      (
        "http_server_open_connections", "Connections open now.",
        { $0.connections.load(ordering: .relaxed) }
      ),
      (
        "http_server_active_requests", "Requests whose answer is being made.",
        { $0.late.load(ordering: .relaxed) }
      ),
      (
        "http_server_event_streams", "Event streams open now.",
        { $0.streams.load(ordering: .relaxed) }
      ),
    ]
    for (name, help, value) in readings {
      for worker in workers {
        metrics.gauge(name, help, labels: "{worker=\"\(worker.number)\"}") {
          [weak load = worker.load] in
          Double(load.map(value) ?? 0)
        }
      }
    }
    let bodies = bodies
    metrics.gauge("http_server_body_bytes", "Bytes of requests' bodies in hand.") {
      Double(bodies.taken)
    }
  }
}
