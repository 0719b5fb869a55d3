import HTTP
import Testing

@testable import HTTPServer

/// The cases of the public conformance suite h1spec, strict ones and hardening among them.
@Suite struct ConformanceTests {
  private let daemon = RunningDaemon()
  private let valid = 100...599

  /// The statuses of everything that is answered to `text` until the end of the connection, which
  /// the client's half announces.
  private func statuses(_ text: String) throws -> [Int] {
    let client = try daemon.client()
    client.send(text)
    client.finish()
    return client.allResponses().map(\.status)
  }

  private func status(_ text: String) throws -> Int {
    let client = try daemon.client()
    client.send(text)
    return client.response()?.status ?? 0
  }

  private func isAlive() throws -> Bool {
    try status("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") == 200
  }

  // MARK: The request line (RFC 9112 section 3)

  @Test func `A simple GET is answered`() throws {
    #expect(try status("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") == 200)
  }

  @Test func `A POST with a body is accepted`() throws {
    let status = try status(
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello")
    #expect(valid.contains(status) && status != 400)
  }

  @Test func `OPTIONS of the whole server is accepted`() throws {
    let status = try status("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(valid.contains(status) && status != 400)
  }

  @Test func `A target in absolute form is accepted`() throws {
    let status = try status("GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(valid.contains(status) && status != 400)
  }

  @Test func `CONNECT is understood`() throws {
    let status = try status("CONNECT example.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(valid.contains(status) && status != 400)
  }

  @Test func `Another version is refused`() throws {
    #expect([400, 505].contains(try status("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n")))
  }

  @Test func `A request line without a version is refused`() throws {
    #expect(try status("GET /\r\nHost: localhost\r\n\r\n") == 400)
  }

  // MARK: Headers (RFC 9112 section 5)

  @Test(arguments: [
    "",  // no Host at all
    "Host: localhost\r\nHost: example.com\r\n",
    "Host: bad host\r\n",
    "Host: localhost\r\nBad Header: value\r\n",
    "Host: localhost\r\n  continued\r\n",
    "Host : localhost\r\n",
    "Host: local\u{0}host\r\n",
  ])
  func `Headers that are not as they should be are refused`(_ headers: String) throws {
    #expect(try status("GET / HTTP/1.1\r\n\(headers)\r\n") == 400)
  }

  // MARK: Bodies (RFC 9112 sections 6 and 7)

  private let chunks = "5\r\nhello\r\n0\r\n\r\n"

  @Test func `Chunks are accepted`() throws {
    let status = try status(
      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)")
    #expect(valid.contains(status) && status != 400)
  }

  @Test func `Chunks in HTTP 1.0 are refused`() throws {
    #expect(
      try status(
        "POST / HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)") == 400)
  }

  @Test func `Chunks with a length are refused, and nothing is read after them`() throws {
    let client = try daemon.client()
    client.send(
      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"
        + chunks)
    let response = client.response()
    #expect(response?.status == 400)
    #expect(response?.closes == true)
    #expect(client.isClosed())
  }

  @Test func `An unknown transfer coding is refused`() throws {
    #expect(
      [400, 501].contains(
        try status(
          "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: nonsense\r\n\r\nhello")))
  }

  @Test func `Chunks that are not the final coding are refused, and the connection ends`() throws {
    #expect(
      try statuses(
        "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, gzip\r\n\r\n\(chunks)"
          + "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n") == [400])
  }

  @Test func `Lengths that differ are refused`() throws {
    #expect(
      try status(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello!!"
      ) == 400)
  }

  @Test func `A length that is no number is refused`() throws {
    #expect(
      try status("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: xyz\r\n\r\nhello") == 400)
  }

  @Test(arguments: ["Z\r\nhello\r\n0\r\n\r\n", "5\r\nhello0\r\n\r\n"])
  func `A malformed chunk is refused`(_ chunks: String) throws {
    let statuses = try statuses(
      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)"
        + "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(statuses == [400])
  }

  @Test func `Expect 100-continue is answered by 100, then by the answer`() throws {
    let client = try daemon.client()
    client.send(
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
    #expect(client.response()?.status == 100)
    client.send("hello")
    #expect(client.response()?.status == 200)
  }

  // MARK: Connections (RFC 9112 section 9)

  @Test func `A connection is kept alive`() throws {
    let client = try daemon.client()
    for _ in 0..<2 {
      client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(client.response()?.status == 200)
    }
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n",
  ])
  func `A connection is closed where it should be`(_ request: String) throws {
    let client = try daemon.client()
    client.send(request)
    #expect(client.response()?.status == 200)
    #expect(client.isClosed())
  }

  // MARK: Responses (RFC 9110)

  @Test func `HEAD has no body`() throws {
    let client = try daemon.client()
    client.send("HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(client.response(hasBody: false)?.status == 200)
    #expect(client.isClosed())
  }

  @Test func `An error says where it ends`() throws {
    let client = try daemon.client()
    client.send("get / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let response = client.response()
    #expect(valid.contains(response?.status ?? 0))
    #expect(response?["content-length"] != nil)
  }

  // MARK: Hardening

  @Test func `A very long line, many headers and a very long header harm nobody`() throws {
    let long = "GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    #expect(try status(long) == 414)
    #expect(try isAlive())
    let many = (0..<101).map { "X-H-\($0): value\r\n" }.joined()
    #expect(try status("GET / HTTP/1.1\r\nHost: localhost\r\n\(many)\r\n") == 431)
    #expect(try isAlive())
    let big = "X-Big: \(String(repeating: "x", count: 9000))\r\n"
    #expect(try status("GET / HTTP/1.1\r\nHost: localhost\r\n\(big)\r\n") == 200)
    #expect(try isAlive())
  }
}
