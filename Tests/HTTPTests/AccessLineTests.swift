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

  @Test func `A request that went no further has a line, too`() {
    let line = AccessLine(.foldedField, from: .unknown, at: "2026-11-21T12:00:00.000Z")
    #expect(
      String(decoding: line.bytes, as: UTF8.self) == """
        {"time":"2026-11-21T12:00:00.000Z","refused":"foldedField","status":400,\
        "client":"\(Peer.unknown)"}

        """)
  }

  @Test func `Nothing that a client sends ends the line or fills the log`() {
    let hostile = line("/", [("User-Agent", "a\"b\\c\td\u{FF}é")])
    #expect(hostile.filter { $0 == "\n" }.count == 1)
    #expect(hostile.contains("\"user_agent\":\"a\\\"b\\\\c\\td\u{FF}é\""))
    #expect(line("/" + String(repeating: "a", count: 5000)).utf8.count < 1400)
  }
}
