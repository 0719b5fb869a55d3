import Synchronization

/// What the server has done so far, for Prometheus to read, by OpenTelemetry's names.
///
///     let metrics = Metrics(workers: 2)
///     metrics.gauge("http_server_open_connections", "Connections open now.") { daemon.count }
///     metrics.text    // the answer to GET /metrics
///
/// Each worker has counters of its own, which nobody else touches but a reader of ``text``.
///
/// - Complexity: an exchange costs a lock that nobody waits for and a look at the few series there
///   are.
package final class Metrics: Observer {
  private final class Shard: Sendable {
    let series = Mutex<[RequestSeries]>([])
  }

  /// A number read when it is asked for.
  private struct Reading: Sendable {
    let name: String
    let help: String
    let kind: String
    let labels: String
    let value: @Sendable () -> Double
  }

  private let shards: [Shard]
  private let readings = Mutex<[Reading]>([])
  private let refusals = Mutex<[RejectionReason: Int]>([:])

  package init(workers: Int = 1) {
    shards = (0..<max(workers, 1)).map { _ in Shard() }
  }

  package func answered(_ exchange: Exchange, by worker: Int) {
    shards[worker % shards.count].series.withLock { series in
      // By index, so that no series is copied to be looked at.
      var place = 0
      while place < series.count, !series[place].counts(exchange) { place += 1 }
      if place < series.count {
        series[place].add(exchange.nanoseconds)
      } else {
        var fresh = RequestSeries(of: exchange)
        fresh.add(exchange.nanoseconds)
        series.append(fresh)
      }
    }
  }

  package func refused(_ refused: RejectedRequest) {
    refusals.withLock { $0[refused.refusal, default: 0] += 1 }
  }

  /// Adds a number that goes up and down.
  package func gauge(
    _ name: String, _ help: String, labels: String = "", _ value: @escaping @Sendable () -> Double
  ) {
    add(Reading(name: name, help: help, kind: "gauge", labels: labels, value: value))
  }

  /// Adds a number that only goes up.
  package func counter(
    _ name: String, _ help: String, labels: String = "", _ value: @escaping @Sendable () -> Double
  ) {
    add(Reading(name: name, help: help, kind: "counter", labels: labels, value: value))
  }

  private func add(_ reading: Reading) { readings.withLock { $0.append(reading) } }

  /// Everything in Prometheus's text format, version 0.0.4.
  package var text: String {
    var text = requestText
    text += Self.heading(
      "http_server_refusals_total", "Requests that went no further than the gate and the limits.",
      kind: "counter")
    let refusals = refusals.withLock { $0 }
    for refusal in RejectionReason.allCases {
      text += "http_server_refusals_total{reason=\"\(refusal)\"} \(refusals[refusal] ?? 0)\n"
    }
    var named = ""
    for reading in readings.withLock({ $0 }) {
      // Readings of one name stand together, under one heading.
      if reading.name != named {
        text += Self.heading(reading.name, reading.help, kind: reading.kind)
        named = reading.name
      }
      text += "\(reading.name)\(reading.labels) \(Self.number(reading.value()))\n"
    }
    return text
  }

  private var requestText: String {
    var sums: [RequestSeries] = []
    for shard in shards {
      for series in shard.series.withLock({ $0 }) {
        if let place = sums.firstIndex(where: { $0.counts(series) }) {
          sums[place].add(series)
        } else {
          sums.append(series)
        }
      }
    }
    let name = "http_server_request_duration_seconds"
    return sums.reduce(
      Self.heading(name, "Seconds from a request to its answer.", kind: "histogram")
    ) { $0 + $1.text(name) }
  }

  private static func heading(_ name: String, _ help: String, kind: String) -> String {
    "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
  }

  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map(String.init) ?? "\(value)"
  }
}
