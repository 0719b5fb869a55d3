import HTTP
import Testing

@Suite struct AccessLogEntryTests {
  private func line(_ target: String, _ headers: [(String, String)] = []) -> String {
    let exchange = Exchange(
      request: Request(.get, target, headers: headers), id: "made", status: 200, route: "/window",
      count: 12, nanoseconds: 41_000)
    let line = AccessLogEntry(exchange, at: "2026-11-21T12:00:00.000Z")
    return String(decoding: line.bytes, as: UTF8.self)
  }

  @Test func `an entry has the request, the answer and the duration`() {
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
  func `an entry repeats a valid traceparent and omits an invalid one`(
    _ trace: String, _ isValid: Bool
  ) {
    #expect(line("/", [("traceparent", trace)]).contains("\"traceparent\":\"\(trace)\"") == isValid)
  }

  @Test func `invisible characters are escaped`() {
    let agent = "a\u{9B}31m\u{85}\u{2028}\u{202E}\u{E0001}é"
    #expect(
      line("/", [("User-Agent", agent)])
        .contains(#""user_agent":"a\u009b31m\u0085\u2028\u202e\udb40\udc01é""#))
  }

  @Test func `a rejected request has an entry`() {
    func line(_ rejected: RejectedRequest) -> String {
      let line = AccessLogEntry(rejected, at: "2026-11-21T12:00:00.000Z")
      return String(decoding: line.bytes, as: UTF8.self)
    }
    #expect(
      line(RejectedRequest(.malformedRequestLine)) == """
        {"time":"2026-11-21T12:00:00.000Z","refused":"malformedRequestLine","status":400}

        """)
    #expect(
      line(RejectedRequest(status: 431)) == """
        {"time":"2026-11-21T12:00:00.000Z","refused":"libmicrohttpd","status":431}

        """)
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    let head = "GET /a\u{1}b HTTP/1.1\r\nX-Request-Id: c\r\ntraceparent: \(trace)\r\n\r\n"
    let rejected = RejectedRequest(
      .malformedTarget, from: Peer(ipv4: 0x7F00_0001), head: PartialHead(Array(head.utf8)),
      id: "made")
    #expect(
      line(rejected) == """
        {"time":"2026-11-21T12:00:00.000Z","method":"GET","target":"/a\\u0001b",\
        "refused":"malformedTarget","status":400,"client":"127.0.0.1","request_id":"c",\
        "traceparent":"\(trace)"}

        """)
  }

  @Test func `text from the client is escaped and truncated`() {
    let escaped = line("/", [("User-Agent", "a\"b\\c\td\u{FF}é")])
    #expect(escaped.filter { $0 == "\n" }.count == 1)
    #expect(escaped.contains("\"user_agent\":\"a\\\"b\\\\c\\td\u{FF}é\""))
    #expect(line("/" + String(repeating: "a", count: 5000)).utf8.count < 1400)
  }
}
