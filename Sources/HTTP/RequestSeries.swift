/// How long the requests of one route, method and status took: a histogram.
struct RequestSeries: Sendable {
  private let route: StaticString?
  private let method: Method
  private let status: Int
  private var counts = [Int](repeating: 0, count: bounds.count + 1)
  private var nanoseconds: Int64 = 0

  /// The upper bounds that OpenTelemetry asks for, in seconds as text and in nanoseconds.
  private static let bounds: [(text: String, nanoseconds: Int64)] = [
    ("0.005", 5_000_000), ("0.01", 10_000_000), ("0.025", 25_000_000), ("0.05", 50_000_000),
    ("0.075", 75_000_000), ("0.1", 100_000_000), ("0.25", 250_000_000), ("0.5", 500_000_000),
    ("0.75", 750_000_000), ("1", 1_000_000_000), ("2.5", 2_500_000_000),
    ("5", 5_000_000_000), ("7.5", 7_500_000_000), ("10", 10_000_000_000),
  ]

  init(of exchange: Exchange) {
    route = exchange.route
    method = exchange.request.method
    status = exchange.status
  }

  /// Whether `exchange` belongs here.
  func counts(_ exchange: Exchange) -> Bool {
    status == exchange.status && method == exchange.request.method
      && Self.isSame(route, exchange.route)
  }

  /// Whether `other` counts the same requests.
  func counts(_ other: RequestSeries) -> Bool {
    status == other.status && method == other.method && Self.isSame(route, other.route)
  }

  mutating func add(_ time: Int64) {
    let bucket = Self.bounds.firstIndex { time <= $0.nanoseconds } ?? Self.bounds.count
    counts[bucket] += 1
    nanoseconds += time
  }

  mutating func add(_ other: RequestSeries) {
    for bucket in counts.indices { counts[bucket] += other.counts[bucket] }
    nanoseconds += other.nanoseconds
  }

  /// The lines of the histogram `name`.
  func text(_ name: String) -> String {
    var labels =
      "http_request_method=\"\(method.rawValue)\",http_response_status_code=\"\(status)\""
    if let route { labels += ",http_route=\"\(route)\"" }
    var text = ""
    var sum = 0
    for (bound, count) in zip(Self.bounds.map(\.text) + ["+Inf"], counts) {
      sum += count
      text += "\(name)_bucket{\(labels),le=\"\(bound)\"} \(sum)\n"
    }
    text += "\(name)_sum{\(labels)} \(Double(nanoseconds) / 1e9)\n"
    return text + "\(name)_count{\(labels)} \(sum)\n"
  }

  /// Routes are told apart by where their patterns stand in the program.
  private static func isSame(_ one: StaticString?, _ other: StaticString?) -> Bool {
    one?.utf8Start == other?.utf8Start
  }
}
