import Dispatch
import HTTP
import HTTPServer
import Testing

/// Rejects the body of `/no`, at once or deferred. Echoes other bodies. Bodies of `/no` and `/large` may
/// have 2 MB.
private struct SelectiveHandler: Handler {
  let isDeferred: Bool

  func handle(_ request: Request) -> HandlerResult {
    .response(Response("text/plain", request.body))
  }

  func largeBody(after head: Head) -> LargeBody? {
    head.path.equals("/no") || head.path.equals("/large") ? LargeBody(limit: 2_000_000) : nil
  }

  func onHeaders(of request: Request) -> HandlerResult {
    let response =
      request.path.equals("/no") ? Problem(status: 401, detail: "No.").response : .continue
    return isDeferred
      ? .deferred { responder in DispatchQueue.global().async { responder(response) } }
      : .response(response)
  }
}

@Suite struct ExpectationTests {
  private func head(_ path: String, _ length: String = "Content-Length: 5") -> String {
    "PUT \(path) HTTP/1.1\r\nHost: a\r\n\(length)\r\nExpect: 100-continue\r\n\r\n"
  }

  @Test(arguments: [false, true])
  func `a rejected body is not requested`(_ isDeferred: Bool) throws {
    let server = RunningServer(handler: SelectiveHandler(isDeferred: isDeferred))
    for length in ["Content-Length: 5", "Transfer-Encoding: chunked"] {
      let client = try server.client(sending: head("/no", length))
      let response = client.response()
      #expect(response?.status == 401)
      #expect(response?.closes == true)
      #expect(client.isClosed())
    }
  }

  @Test(arguments: [false, true])
  func `an accepted body gets 100, and the connection stays open`(_ isDeferred: Bool) throws {
    let server = RunningServer(handler: SelectiveHandler(isDeferred: isDeferred))
    let client = try server.client()
    for _ in 0..<3 {
      client.send(head("/yes"))
      #expect(client.response()?.status == 100)
      client.send("hello")
      #expect(client.response()?.text == "hello")
    }
  }

  @Test(arguments: ["", "Content-Length: 0\r\n"], ["", "Expect: 100-continue\r\n"])
  func `a request without a body gets no 100, and the next request is answered`(
    _ length: String, _ expectation: String
  ) throws {
    let handlers: [any Handler] = [
      SelectiveHandler(isDeferred: false), DeferringHandler(),
      FixedHandler(Response("text/plain", [1]).preparedForReuse()),
    ]
    for handler in handlers {
      let server = RunningServer(handler: handler)
      let client = try server.client()
      let head = "GET /no HTTP/1.1\r\nHost: a\r\n\(length)"
      let asking = "\(head)Expect: 100-continue\r\n\r\n"
      client.send("\(asking)\(asking)\(head)\(expectation)Connection: close\r\n\r\n")
      #expect(client.allResponses().map(\.status) == [200, 200, 200])
    }
  }

  @Test(arguments: [
    "Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
  ])
  func `a client that closes its sending half while its body is accepted gets the response`(
    _ body: String
  ) throws {
    let server = RunningServer(handler: SelectiveHandler(isDeferred: true))
    for _ in 0..<50 {
      let client = try server.client(sending: "PUT /yes HTTP/1.1\r\nHost: a\r\n\(body)")
      client.finish()
      #expect(client.response()?.text == "hello")
    }
  }

  @Test(arguments: [false, true])
  func `a rejected body has as much time as an accepted one`(_ isDeferred: Bool) throws {
    let server = RunningServer(handler: SelectiveHandler(isDeferred: isDeferred)) {
      $0.deadlines.head = 1
      $0.deadlines.body = 3600
      $0.deadlines.minimumRate = 1
    }
    let client = try server.client()
    client.send("PUT /no HTTP/1.1\r\nHost: a\r\nContent-Length: 40001\r\n\r\n")
    client.send([UInt8](repeating: 1, count: 40000))
    // The time of a body that does not arrive is over earlier.
    let late = try server.client()
    late.send("PUT /yes HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n")
    #expect(late.response()?.status == 408)
    client.send([1])
    #expect(client.response()?.status == 401)
  }

  @Test(arguments: [false, true])
  func `a large body is read only where the handler accepts it`(_ isDeferred: Bool) throws {
    var options = ServerOptions()
    // The share of one client is 2 MB.
    options.bodyBudget = 2_285_714
    let server = RunningServer(options, handler: SelectiveHandler(isDeferred: isDeferred))
    let body = String(repeating: "a", count: 2_000_000)
    // A rejected body uses no part of the budget, so the next body fits.
    let rejected = try server.client()
    rejected.send("PUT /no HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n")
    rejected.send(String(body.dropLast()))
    for (path, status) in [("/large", 200), ("/no", 401), ("/yes", 413)] {
      for request in [
        "Content-Length: 2000000\r\n\r\n\(body)",
        "Transfer-Encoding: chunked\r\n\r\n1e8480\r\n\(body)\r\n0\r\n\r\n",
      ] {
        let client = try server.client(sending: "PUT \(path) HTTP/1.1\r\nHost: a\r\n\(request)")
        let response = client.response()
        #expect(response?.status == status)
        if status == 200 { #expect(response?.body.count == 2_000_000) }
      }
    }
    rejected.send("a")
    #expect(rejected.response()?.status == 401)
    for path in ["/no", "/large"] {
      let client = try server.client(sending: head(path, "Content-Length: 2000001"))
      #expect(client.allResponses().map(\.status) == [413])
    }
  }

  @Test func `a body that is too large is rejected before it is sent`() throws {
    let server = RunningServer(handler: SelectiveHandler(isDeferred: false))
    let client = try server.client(sending: head("/yes", "Content-Length: 1048577"))
    #expect(client.allResponses().map(\.status) == [413])
  }

  @Test func `a rejected body is not logged`() throws {
    let server = RunningServer(handler: SelectiveHandler(isDeferred: false)) { $0.bodyLimit = 1000 }
    for head in ["Content-Length: 2000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n7d0\r\n"] {
      let client = try server.client(sending: "PUT /yes HTTP/1.1\r\nHost: a\r\n" + head)
      client.send(String(repeating: "a", count: 2000) + "\r\n0\r\n\r\n")
      #expect(client.allResponses().map(\.status) == [413])
    }
    server.stop()
    #expect(server.log.all.isEmpty)
  }
}
