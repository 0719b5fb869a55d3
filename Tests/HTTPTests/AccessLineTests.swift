import Testing

@testable import HTTP

@Suite struct AccessLineTests {
  private func line(_ target: String, _ headers: [(String, String)] = []) -> String {
    let exchange = Exchange(
      request: Request(.get, target, headers: headers), status: 200, route: "/window", count: 12,
      duration: .microseconds(41))
    let line = AccessLine(exchange, id: "made", at: "2026-11-21T12:00:00.000Z")
    return String(decoding: line.bytes, as: UTF8.self)
  }

  @Test func `A line says what was asked, answered and how long it took`() {
    #expect(
      line("/window?offset=1") == """
        {"time":"2026-11-21T12:00:00.000Z","method":"GET","target":"/window?offset=1",\
        "route":"/window","status":200,"bytes":12,"microseconds":41,"client":"\(Peer.unknown)",\
        "request_id":"made"}

        """)
  }

  @Test func `A request keeps its id and its trace, if it is one`() {
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    let kept = line("/", [("X-Request-Id", "from-proxy"), ("traceparent", trace)])
    #expect(kept.contains("\"request_id\":\"from-proxy\""))
    #expect(kept.contains("\"traceparent\":\"\(trace)\""))
    #expect(!line("/", [("traceparent", "00-zz")]).contains("traceparent"))
  }

  @Test func `Nothing that a client sends ends the line or fills the log`() {
    let hostile = line("/", [("X-Request-Id", "a\"b\\c\t"), ("User-Agent", "\u{FF}é")])
    #expect(hostile.filter { $0 == "\n" }.count == 1)
    #expect(hostile.contains("\"request_id\":\"a\\\"b\\\\c\""))
    #expect(line("/" + String(repeating: "a", count: 5000)).utf8.count < 1400)
  }
}
