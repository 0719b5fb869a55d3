import HTTP
import Testing

@Suite struct MetricsTests {
  private func exchange(
    _ route: StaticString?, _ status: Int = 200, milliseconds: Int, _ method: HTTP.Method = .get
  ) -> Exchange {
    Exchange(
      request: Request(method, "/window?offset=1"), status: status, route: route, count: 10,
      nanoseconds: Int64(milliseconds) * 1_000_000)
  }

  @Test func `durations are summed by route, method and status`() {
    let metrics = Metrics()
    let route: StaticString = "/window"
    metrics.completed(exchange(route, milliseconds: 1))
    metrics.completed(exchange(route, milliseconds: 30))
    metrics.completed(exchange(route, 404, milliseconds: 1))
    let name = "http_server_request_duration_seconds"
    let labels =
      "http_request_method=\"GET\",http_response_status_code=\"200\",http_route=\"/window\""
    let lines = metrics.text.split(separator: "\n")
    #expect(lines.contains("\(name)_bucket{\(labels),le=\"0.00005\"} 0"))
    #expect(lines.contains("\(name)_bucket{\(labels),le=\"0.001\"} 1"))
    #expect(lines.contains("\(name)_bucket{\(labels),le=\"0.005\"} 1"))
    #expect(lines.contains("\(name)_bucket{\(labels),le=\"0.05\"} 2"))
    #expect(lines.contains("\(name)_bucket{\(labels),le=\"+Inf\"} 2"))
    #expect(lines.contains("\(name)_sum{\(labels)} 0.031"))
    #expect(lines.filter { $0.hasPrefix("\(name)_count") }.count == 2)
  }

  @Test func `rejections are counted by status, and gauges are read on request`() {
    let metrics = Metrics()
    metrics.rejected(RejectedRequest(.obsFold))
    metrics.rejected(RejectedRequest(status: 400))
    metrics.add("streams", "Open.", by: "worker", [("0", 3), ("1", 4)])
    metrics.add("absent", "Left out.", nil as Int?)
    metrics.add("seconds_total", "Used.", 4.5)
    let text = metrics.text
    #expect(
      text.contains("http_server_rejected_requests_total{http_response_status_code=\"400\"} 2\n"))
    #expect(
      text.contains("http_server_rejected_requests_total{http_response_status_code=\"414\"} 0\n"))
    #expect(
      text.hasSuffix(
        """
        # HELP streams Open.
        # TYPE streams gauge
        streams{worker="0"} 3
        streams{worker="1"} 4
        # HELP seconds_total Used.
        # TYPE seconds_total counter
        seconds_total 4.5

        """))
  }
}
