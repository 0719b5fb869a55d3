import Synchronization

/// A request and its response, for observers.
package struct Exchange: Sendable {
  package let request: Request
  package let id: String?
  package let status: Int
  /// The pattern of the route that answered. Nil if no route did.
  package let route: StaticString?
  /// The number of bytes of the body; 0 for an event stream.
  package let count: Int
  /// The time from the complete request to the start of the response.
  package let nanoseconds: Int64

  package init(
    request: Request, id: String? = nil, status: Int, route: StaticString?, count: Int,
    nanoseconds: Int64
  ) {
    self.request = request
    self.id = id
    self.status = status
    self.route = route
    self.count = count
    self.nanoseconds = nanoseconds
  }
}

/// Observes requests, for metrics and logs. The server's threads call it, so it must not block.
package protocol Observer: Sendable {
  /// A worker starts to send a response.
  func completed(_ exchange: Exchange)
  /// The request does not reach the handler.
  func rejected(_ request: RejectedRequest)
}

/// Counts requests and rejections, and writes all metrics. Their names follow OpenTelemetry.
///
///     let metrics = Metrics()
///     metrics.add("http_server_open_connections", "Connections open now.", server.count)
///     metrics.text    // the body of GET /metrics
///
/// - Complexity: for each exchange, one lock and a linear search through a few series.
package final class Metrics: Observer {
  /// A metric whose values are computed when it is read.
  private struct Reading: Sendable {
    let name: String
    let help: String
    let values: @Sendable () -> [(labels: String, value: Double)]
  }

  private let series = Mutex<[RequestSeries]>([])
  private let readings = Mutex<[Reading]>([])
  /// The number of rejections by status.
  private let rejections = Mutex(
    Dictionary(RejectionReason.allCases.map { ($0.status, 0) }, uniquingKeysWith: +))

  package init() {}

  package func completed(_ exchange: Exchange) {
    let key = RequestSeries.Key(exchange)
    series.withLock { series in
      // An index, because iterating over elements would copy each histogram.
      for index in series.indices where series[index].key == key {
        return series[index].add(exchange.nanoseconds)
      }
      series.append(RequestSeries(key: key))
      series[series.count - 1].add(exchange.nanoseconds)
    }
  }

  package func rejected(_ request: RejectedRequest) {
    rejections.withLock { $0[request.status, default: 0] += 1 }
  }

  /// Adds a metric: a counter if its name ends with `_total`, or else a gauge. `values` is called for each reading. The
  /// metric is left out while it has none.
  package func add(
    _ name: String, _ help: String,
    _ values: @escaping @Sendable () -> [(labels: String, value: Double)]
  ) {
    readings.withLock { $0.append(Reading(name: name, help: help, values: values)) }
  }

  package func add(
    _ name: String, _ help: String, _ value: @autoclosure @escaping @Sendable () -> Double?
  ) {
    add(name, help) { value().map { [("", $0)] } ?? [] }
  }

  package func add(
    _ name: String, _ help: String, _ value: @autoclosure @escaping @Sendable () -> Int?
  ) {
    add(name, help) { value().map { [("", Double($0))] } ?? [] }
  }

  /// Adds a metric with a value for each of several values of a label.
  package func add(
    _ name: String, _ help: String, by label: String,
    _ values: @autoclosure @escaping @Sendable () -> [(String, Int)]
  ) {
    add(name, help) { values().map { ("{\(label)=\"\($0)\"}", Double($1)) } }
  }

  /// All metrics in the Prometheus text format, version 0.0.4.
  package var text: String {
    let name = "http_server_request_duration_seconds"
    var text = Self.heading(name, "Seconds from a request to its answer.", kind: "histogram")
    for series in series.withLock({ $0 }) { text += series.text(name) }
    text += Self.heading(
      "http_server_rejected_requests_total", "Requests rejected before they reached a handler.",
      kind: "counter")
    for (status, count) in rejections.withLock({ $0.sorted { $0.key < $1.key } }) {
      text +=
        "http_server_rejected_requests_total{http_response_status_code=\"\(status)\"} \(count)\n"
    }
    for reading in readings.withLock({ $0 }) {
      let values = reading.values()
      if values.isEmpty { continue }
      let kind = reading.name.hasSuffix("_total") ? "counter" : "gauge"
      text += Self.heading(reading.name, reading.help, kind: kind)
      for (labels, value) in values { text += "\(reading.name)\(labels) \(Self.number(value))\n" }
    }
    return text
  }

  private static func heading(_ name: String, _ help: String, kind: String) -> String {
    "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
  }

  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map(String.init) ?? "\(value)"
  }
}

/// A histogram of the durations of requests with the same route, method and status.
private struct RequestSeries: Sendable {
  struct Key: Equatable, Sendable {
    let route: StaticString?
    let method: Method
    let status: Int

    init(_ exchange: Exchange) {
      route = exchange.route
      method = exchange.request.method
      status = exchange.status
    }

    /// Routes are compared by the address of their pattern in the program.
    static func == (one: Key, other: Key) -> Bool {
      one.status == other.status && one.method == other.method
        && one.route?.utf8Start == other.route?.utf8Start
    }
  }

  let key: Key
  private var counts = [Int](repeating: 0, count: bounds.count + 1)
  private var nanoseconds: Int64 = 0

  /// The upper bounds, in seconds as text and in nanoseconds. OpenTelemetry recommends those from
  /// 5 ms on. Shorter ones are added, because most responses take less than a millisecond.
  private static let bounds: [(text: String, nanoseconds: Int64)] = [
    "0.00005", "0.0001", "0.00025", "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05",
    "0.075", "0.1", "0.25", "0.5", "0.75", "1", "2.5", "5", "7.5", "10",
  ].map { ($0, Int64(((Double($0) ?? 0) * 1e9).rounded())) }

  init(key: Key) { self.key = key }

  mutating func add(_ duration: Int64) {
    let bucket = Self.bounds.firstIndex { duration <= $0.nanoseconds } ?? Self.bounds.count
    counts[bucket] += 1
    nanoseconds += duration
  }

  func text(_ name: String) -> String {
    var labels =
      "http_request_method=\"\(key.method.rawValue)\",http_response_status_code=\"\(key.status)\""
    if let route = key.route { labels += ",http_route=\"\(route)\"" }
    var text = ""
    var sum = 0
    for (bound, count) in zip(Self.bounds.map(\.text) + ["+Inf"], counts) {
      sum += count
      text += "\(name)_bucket{\(labels),le=\"\(bound)\"} \(sum)\n"
    }
    text += "\(name)_sum{\(labels)} \(Double(nanoseconds) / 1e9)\n"
    return text + "\(name)_count{\(labels)} \(sum)\n"
  }
}
