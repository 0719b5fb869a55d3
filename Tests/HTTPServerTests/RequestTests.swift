import Foundation
import HTTP
import HTTPServer
import Testing

/// Valid requests and their responses.
@Suite struct RequestTests {
  private let server = RunningServer()

  private func ask(_ text: String, hasBody: Bool = true) throws -> RawResponse? {
    let client = try server.client(sending: text)
    return client.response(hasBody: hasBody)
  }

  @Test func `a request arrives with its target and headers unchanged`() throws {
    let response = try ask(
      "GET /a%2Fb?x=%20+1&y=&z==%zz&&a+b HTTP/1.1\r\nHost: a\r\nX-Long:  one, two \r\nY:\r\n\r\n")
    #expect(response?.status == 200)
    #expect(
      response?.text
        == "GET /a%2Fb ? x=%20+1&y=&z==%zz&&a+b\nHost=a\nX-Long=one, two\nY=\nbody=\ncount=0")
    #expect(response?["x-content-type-options"] == "nosniff")
    #expect(response?["date"] != nil)
    #expect(response?.closes == false)
  }

  @Test(arguments: [
    "/?", "/?a", "/??", "/?a?b", "/a?=&&", "/?\(String(repeating: "x", count: 4000))",
  ])
  func `a target keeps its bytes`(_ target: String) throws {
    let response = try ask("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
    let question = target.firstIndex(of: "?") ?? target.endIndex
    #expect(
      response?.text.hasPrefix("GET \(target[..<question]) ? \(target[question...].dropFirst())\n")
        == true)
  }

  @Test func `HEAD gets the Content-Length of GET and no body`() throws {
    let client = try server.client(sending: "HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n")
    let head = client.response(hasBody: false)
    #expect(head?.status == 200)
    #expect(head?["content-length"] == "31")
    client.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.response()?.text.hasPrefix("GET /b") == true)
  }

  @Test func `a matching tag gets 304 with the tag and no body`() throws {
    let client = try server.client(sending: "GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
    let tag = try #require(client.response()?["etag"])
    // The echo contains the header, so its tag differs. `*` matches any tag.
    client.send("GET /a HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n")
    let unchanged = client.response()
    #expect(unchanged?.status == 304)
    #expect(unchanged?["etag"] != nil && unchanged?["etag"] != tag)
    #expect(unchanged?["content-length"] != "0")
    client.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.response()?.status == 200)
  }

  @Test func `pipelined requests are answered in order`() throws {
    let client = try server.client(
      sending: (0..<50).map { "GET /\($0)?q=\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
        + "POST /last HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
        + "GET /after HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    let responses = client.allResponses()
    #expect(responses.count == 52)
    for (index, response) in responses.prefix(50).enumerated() {
      #expect(response.text.hasPrefix("GET /\(index) ? q=\(index)\n"))
    }
    #expect(responses[50].text.hasSuffix("body=abc\ncount=3"))
    #expect(responses[51].text.hasPrefix("GET /after"))
  }

  @Test func `a body arrives complete, with Content-Length and chunked`() throws {
    let body = String(repeating: "0123456789abcdef", count: 4096)
    let counted = try ask(
      "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    #expect(counted?.text.hasSuffix("count=65536") == true)
    #expect(counted?.closes == false)
    let chunked = try ask(
      "PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "10000\r\n\(body)\r\n3;x=y\r\nabc\r\n0\r\nX: trailer\r\n\r\n")
    #expect(chunked?.text.hasSuffix("count=65539") == true)
    #expect(chunked?.closes == true, "the server reads no request after a chunked body")
  }

  @Test func `a body that is too large is 413, with Content-Length and chunked`() throws {
    let server = RunningServer { $0.bodyLimit = 100_000 }
    let announced = try server.client()
    announced.send("PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 100001\r\n\r\n")
    #expect(announced.response()?.status == 413)
    #expect(announced.isClosed())
    let eager = try server.client()
    eager.send("PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n")
    eager.send([UInt8](repeating: 0, count: 10_000_000))
    #expect(eager.response()?.status == 413, "although it sends the whole body before it reads")
    let chunked = try server.client()
    chunked.send("PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in 0..<11 { chunked.send("2710\r\n" + String(repeating: "x", count: 10_000) + "\r\n") }
    chunked.send("0\r\n\r\n")
    let response = chunked.response()
    #expect(response?.status == 413)
    #expect(response?["content-type"] == "application/problem+json")
    #expect(chunked.isClosed())
    let exact = try server.client(
      sending: "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n"
        + String(repeating: "x", count: 100_000))
    #expect(exact.response()?.status == 200)
  }

  @Test func `a target at the limit is valid, a longer one is 414`() throws {
    let limit = HeadParser().targetLimit
    let target = "/" + String(repeating: "x", count: limit - 1)
    #expect(try ask("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200)
    #expect(try ask("GET \(target)x HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 414)
  }

  @Test func `a large response arrives complete at a slow client`() throws {
    let server = RunningServer(
      handler: FixedHandler(Response("text/plain", [UInt8](repeating: 7, count: 5_000_000))))
    let client = try RawClient(port: server.port, receiveBuffer: 4096)
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    let response = client.response()
    #expect(response?.isWhole == true)
    #expect(response?.body.count == 5_000_000)
    #expect(response?.body.allSatisfy { $0 == 7 } == true)
  }

  @Test func `a field with a line end in its value is dropped`() throws {
    let server = RunningServer(
      handler: FixedHandler(
        Response(status: 200, fields: [Field("X", "a\r\nY: b"), Field("Z", "c")])))
    let client = try server.client(sending: "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    let response = client.response()
    #expect(response?["x"] == nil)
    #expect(response?["y"] == nil)
    #expect(response?["z"] == "c")
  }

  @Test func `a large file is sent from the disk, whole, and in no budget`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let count = (5 << 20) + 3
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    try Data(bytes).write(to: folder.appending(path: "a.bin"))
    let server = RunningServer(handler: try StaticFiles(at: folder.path)) { $0.responseBudget = 1 }
    let clients = try (0..<3).map { _ in try server.client() }
    for closing in ["", "Connection: close\r\n"] {
      for client in clients { client.send("GET /a.bin HTTP/1.1\r\nHost: a\r\n\r\n") }
      for client in clients {
        let response = try #require(client.response())
        #expect(response.body == bytes)
        client.send("HEAD /a.bin HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.response(hasBody: false)?["content-length"] == String(count))
        let tag = try #require(response["etag"])
        client.send("GET /a.bin HTTP/1.1\r\nHost: a\r\n\(closing)If-None-Match: \(tag)\r\n\r\n")
        let unchanged = try #require(client.response())
        #expect(unchanged.status == 304)
        #expect(unchanged["content-length"] == String(count))
      }
    }
  }
}
