import HTTP
import HTTPServer
import Testing

/// The cases of the conformance suite h1spec, including the strict and the hardening ones.
@Suite struct ConformanceTests {
  private let server = RunningServer()
  private let valid = 100...599

  /// The statuses of all responses to `text`. The client closes its sending half after it.
  private func statuses(_ text: String) throws -> [Int] {
    let client = try server.client()
    client.send(text)
    client.finish()
    return client.allResponses().map(\.status)
  }

  private func status(_ text: String) throws -> Int {
    let client = try server.client()
    client.send(text)
    return client.response()?.status ?? 0
  }

  private func isAlive() throws -> Bool {
    try status("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") == 200
  }

  // MARK: The request line (RFC 9112 section 3)

  @Test func `a simple GET gets 200`() throws {
    #expect(try status("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") == 200)
  }

  @Test func `a POST with a body is valid`() throws {
    let status = try status(
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello")
    #expect(valid.contains(status) && status != 400)
  }

  @Test func `OPTIONS * is valid`() throws {
    let status = try status("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(valid.contains(status) && status != 400)
  }

  @Test func `a target in absolute form is valid`() throws {
    let status = try status("GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(valid.contains(status) && status != 400)
  }

  @Test func `CONNECT is not 400`() throws {
    let status = try status("CONNECT example.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(valid.contains(status) && status != 400)
  }

  @Test func `HTTP/2.0 is rejected`() throws {
    #expect([400, 505].contains(try status("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n")))
  }

  @Test func `a request line without a version is rejected`() throws {
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
  func `malformed headers are rejected`(_ headers: String) throws {
    #expect(try status("GET / HTTP/1.1\r\n\(headers)\r\n") == 400)
  }

  // MARK: Bodies (RFC 9112 sections 6 and 7)

  private let chunks = "5\r\nhello\r\n0\r\n\r\n"

  @Test func `a chunked body is valid`() throws {
    let status = try status(
      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)")
    #expect(valid.contains(status) && status != 400)
  }

  @Test func `a chunked body in HTTP/1.0 is rejected`() throws {
    #expect(
      try status(
        "POST / HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)") == 400)
  }

  @Test func `a chunked body with a Content-Length is rejected and closes the connection`() throws {
    let client = try server.client()
    client.send(
      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"
        + chunks)
    let response = client.response()
    #expect(response?.status == 400)
    #expect(response?.closes == true)
    #expect(client.isClosed())
  }

  @Test func `an unknown transfer coding is rejected`() throws {
    #expect(
      [400, 501].contains(
        try status(
          "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: nonsense\r\n\r\nhello")))
  }

  @Test func `a coding after chunked is rejected and closes the connection`() throws {
    #expect(
      try statuses(
        "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, gzip\r\n\r\n\(chunks)"
          + "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n") == [400])
  }

  @Test func `differing Content-Lengths are rejected`() throws {
    #expect(
      try status(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello!!"
      ) == 400)
  }

  @Test func `a Content-Length that is no number is rejected`() throws {
    #expect(
      try status("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: xyz\r\n\r\nhello") == 400)
  }

  @Test(arguments: ["Z\r\nhello\r\n0\r\n\r\n", "5\r\nhello0\r\n\r\n"])
  func `a malformed chunk is rejected`(_ chunks: String) throws {
    let statuses = try statuses(
      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)"
        + "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(statuses == [400])
  }

  @Test func `Expect: 100-continue gets 100, then the response`() throws {
    let client = try server.client()
    client.send(
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
    #expect(client.response()?.status == 100)
    client.send("hello")
    #expect(client.response()?.status == 200)
  }

  // MARK: Connections (RFC 9112 section 9)

  @Test func `a connection is kept alive`() throws {
    let client = try server.client()
    for _ in 0..<2 {
      client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(client.response()?.status == 200)
    }
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n",
  ])
  func `Connection: close and HTTP/1.0 close the connection`(_ request: String) throws {
    let client = try server.client()
    client.send(request)
    #expect(client.response()?.status == 200)
    #expect(client.isClosed())
  }

  // MARK: Responses (RFC 9110)

  @Test func `the response to HEAD has no body`() throws {
    let client = try server.client()
    client.send("HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(client.response(hasBody: false)?.status == 200)
    #expect(client.isClosed())
  }

  @Test func `an error has a Content-Length`() throws {
    let client = try server.client()
    client.send("get / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let response = client.response()
    #expect(valid.contains(response?.status ?? 0))
    #expect(response?["content-length"] != nil)
  }

  // MARK: Hardening

  @Test func `a long request line, many headers or a long header do not harm the server`() throws {
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
