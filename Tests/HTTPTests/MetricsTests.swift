import Testing

@testable import HTTP

@Suite struct MetricsTests {
  private func exchange(
    _ route: StaticString?, _ status: Int = 200, milliseconds: Int, _ method: HTTP.Method = .get
  ) -> Exchange {
    Exchange(
      request: Request(method, "/window?offset=1"), status: status, route: route, count: 10,
      nanoseconds: Int64(milliseconds) * 1_000_000)
  }

  @Test func `Durations of all workers are summed up by route, method and status`() {
    let metrics = Metrics(workers: 2)
    let route: StaticString = "/window"
    metrics.answered(exchange(route, milliseconds: 1), by: 0)
    metrics.answered(exchange(route, milliseconds: 30), by: 1)
    metrics.answered(exchange(route, 404, milliseconds: 1), by: 1)
    let name = "http_server_request_duration_seconds"
    let labels =
      "http_request_method=\"GET\",http_response_status_code=\"200\",http_route=\"/window\""
    let lines = metrics.text.split(separator: "\n")
    #expect(lines.contains("\(name)_bucket{\(labels),le=\"0.005\"} 1"))
    #expect(lines.contains("\(name)_bucket{\(labels),le=\"0.05\"} 2"))
    #expect(lines.contains("\(name)_bucket{\(labels),le=\"+Inf\"} 2"))
    #expect(lines.contains("\(name)_sum{\(labels)} 0.031"))
    #expect(lines.filter { $0.hasPrefix("\(name)_count") }.count == 2)
  }

  @Test func `Refusals are counted by reason, readings are read when asked for`() {
    let metrics = Metrics()
    metrics.refused(RejectedRequest(.foldedField))
    metrics.refused(RejectedRequest(.foldedField))
    metrics.gauge("streams", "Open.", labels: "{worker=\"0\"}") { 3 }
    metrics.gauge("streams", "Open.", labels: "{worker=\"1\"}") { 4.5 }
    let text = metrics.text
    #expect(text.contains("http_server_refusals_total{reason=\"foldedField\"} 2\n"))
    #expect(text.contains("http_server_refusals_total{reason=\"missingHost\"} 0\n"))
    #expect(
      text.hasSuffix(
        """
        # HELP streams Open.
        # TYPE streams gauge
        streams{worker="0"} 3
        streams{worker="1"} 4.5

        """))
  }

  @Test func `An answer has its route's pattern, whatever it says`() throws {
    let router = Router<Int>(
      [
        .get("/fine/{name}", { _, _, _ in .response(Response()) }),
        .get("/bad", { (_, _, _) throws(Problem) in throw .notFound("It is gone.") }),
      ])
    func route(_ target: String) -> String? {
      guard case .response(let response) = router.answer(Request(.get, target), in: 0) else {
        return nil
      }
      return response.route?.description
    }
    #expect(route("/fine/x") == "/fine/{name}")
    #expect(route("/bad") == "/bad")
    #expect(route("/nowhere") == nil)
  }
}
