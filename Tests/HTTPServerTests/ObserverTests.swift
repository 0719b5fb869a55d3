import Dispatch
import Glibc
import HTTP
import HTTPServer
import Synchronization
import Testing

/// Blocks its thread at `/hold` until the test signals `resume`.
private struct BlockingHandler: Handler {
  let entered = DispatchSemaphore(value: 0)
  let resume = DispatchSemaphore(value: 0)

  func handle(_ request: Request) -> HandlerResult {
    if request.path.equals("/hold") {
      entered.signal()
      resume.wait()
    }
    return .response(Response("text/plain", [1, 2, 3]))
  }
}

@Suite struct ObserverTests {
  @Test func `each exchange is reported once, with the bytes that were sent`() throws {
    let (server, recorder) = RunningServer.recorded()
    let client = try server.client(sending: "GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
    let count = try #require(client.response()).body.count
    client.send("HEAD /b HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = client.response(hasBody: false)
    let recorded = recorder.exchanges
    #expect(recorded.map { $0.request.path.text } == ["/a", "/b"])
    #expect(recorded.map(\.count) == [count, 0])
    #expect(recorded.allSatisfy { $0.status == 200 && $0.nanoseconds >= 0 })
  }

  @Test func `a deferred response is reported when it is sent`() throws {
    let (server, recorder) = RunningServer.recorded(handler: DeferringHandler())
    let client = try server.client(sending: "GET /late HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.response()?.body.count == 3)
    #expect(recorder.exchanges.map(\.count) == [3])
  }

  @Test func `a rejection by the parser is reported with its reason`() throws {
    let (server, recorder) = RunningServer.recorded()
    let client = try server.client(sending: "GET / HTTP/1.1\r\n\r\n")
    #expect(client.response()?.status == 400)
    #expect(recorder.rejections.map(\.reason) == [.missingHost])
  }

  @Test(
    arguments: [
      ("GET /a?b HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n", 400, .malformedLength),
      ("GET /a?b HTTP/1.1\r\nHost: a\r\nContent-Length: \(UInt64.max)0\r\n", 413, .bodyTooLarge),
      ("GET /a?b HTTP/1.1\r\nHost: a\r\nX: y\r\n z\r\n", 400, .obsFold),
      ("GET /a?b HTTP/1.1\r\nHost: a\r\nX\r\n", 400, nil),
      ("GET /a?b HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 30_000))\r\n", 431, nil),
      ("GET /a?b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZ\r\n", 400, nil),
      ("GET /a?b HTTP/3.0\r\nHost: a\r\n", 505, nil),
      ("GET /a?b\r\nHost: a\r\n", 400, nil),
      ("GET /\(String(repeating: "a", count: 30_000)) HTTP/1.1\r\n", 414, nil),
    ] as [(String, Int, RejectionReason?)])
  func `a rejection by libmicrohttpd is reported once with its status`(
    _ head: String, _ status: Int, _ reason: RejectionReason?
  ) throws {
    let (server, recorder) = RunningServer.recorded()
    let idle = try server.client(sending: "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = idle.response()
    let client = try server.client()
    // The lines are sent one by one, so that libmicrohttpd handles other events between them.
    for piece in head.split(separator: "\r\n", omittingEmptySubsequences: false) {
      client.send("\(piece)\r\n")
    }
    let responses = client.allResponses()
    #expect(responses.map(\.status) == [status])
    // The server answers itself where libmicrohttpd would send two heads.
    #expect(responses[0].text.hasPrefix("{") == (reason != nil))
    #expect(responses[0]["date"] != nil)
    #expect(server.waitForConnections(1))
    let recorded = recorder.rejections
    #expect(recorded.map(\.status) == [status])
    #expect(recorded.map(\.reason) == [reason])
    #expect(recorded.map { $0.peer != .unknown } == [reason != nil])
  }

  @Test(arguments: ["", "X-Request-Id: r\r\n", "X-Request-Id: r\r\nX: y"])
  func `a head that misses its deadline is reported with the id of the response`(
    _ rest: String
  ) throws {
    let (server, recorder) = RunningServer.recorded { options in
      options.requestIDs = RequestIDs()
      options.deadlines.head = 1
    }
    let client = try server.client()
    client.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\nGET /a?b HTTP/1.1\r\nHost: a\r\n\(rest)")
    #expect(client.response()?.status == 200)
    let response = try #require(client.response())
    #expect(response.status == 408)
    // The server reports it after the response and before the connection is closed.
    server.stop()
    let recorded = recorder.rejections
    #expect(recorded.map(\.reason) == [.tooSlow])
    let id = try #require(response["x-request-id"])
    #expect(recorded.map(\.id) == [id])
  }

  @Test(arguments: ["nonsense", " GET / HTTP/1.1", "GET\t/\tHTTP/1.1", "\u{16}\u{3}\u{1}"])
  func `a request line without two spaces closes its connection`(_ line: String) throws {
    let server = RunningServer()
    let client = try server.client(sending: "\(line)\r\nHost: a\r\n\r\n")
    #expect(client.isClosed())
    #expect(server.waitForConnections(0))
  }

  @Test(arguments: [
    ("", true), ("", false), ("GET / HT", true), ("G", false), ("\r\nGET /a HTTP/1.1", false),
  ])
  func `a connection without a request, or closed by its client, is not reported`(
    _ start: String, _ isClosedByClient: Bool
  ) throws {
    let (server, recorder) = RunningServer.recorded { $0.deadlines.head = 1 }
    let client = try server.client(sending: start)
    if isClosedByClient { client.finish() }
    #expect(client.isClosed())
    server.stop()
    #expect(recorder.rejections.isEmpty)
  }

  @Test func `each of many rejected requests gets one response and one report with its status`()
    throws
  {
    let blocking = BlockingHandler()
    let (server, recorder) = RunningServer.recorded(handler: blocking)
    let kinds: [(lines: String, reason: RejectionReason)] = [
      ("Host: a\r\nfoo", .malformedField),
      ("Host: a\r\nContent-Length: +5", .malformedLength),
      ("Host: a\r\nContent-Length: \(UInt64.max)0", .bodyTooLarge),
      ("Host: a\r\nContent-Length: 1\r\nfoo", .malformedField),
      ("X: y", .missingHost),
    ]
    let good = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    let clients = try (0..<20).map { _ in try server.client() }
    for client in clients {
      client.send(good)
      _ = client.response()
    }
    // All requests arrive while the only thread is blocked, so that it handles them together.
    let holder = try server.client()
    holder.send(good.replacing("/ ", with: "/hold "))
    blocking.entered.wait()
    for (number, client) in clients.enumerated() {
      client.send("\(good)GET / HTTP/1.1\r\n\(kinds[number % kinds.count].lines)\r\n\r\n")
    }
    blocking.resume.signal()
    for (number, client) in clients.enumerated() {
      let reason = kinds[number % kinds.count].reason
      #expect(client.allResponses().map(\.status) == [200, reason.status], "\(reason)")
    }
    #expect(server.waitForConnections(1))
    let recorded = recorder.rejections
    let expected = clients.indices.map { kinds[$0 % kinds.count].reason.status }
    #expect(recorded.map(\.status).sorted() == expected.sorted())
  }

  @Test(arguments: [
    "Content-Length: 1048577\r\n",
    "Content-Length: 1\r\nContent-Length: 1\r\n",
    "Expect: tea\r\n", "X y: z\r\nExpect: tea\r\n".replacing("X y", with: "X()"),
  ])
  func `a rejected request is reported with its id, target and traceparent`(_ field: String) throws
  {
    let (server, recorder) = RunningServer.recorded()
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    let client = try server.client()
    client.send(
      "POST /a?b=c HTTP/1.1\r\nHost: a\r\nX-Request-Id: r\r\ntraceparent: \(trace)\r\n\(field)\r\n")
    let response = try #require(client.response())
    #expect(response["x-request-id"] == "r")
    let recorded = try #require(recorder.rejections.first)
    #expect(response.status == recorded.status)
    #expect(recorded.id == "r")
    #expect(recorded.head.target?.text == "/a?b=c")
    #expect(recorded.head.traceParent?.text == trace)
  }

  @Test(arguments: [nil, "r"])
  func `a body that misses its deadline is reported with its target and id`(
    _ given: String?
  ) throws {
    let (server, recorder) = RunningServer.recorded { options in
      options.requestIDs = RequestIDs()
      options.deadlines.body = 1
    }
    let client = try server.client()
    let field = given.map { "X-Request-Id: \($0)\r\n" } ?? ""
    client.send("PUT /a?b HTTP/1.1\r\nHost: a\r\n\(field)Content-Length: 5\r\n\r\n1")
    let response = try #require(client.response())
    #expect(response.status == 408)
    // The server reports it after the response and before the connection is closed.
    server.stop()
    let recorded = recorder.rejections
    #expect(recorded.map(\.reason) == [.tooSlow])
    #expect(recorded.map(\.head.method?.text) == ["PUT"])
    #expect(recorded.map(\.head.target?.text) == ["/a?b"])
    let id = try #require(response["x-request-id"])
    #expect(recorded.map(\.id) == [id])
    #expect(given == nil || given == id)
  }

  @Test(arguments: [
    ("PUT /late HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n1", "2"),
    ("PUT /late HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n1", "23\r\n\r\n"),
    ("DELETE /late HTTP/1.1\r\nHost: a\r\n", "\r\n"),
  ])
  func `a request whose rest is read after its 408 is not handled, and is reported once`(
    _ start: String, _ rest: String
  ) throws {
    let blocking = BlockingHandler()
    let (server, recorder) = RunningServer.recorded(handler: blocking) {
      $0.threads = 1
      ($0.deadlines.head, $0.deadlines.body) = (1, 1)
    }
    let hold = "GET /hold HTTP/1.1\r\nHost: a\r\n\r\n"
    let (client, holders) = (try server.client(), [try server.client(), try server.client()])
    client.send(start)
    // The only thread has read the start when it answers later requests.
    for holder in holders {
      holder.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(holder.response()?.status == 200)
    }
    // One poll finds the second holder and then the rest. The rest waits while the second holder is answered.
    holders[0].send(hold)
    blocking.entered.wait()
    holders[1].send(hold)
    client.send(rest)
    blocking.resume.signal()
    blocking.entered.wait()
    #expect(client.status() == 408)
    blocking.resume.signal()
    #expect(client.allResponses().map(\.status) == [408])
    #expect(server.waitForConnections(2))
    server.stop()
    #expect(!recorder.exchanges.contains { $0.request.path.equals("/late") })
    #expect(recorder.rejections.map(\.reason) == [.tooSlow])
  }

  @Test func `a rejected body that misses its deadline is reported once`() throws {
    let (server, recorder) = RunningServer.recorded { $0.deadlines.body = 1 }
    let client = try server.client()
    client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\n1")
    #expect(client.allResponses().map(\.status) == [413])
    #expect(server.waitForConnections(0))
    server.stop()
    #expect(recorder.rejections.map(\.reason) == [.bodyTooLarge])
  }

  @Test func `a response repeats a valid request id`() throws {
    let server = RunningServer()
    let client = try server.client()
    for (id, answered) in [
      ("a-1/B_2.~+=:@", "a-1/B_2.~+=:@"), ("two words", nil), ("a\"b", nil), ("", nil),
      (String(repeating: "a", count: 128), String(repeating: "a", count: 128)),
      (String(repeating: "a", count: 129), nil), ("a\r\nX-Request-Id: b", nil),
    ] {
      client.send("GET / HTTP/1.1\r\nHost: a\r\nX-Request-Id: \(id)\r\n\r\n")
      #expect(client.response()?["x-request-id"] == answered, "\(id)")
    }
  }

  @Test func `a request without an id gets a unique one if the option is set`() throws {
    let reusable = Response("text/plain", [1]).preparedForReuse()
    let (server, recorder) = RunningServer.recorded(handler: FixedHandler(reusable)) {
      $0.requestIDs = RequestIDs()
    }
    let client = try server.client()
    let answered = (0..<3).map { _ in
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      return client.response()?["x-request-id"]
    }
    #expect(Set(answered.compactMap(\.self)).count == 3)
    #expect(recorder.exchanges.map(\.id) == answered)
  }

  @Test func `the cause of a problem is logged and not sent`() throws {
    let problem = Problem(status: 500, detail: "Damaged.", cause: "/srv/a.db is damaged")
    let server = RunningServer(handler: FixedHandler(problem.response))
    let client = try server.client(sending: "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    let response = try #require(client.response())
    #expect(!response.head.contains("a.db") && !response.text.contains("a.db"))
    let entry = try #require(server.log.entries.first)
    #expect(entry.message.contains("/srv/a.db is damaged"))
    #expect(entry.level == .error)
    #expect(entry.requestID != nil && entry.requestID == response["x-request-id"])
    client.send("GET / HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\n\r\n")
    #expect(client.response()?["x-request-id"] == "mine")
    #expect(server.log.entries.last?.requestID == "mine")
  }

  @Test func `the server uses a listening socket from its options`() throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let outcome = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(outcome == 0 && listen(socket, 16) == 0)
    // A client may connect before the server starts.
    let early = try RawClient(port: SocketAddress(boundTo: socket).port)
    let server = RunningServer { $0.listeningSocket = socket }
    early.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(early.response()?.status == 200)
    #expect(server.port == SocketAddress(boundTo: socket).port)
  }
}
