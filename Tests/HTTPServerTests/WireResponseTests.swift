import HTTP
import HTTPServer
import Testing

@Suite struct WireResponseTests {
  private struct ReusingHandler: Handler {
    let tag = EntityTag("a")
    let reusable: Response

    init() {
      reusable = Response(
        "text/plain", [UInt8](repeating: 65, count: 100_000), fields: [Field("ETag", tag.value)]
      ).preparedForReuse()
    }

    func handle(_ request: Request) -> HandlerResult {
      .response(reusable.conditional(on: request, tag))
    }
  }

  @Test func `a prepared response is sent many times, by several threads, and as 304`() throws {
    let server = RunningServer(handler: ReusingHandler()) { $0.threads = 2 }
    let port = server.port
    let threads = try (0..<4).map { _ in
      try Background {
        guard let client = try? RawClient(port: port) else { return }
        for _ in 0..<50 {
          client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
          let response = client.response()
          #expect(response?.status == 200)
          #expect(response?.body.count == 100_000)
          #expect(response?.body.allSatisfy { $0 == 65 } == true)
          client.send("GET / HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"a\"\r\n\r\n")
          #expect(client.response()?.status == 304)
          client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
          #expect(client.response(hasBody: false)?["content-length"] == "100000")
        }
      }
    }
    for thread in threads { thread.join() }
  }

  @Test func `each field arrives on its own line`() throws {
    let fields = [
      Field("Cache-Control", "no-cache"), Field("Vary", "Origin"), Field("X-A", "1  2"),
    ]
    let server = RunningServer(handler: FixedHandler(Response("text/plain", [65], fields: fields)))
    let client = try server.client(sending: "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    let response = try #require(client.response())
    let lines = response.head.split(separator: "\r\n")
    for line in [
      "X-Content-Type-Options: nosniff", "Content-Type: text/plain", "Cache-Control: no-cache",
      "Vary: Origin", "X-A: 1  2",
    ] {
      #expect(lines.filter { $0 == line }.count == 1, "\(line)")
    }
    #expect(response.text == "A")
  }

  @Test func `a response may have many fields, and a long id`() throws {
    let fields = (0..<40).map { Field("X-A", String(repeating: "a", count: $0)) }
    let id = String(repeating: "i", count: 128)
    let server = RunningServer(handler: FixedHandler(Response("text/plain", [65], fields: fields)))
    let client = try server.client()
    for ending in ["", "Transfer-Encoding: chunked\r\n"] {
      client.send(
        "POST / HTTP/1.1\r\nHost: a\r\nX-Request-Id: \(id)\r\n\(ending)\r\n"
          + (ending.isEmpty ? "" : "0\r\n\r\n"))
      let response = try #require(client.response())
      #expect(response.head.split(separator: "\r\n").filter { $0.hasPrefix("X-A:") }.count == 40)
      #expect(response["x-request-id"] == id)
      #expect(response.text == "A")
    }
  }

  @Test func `a prepared response can close the connection`() throws {
    let server = RunningServer(handler: ReusingHandler())
    let client = try server.client()
    client.send(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n")
    #expect(client.response()?.closes == true)
    #expect(client.isClosed())
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
  ])
  func `a date has the format of RFC 9110`(second: Int, text: String) {
    let date = HTTPDate(second: second)
    #expect(String(decoding: date.bytes, as: UTF8.self) == text)
    #expect(date.bytes.count == HTTPDate.count)
  }
}
