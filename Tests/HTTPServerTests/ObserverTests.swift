import Dispatch
import Glibc
import HTTP
import Synchronization
import Testing

@testable import HTTPServer

/// Keeps what it is told.
private final class Witness: Observer {
  let exchanges = Mutex<[Exchange]>([])
  let refusals = Mutex<[RejectedRequest]>([])

  func answered(_ exchange: Exchange, by worker: Int) { exchanges.withLock { $0.append(exchange) } }
  func refused(_ refused: RejectedRequest) { refusals.withLock { $0.append(refused) } }

  /// A daemon, and who is told what it does.
  static func daemon(
    handler: any Handler = EchoHandler(), _ set: (inout ServerOptions) -> Void = { _ in }
  ) -> (RunningDaemon, Witness) {
    let witness = Witness()
    var options = ServerOptions()
    options.observers = [witness]
    set(&options)
    return (RunningDaemon(options, handler: handler), witness)
  }
}

/// Answers after the thread that asked has gone on.
struct Later: Handler {
  func answer(_ request: Request) -> Answer {
    .later { done in
      DispatchQueue.global().async { done(Response("text/plain", [1, 2, 3])) }
    }
  }
}

/// Answers, but holds its thread up at `/hold` until it may go on.
private struct Holding: Handler {
  let entered = DispatchSemaphore(value: 0)
  let go = DispatchSemaphore(value: 0)

  func answer(_ request: Request) -> Answer {
    if request.path.spells("/hold") {
      entered.signal()
      go.wait()
    }
    return .response(Response("text/plain", [1, 2, 3]))
  }
}

@Suite struct ObserverTests {
  @Test func `Each exchange is told once, its body counted as it was sent`() throws {
    let (daemon, witness) = Witness.daemon()
    let client = try daemon.client()
    client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
    let count = try #require(client.response()).body.count
    client.send("HEAD /b HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = client.response(hasBody: false)
    let told = witness.exchanges.withLock { $0 }
    #expect(told.map { $0.request.path.text } == ["/a", "/b"])
    #expect(told.map(\.count) == [count, 0])
    #expect(told.allSatisfy { $0.status == 200 && $0.nanoseconds >= 0 })
  }

  @Test func `An answer that comes later is told when it has come`() throws {
    let (daemon, witness) = Witness.daemon(handler: Later())
    let client = try daemon.client()
    client.send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.response()?.body.count == 3)
    #expect(witness.exchanges.withLock { $0 }.map(\.count) == [3])
  }

  @Test func `What the gate refuses is told by its reason`() throws {
    let (daemon, witness) = Witness.daemon()
    let client = try daemon.client()
    client.send("GET / HTTP/1.1\r\n\r\n")
    #expect(client.response()?.status == 400)
    #expect(witness.refusals.withLock { $0 }.map(\.refusal) == [.missingHost])
  }

  @Test(
    arguments: [
      ("GET /a?b HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n", .malformedLength, true, true),
      (
        "GET /a?b HTTP/1.1\r\nHost: a\r\nContent-Length: \(UInt64.max)0\r\n", .bodyTooLarge, true,
        true
      ),
      ("GET /a?b HTTP/1.1\r\nHost: a\r\nX: y\r\n z\r\n", .foldedField, true, true),
      ("GET /a?b HTTP/1.1\r\nHost: a\r\nX\r\n", .malformedField, true, false),
      (
        "GET /a?b HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 30_000))\r\n",
        .headTooLarge, true, false
      ),
      (
        "GET /a?b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZ\r\n",
        .malformedChunk, true, false
      ),
      ("GET /a?b HTTP/3.0\r\nHost: a\r\n", .unknownVersion, false, false),
      ("GET /a?b\r\nHost: a\r\n", .malformedRequestLine, false, false),
      ("GET /\(String(repeating: "a", count: 30_000)) HTTP/1.1\r\n", .targetTooLong, false, false),
    ] as [(String, RejectionReason, Bool, Bool)])
  func `What the library refuses is told once, too`(
    _ head: String, _ reason: RejectionReason, _ isKnownWhose: Bool, _ isAnsweredByUs: Bool
  ) throws {
    let (daemon, witness) = Witness.daemon()
    let idle = try daemon.client()
    idle.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = idle.response()
    let client = try daemon.client()
    // Its parts come apart, so that the library has done something else meanwhile.
    for piece in head.split(separator: "\r\n", omittingEmptySubsequences: false) {
      client.send("\(piece)\r\n")
    }
    let responses = client.allResponses()
    #expect(responses.map(\.status) == [reason.status])
    #expect(responses[0].text.hasPrefix("{") == isAnsweredByUs)
    #expect(responses[0]["date"] != nil)
    let end = ContinuousClock.now + .seconds(10)
    while daemon.connectionCount > 1, ContinuousClock.now < end { sched_yield() }
    let told = witness.refusals.withLock { $0 }
    #expect(told.map(\.refusal) == [reason])
    #expect(told.map { $0.peer != .unknown } == [isKnownWhose])
    #expect(told.map(\.glimpse.target?.text) == [isKnownWhose ? "/a?b" : nil])
  }

  @Test(arguments: ["", "X-Request-Id: r\r\n", "X-Request-Id: r\r\nX: y"])
  func `A request whose head is too slow keeps its target, and its answer's id`(
    _ rest: String
  ) throws {
    let (daemon, witness) = Witness.daemon { options in
      options.requestIDs = RequestIDs()
      options.deadlines.head = 1
    }
    let client = try daemon.client()
    client.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\nGET /a?b HTTP/1.1\r\nHost: a\r\n\(rest)")
    #expect(client.response()?.status == 200)
    let response = try #require(client.response())
    #expect(response.status == 408)
    // It is told after the answer, and before the connection is gone.
    daemon.stop()
    let told = witness.refusals.withLock { $0 }
    #expect(told.map(\.refusal) == [.tooSlow])
    #expect(told.map(\.glimpse.target?.text) == ["/a?b"])
    let name = try #require(response["x-request-id"])
    #expect(told.map(\.id) == [name])
  }

  @Test(arguments: ["nonsense", " GET / HTTP/1.1", "GET\t/\tHTTP/1.1", "\u{16}\u{3}\u{1}"])
  func `A first line that the library does not answer is told all the same`(_ line: String) throws {
    let (daemon, witness) = Witness.daemon()
    let client = try daemon.client()
    client.send("\(line)\r\nHost: a\r\n\r\n")
    #expect(client.isClosed())
    let end = ContinuousClock.now + .seconds(10)
    while daemon.connectionCount > 0, ContinuousClock.now < end { sched_yield() }
    let told = witness.refusals.withLock { $0 }
    #expect(told.map(\.refusal) == [.malformedRequestLine])
    #expect(told.allSatisfy { $0.peer != .unknown })
  }

  @Test(arguments: ["G", "GET /a HT", "\r\nGET /a HTTP/1.1"])
  func `A first line that is too slow is told once, with its answer's id`(_ start: String) throws {
    let (daemon, witness) = Witness.daemon { options in
      options.requestIDs = RequestIDs()
      options.deadlines.head = 1
    }
    let client = try daemon.client()
    client.send(start)
    let response = try #require(client.response())
    #expect(response.status == 408)
    #expect(client.isClosed())
    daemon.stop()
    let told = witness.refusals.withLock { $0 }
    #expect(told.map(\.refusal) == [.tooSlow])
    let name = try #require(response["x-request-id"])
    #expect(told.map(\.id) == [name])
    #expect(told.allSatisfy { $0.peer != .unknown })
  }

  @Test(arguments: [("", true), ("", false), ("GET / HT", true)])
  func `A connection that ends before its request does is nothing to tell`(
    _ start: String, _ isEndedByClient: Bool
  ) throws {
    let (daemon, witness) = Witness.daemon { $0.deadlines.head = 1 }
    let client = try daemon.client()
    client.send(start)
    if isEndedByClient { client.finish() }
    #expect(client.isClosed())
    daemon.stop()
    #expect(witness.refusals.withLock { $0.isEmpty })
  }

  @Test func `What the library refuses keeps its id and trace, where they have come`() throws {
    let (daemon, witness) = Witness.daemon()
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    let client = try daemon.client()
    client.send("GET /a HTTP/1.1\r\nX-Request-Id: r\r\ntraceparent: \(trace)\r\nX\r\n\r\n")
    #expect(client.allResponses().map(\.status) == [400])
    daemon.stop()
    let told = witness.refusals.withLock { $0 }
    #expect(told.map(\.id) == ["r"])
    #expect(told.map(\.glimpse.traceParent?.text) == [trace])
  }

  @Test func `Of many refused at once, each is answered once and by its own reason`() throws {
    let holding = Holding()
    let (daemon, witness) = Witness.daemon(handler: holding)
    let kinds: [(lines: String, reason: RejectionReason)] = [
      ("Host: a\r\nfoo", .malformedField),
      ("Host: a\r\nContent-Length: +5", .malformedLength),
      ("Host: a\r\nContent-Length: \(UInt64.max)0", .bodyTooLarge),
      ("Host: a\r\nContent-Length: 1\r\nfoo", .malformedField),
      ("X: y", .missingHost),
    ]
    let good = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    let clients = try (0..<20).map { _ in try daemon.client() }
    for client in clients {
      client.send(good)
      _ = client.response()
    }
    // While the one thread is held up, all of them arrive, so that it takes them in one go.
    let holder = try daemon.client()
    holder.send(good.replacing("/ ", with: "/hold "))
    holding.entered.wait()
    for (number, client) in clients.enumerated() {
      client.send("\(good)GET / HTTP/1.1\r\n\(kinds[number % kinds.count].lines)\r\n\r\n")
    }
    holding.go.signal()
    for (number, client) in clients.enumerated() {
      let reason = kinds[number % kinds.count].reason
      #expect(client.allResponses().map(\.status) == [200, reason.status], "\(reason)")
    }
    let end = ContinuousClock.now + .seconds(10)
    while daemon.connectionCount > 1, ContinuousClock.now < end { sched_yield() }
    let told = witness.refusals.withLock { $0 }
    let expected = clients.indices.map { kinds[$0 % kinds.count].reason.rawValue }
    #expect(told.map(\.refusal.rawValue).sorted() == expected.sorted())
    #expect(told.allSatisfy { $0.peer != .unknown })
  }

  @Test(arguments: [
    "Content-Length: +5\r\n", "Content-Length: 1048577\r\n",
    "Content-Length: 1\r\nContent-Length: 1\r\n",
    "Expect: tea\r\n", "X y: z\r\nExpect: tea\r\n".replacing("X y", with: "X()"),
  ])
  func `A refused request keeps its id, target and trace`(_ field: String) throws {
    let (daemon, witness) = Witness.daemon()
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    let client = try daemon.client()
    client.send(
      "POST /a?b=c HTTP/1.1\r\nHost: a\r\nX-Request-Id: r\r\ntraceparent: \(trace)\r\n\(field)\r\n")
    let response = try #require(client.response())
    #expect(response["x-request-id"] == "r")
    let told = try #require(witness.refusals.withLock { $0 }.first)
    #expect(response.status == told.refusal.status)
    #expect(told.id == "r")
    #expect(told.glimpse.target?.text == "/a?b=c")
    #expect(told.glimpse.traceParent?.text == trace)
  }

  @Test(arguments: [nil, "r"])
  func `A request whose body is too slow keeps its id and target, or gets an id`(
    _ given: String?
  ) throws {
    let (daemon, witness) = Witness.daemon { options in
      options.requestIDs = RequestIDs()
      options.deadlines.body = 1
    }
    let client = try daemon.client()
    let id = given.map { "X-Request-Id: \($0)\r\n" } ?? ""
    client.send("PUT /a?b HTTP/1.1\r\nHost: a\r\n\(id)Content-Length: 5\r\n\r\n1")
    let response = try #require(client.response())
    #expect(response.status == 408)
    // It is told after the answer, and before the connection is gone.
    daemon.stop()
    let told = witness.refusals.withLock { $0 }
    #expect(told.map(\.refusal) == [.tooSlow])
    #expect(told.map(\.glimpse.method?.text) == ["PUT"])
    #expect(told.map(\.glimpse.target?.text) == ["/a?b"])
    let name = try #require(response["x-request-id"])
    #expect(told.map(\.id) == [name])
    #expect(given == nil || given == name)
  }

  @Test func `Of a body that is not wanted, nobody is told that it is too slow`() throws {
    let (daemon, witness) = Witness.daemon { $0.deadlines.body = 1 }
    let client = try daemon.client()
    client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\n1")
    #expect(client.allResponses().map(\.status) == [413])
    let end = ContinuousClock.now + .seconds(10)
    while daemon.connectionCount > 0, ContinuousClock.now < end { sched_yield() }
    daemon.stop()
    #expect(witness.refusals.withLock { $0 }.map(\.refusal) == [.bodyTooLarge])
  }

  @Test func `A request keeps its id, which its answer repeats`() throws {
    let daemon = RunningDaemon()
    let client = try daemon.client()
    for (id, answered) in [
      ("a-1/B_2.~+=:@", "a-1/B_2.~+=:@"), ("two words", nil), ("a\"b", nil), ("", nil),
      (String(repeating: "a", count: 128), String(repeating: "a", count: 128)),
      (String(repeating: "a", count: 129), nil), ("a\r\nX-Request-Id: b", nil),
    ] {
      client.send("GET / HTTP/1.1\r\nHost: a\r\nX-Request-Id: \(id)\r\n\r\n")
      #expect(client.response()?["x-request-id"] == answered, "\(id)")
    }
  }

  @Test func `Where ids are wanted, a request without one gets one of its own`() throws {
    let kept = Response("text/plain", [1]).kept()
    let (daemon, witness) = Witness.daemon(handler: Fixed(kept)) { $0.requestIDs = RequestIDs() }
    let client = try daemon.client()
    let answered = (0..<3).map { _ in
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      return client.response()?["x-request-id"]
    }
    #expect(Set(answered.compactMap(\.self)).count == 3)
    #expect(witness.exchanges.withLock { $0 }.map(\.id) == answered)
  }

  @Test func `What went wrong is said to the operator, and to nobody else`() throws {
    let problem = Problem(status: 500, detail: "Damaged.", cause: "/srv/a.db is damaged")
    let daemon = RunningDaemon(handler: Fixed(problem.response))
    let client = try daemon.client()
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    let response = try #require(client.response())
    #expect(!response.head.contains("a.db") && !response.text.contains("a.db"))
    #expect(daemon.lines.all.contains { $0.contains("/srv/a.db is damaged") })
  }

  @Test func `A socket that listens already is taken over`() throws {
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
    // Who connects before the daemon is there is answered by it.
    let early = try RawClient(port: SocketAddress(boundTo: socket).port)
    var options = ServerOptions()
    options.listeningSocket = socket
    let daemon = RunningDaemon(options)
    early.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(early.response()?.status == 200)
    #expect(daemon.port == SocketAddress(boundTo: socket).port)
  }
}
