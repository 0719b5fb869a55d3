package import HTTP

extension Daemon {
  /// Adds what each thread has in hand.
  package func addMetrics(to metrics: Metrics) {
    let readings: [(String, String, @Sendable (Worker) -> Int)] = [
      ("http_server_open_connections", "Connections open now.", { $0.connectionCount }),
      ("http_server_active_requests", "Requests whose answer is being made.", { $0.lateCount }),
      ("http_server_event_streams", "Event streams open now.", { $0.streamCount }),
    ]
    for (name, help, value) in readings {
      for worker in workers {
        metrics.gauge(name, help, labels: "{worker=\"\(worker.number)\"}") { [weak worker] in
          Double(worker.map(value) ?? 0)
        }
      }
    }
    let bodies = bodies
    metrics.gauge("http_server_body_bytes", "Bytes of requests' bodies in hand.") {
      Double(bodies.taken)
    }
  }
}
