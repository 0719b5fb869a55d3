import Glibc
import HTTP
import HTTPServer
import Synchronization
import Testing

@Suite struct DeferredResponseTests {
  /// Answers with the path when the test calls `answerAll`.
  private final class Slow: Handler {
    private struct State {
      var waiting: [(path: [UInt8], responder: Responder)] = []
    }

    private let state = Mutex(State())
    let arrived: WakeupPipe

    init() throws { arrived = try WakeupPipe() }

    func handle(_ request: Request) -> HandlerResult {
      .deferred { responder in
        self.state.withLock { $0.waiting.append((Array(request.path), responder)) }
        self.arrived.wake()
      }
    }

    func onHeaders(of request: Request) -> HandlerResult { handle(request) }

    func fields(rejecting head: PartialHead) -> [Field] {
      [Field("Access-Control-Allow-Origin", head.origin?.text ?? "")]
    }

    /// Waits until `count` requests have arrived, for at most `timeout`.
    func waitFor(_ count: Int) {
      let end = ContinuousClock.now + timeout
      while state.withLock({ $0.waiting.count }) < count, ContinuousClock.now < end {
        arrived.wait(milliseconds: 100)
      }
    }

    /// The number of waiting clients that are still connected.
    var awaitedCount: Int { state.withLock { $0.waiting.count { $0.responder.isClientWaiting } } }

    func answerAll() {
      let waiting = state.withLock { state in
        defer { state.waiting = [] }
        return state.waiting
      }
      for (path, responder) in waiting {
        responder(Response("text/plain", path))
        responder(Response("text/plain", Array("twice".utf8)))
        #expect(!responder.isClientWaiting)
      }
    }
  }

  private func ask(_ server: RunningServer, _ path: String) throws -> RawClient {
    let client = try server.client(sending: "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
    return client
  }

  @Test func `a deferred response blocks no thread`() throws {
    let slow = try Slow()
    let server = RunningServer(handler: slow)
    let clients = try (0..<100).map { try ask(server, "/\($0)") }
    slow.waitFor(100)
    slow.answerAll()
    for (index, client) in clients.enumerated() {
      let response = client.response()
      #expect(response?.text == "/\(index)")
      #expect(response?.closes == false)
    }
    // The connection stays open, also after a request with a body.
    clients[0].send(
      "POST /again HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nabGET /n HTTP/1.1\r\n")
    slow.waitFor(1)
    slow.answerAll()
    #expect(clients[0].response()?.text == "/again")
    clients[0].send("Host: a\r\n\r\n")
    slow.waitFor(1)
    slow.answerAll()
    #expect(clients[0].response()?.text == "/n")
  }

  @Test(arguments: ["GET /a HTTP/1.1\r\n", "POST /a HTTP/1.1\r\nContent-Length: 3\r\n"])
  func `a client that has closed its sending half gets its deferred response`(
    _ start: String
  ) throws {
    let slow = try Slow()
    let server = RunningServer(handler: slow)
    let client = try server.client()
    client.send(start + "Host: a\r\n\r\n" + (start.hasPrefix("POST") ? "abc" : ""))
    client.finish()
    slow.waitFor(1)
    #expect(slow.awaitedCount == 1)
    slow.answerAll()
    #expect(client.response()?.text == "/a")
    #expect(client.isClosed())
  }

  @Test func `a half-closed connection ends after its answer`() throws {
    let server = RunningServer()
    for _ in 0..<20 {
      let client = try server.client(sending: "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      client.finish()
      #expect(client.response()?.status == 200)
      #expect(client.isClosed())
    }
  }

  @Test func `a response that is delivered at once arrives, and a dropped request gets 503`() throws
  {
    struct AtOnce: Handler {
      func handle(_ request: Request) -> HandlerResult {
        .deferred { responder in
          if request.path.count == 1 { responder(Response("text/plain", Array("now".utf8))) }
        }
      }
    }
    let server = RunningServer(handler: AtOnce())
    let client = try server.client()
    for _ in 0..<100 {
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.response()?.text == "now")
      client.send("GET /dropped HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.response()?.status == 503)
    }
  }

  @Test func `a responder knows whether its client has reset the connection`() throws {
    let slow = try Slow()
    let server = RunningServer(handler: slow)
    let stays = try ask(server, "/stays")
    for _ in 0..<3 { try ask(server, "/leaves").resetAtEnd() }
    slow.waitFor(4)
    #expect(waitUntil { slow.awaitedCount == 1 })
    slow.answerAll()
    #expect(stays.response()?.text == "/stays")
  }

  @Test func `a client may leave before its response`() throws {
    let slow = try Slow()
    let server = RunningServer(handler: slow)
    for index in 0..<20 {
      let client = try ask(server, "/")
      if index % 2 == 0 { client.resetAtEnd() }
    }
    slow.waitFor(20)
    slow.answerAll()
    let client = try ask(server, "/still")
    slow.waitFor(1)
    slow.answerAll()
    #expect(client.response()?.text == "/still")
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\n", "PUT / HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n",
  ])
  func `nothing is kept of a request whose client has left`(_ head: String) throws {
    let slow = try Slow()
    let server = RunningServer(handler: slow)
    for _ in 0..<20 { try server.client().send(head + "Host: a\r\n\r\n") }
    slow.waitFor(20)
    slow.answerAll()
    #expect(waitUntil { server.deferredCount == 0 })
  }

  @Test func `a half-closed client that reads nothing has a deadline`() throws {
    let server = RunningServer(handler: NewBodyHandler(20_000_000, isDeferred: true)) {
      $0.deadlines.response = 1
      $0.deadlines.minimumRate = 1 << 30
    }
    let client = try RawClient(port: server.port, receiveBuffer: 4096)
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    client.finish()
    #expect(client.status() == 200)
    #expect(server.waitForConnections(0))
  }

  @Test func `an event stream that is delivered after the stop ends`() throws {
    let holding = HoldingHandler()
    let server = RunningServer(handler: holding)
    let client = try ask(server, "/")
    #expect(waitUntil { holding.count == 1 })
    server.stop(grace: .zero)
    let ended = Atomic(false)
    holding.answerAll(.events(EventStream { _ in ended.store(true, ordering: .relaxed) }))
    let hasEnded = ended.load(ordering: .relaxed)
    #expect(hasEnded)
    withExtendedLifetime(client) {}
  }

  @Test func `a stop answers pending requests with 503`() throws {
    let slow = try Slow()
    let server = RunningServer(handler: slow) { $0.threads = 2 }
    let clients = try (0..<10).map { number in
      let client = try server.client()
      client.send("GET / HTTP/1.1\r\nHost: a\r\nOrigin: http://\(number)\r\n\r\n")
      return client
    }
    slow.waitFor(10)
    server.stop(grace: .milliseconds(100))
    for (number, client) in clients.enumerated() {
      guard let response = client.response() else { continue }
      #expect(response.status == 503)
      #expect(response["access-control-allow-origin"] == "http://\(number)")
    }
    slow.answerAll()
  }

  @Test func `a stop waits for pending responses during the grace period`() throws {
    let slow = try Slow()
    let server = RunningServer(handler: slow)
    let client = try ask(server, "/a")
    slow.waitFor(1)
    let stopping = try Background { server.stop(grace: timeout) }
    slow.answerAll()
    let response = client.response()
    #expect(response?.text == "/a")
    #expect(client.isClosed())
    stopping.join()
  }
}
