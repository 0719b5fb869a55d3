import Testing

@testable import HTTP

@Suite struct AccessLineTests {
  private func line(_ target: String, _ headers: [(String, String)] = []) -> String {
    let exchange = Exchange(
      request: Request(.get, target, headers: headers), id: "made", status: 200, route: "/window",
      count: 12, nanoseconds: 41_000)
    let line = AccessLine(exchange, at: "2026-11-21T12:00:00.000Z")
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

  @Test(arguments: [
    ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
    ("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", true),
    ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", false),
    ("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
    ("00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
    ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
    ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false),
    ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331", false), ("00-zz", false),
  ])
  func `A request keeps its trace as it came, if it is one`(_ trace: String, _ isOne: Bool) {
    #expect(
      line("/", [("traceparent", trace)]).contains("\"traceparent\":\"\(trace)\"") == isOne)
  }

  @Test func `What ends lines, turns writing or steers a terminal is escaped`() {
    let agent = "a\u{9B}31m\u{85}\u{2028}\u{202E}\u{E0001}é"
    #expect(
      line("/", [("User-Agent", agent)])
        .contains(#""user_agent":"a\u009b31m\u0085\u2028\u202e\udb40\udc01é""#))
  }

  @Test func `A request that went no further has a line, too`() {
    func line(_ refused: RejectedRequest) -> String {
      let line = AccessLine(refused, at: "2026-11-21T12:00:00.000Z")
      return String(decoding: line.bytes, as: UTF8.self)
    }
    #expect(
      line(RejectedRequest(.malformedRequestLine)) == """
        {"time":"2026-11-21T12:00:00.000Z","refused":"malformedRequestLine","status":400}

        """)
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    let head = "GET /a\u{1}b HTTP/1.1\r\nX-Request-Id: c\r\ntraceparent: \(trace)\r\n\r\n"
    let refused = RejectedRequest(
      .malformedTarget, from: Peer(ipv4: 0x7F00_0001), glimpse: PartialHead(of: Array(head.utf8)),
      id: "made")
    #expect(
      line(refused) == """
        {"time":"2026-11-21T12:00:00.000Z","method":"GET","target":"/a\\u0001b",\
        "refused":"malformedTarget","status":400,"client":"127.0.0.1","request_id":"c",\
        "traceparent":"\(trace)"}

        """)
  }

  @Test func `Nothing that a client sends ends the line or fills the log`() {
    let hostile = line("/", [("User-Agent", "a\"b\\c\td\u{FF}é")])
    #expect(hostile.filter { $0 == "\n" }.count == 1)
    #expect(hostile.contains("\"user_agent\":\"a\\\"b\\\\c\\td\u{FF}é\""))
    #expect(line("/" + String(repeating: "a", count: 5000)).utf8.count < 1400)
  }
}
