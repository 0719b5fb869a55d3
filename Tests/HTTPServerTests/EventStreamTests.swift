import HTTP
import HTTPServer
import Synchronization
import Testing

@Suite struct EventStreamTests {
  /// Opens a stream for each request and stores it.
  private final class Hub: Handler {
    private let streams = Mutex<[EventStream]>([])
    private let ended = Mutex(0)
    let changed: WakeupPipe

    init() throws { changed = try WakeupPipe() }

    func handle(_ request: Request) -> HandlerResult {
      guard request.path.equals("/events") else { return .response(Response(status: 204)) }
      let stream = EventStream { _ in
        self.ended.withLock { $0 += 1 }
        self.changed.wake()
      }
      streams.withLock { $0.append(stream) }
      changed.wake()
      var response = Response.events(stream)
      response.route = "/events"
      return .response(response)
    }

    func fields(rejecting head: PartialHead) -> [Field] {
      [Field("Access-Control-Allow-Origin", "*")]
    }

    var all: [EventStream] { streams.withLock { $0 } }

    /// Waits until enough streams were opened and ended, for at most `timeout`.
    func waitFor(opened: Int = 0, ended: Int = 0) -> Bool {
      let end = ContinuousClock.now + timeout
      while ContinuousClock.now < end {
        if all.count >= opened, self.ended.withLock({ $0 }) >= ended { return true }
        changed.wait(milliseconds: 100)
      }
      return false
    }
  }

  private func open(_ server: RunningServer, version: String = "1.1") throws -> RawClient {
    let client = try server.client(sending: "GET /events HTTP/\(version)\r\nHost: a\r\n\r\n")
    #expect(client.response()?["content-type"] == "text/event-stream")
    return client
  }

  @Test(arguments: ["1.1", "1.0"])
  func `events arrive at once, and the end of the stream ends the response`(
    _ version: String
  ) throws {
    let hub = try Hub()
    let server = RunningServer(handler: hub)
    let client = try open(server, version: version)
    #expect(hub.waitFor(opened: 1))
    for number in 0..<100 {
      hub.all[0].send(Event("revision", id: "\(number)", data: "{}"))
      #expect(client.receive(until: "event: revision\nid: \(number)\ndata: {}\n\n"))
    }
    hub.all[0].end()
    #expect(version == "1.0" ? client.isClosed() : client.receive(until: "0\r\n\r\n"))
    if version == "1.1" {
      client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.response()?.status == 204)
    }
  }

  @Test(arguments: ["1.1", "1.0"])
  func `HEAD gets a head without Content-Length and no body`(_ version: String) throws {
    let hub = try Hub()
    let server = RunningServer(handler: hub)
    let client = try server.client(sending: "HEAD /events HTTP/\(version)\r\nHost: a\r\n\r\n")
    let head = try #require(client.response(hasBody: false))
    #expect(head["content-type"] == "text/event-stream" && head["content-length"] == nil)
    #expect(client.allResponses().isEmpty && client.isClosed())
    #expect(hub.waitFor(ended: 1))
  }

  @Test func `many streams block no thread`() throws {
    let hub = try Hub()
    let server = RunningServer(handler: hub)
    let clients = try (0..<100).map { _ in try open(server) }
    #expect(hub.waitFor(opened: 100))
    let other = try server.client(sending: "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(other.response()?.status == 204)
    for stream in hub.all { stream.send(Event("a", data: "b")) }
    for client in clients { #expect(client.receive(until: "data: b\n\n")) }
  }

  @Test func `the server detects that a client has left a silent stream`() throws {
    let hub = try Hub()
    let server = RunningServer(handler: hub)
    _ = try open(server)
    #expect(hub.waitFor(opened: 1, ended: 1))
  }

  @Test func `a silent stream has heartbeats`() throws {
    var options = ServerOptions()
    options.heartbeat = 1
    let hub = try Hub()
    let server = RunningServer(options, handler: hub)
    let client = try open(server)
    #expect(client.receive(until: ":\n\n"))
    #expect(client.receive(until: ":\n\n"))
  }

  @Test func `the stream limit rejects a stream until another one ends`() throws {
    var options = ServerOptions()
    (options.threads, options.streamLimit) = (2, 3)
    let hub = try Hub()
    let server = RunningServer(options, handler: hub)
    let clients = try (0..<3).map { _ in try open(server) }
    let fourth = try server.client(sending: "GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
    let response = fourth.response()
    #expect(response?.status == 503)
    #expect(response?["retry-after"] != nil)
    #expect(
      response?["access-control-allow-origin"] == "*", "a page must be able to read the reason")
    #expect(response?["content-type"] == "application/problem+json")
    hub.all[0].end()
    #expect(clients[0].receive(until: "0\r\n\r\n"))
    // The server removes the stream after it has sent the last byte.
    let hasRoom = try waitUntil {
      let again = try server.client(sending: "GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
      return again.response()?.status == 200
    }
    #expect(hasRoom)
  }

  @Test func `a rejected event stream is recorded once, as 503 and by its route`() throws {
    let (server, recorder) = RunningServer.recorded(handler: try Hub()) { $0.streamLimit = 1 }
    let first = try open(server)
    let second = try server.client(sending: "GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
    let body = try #require(second.response()).body
    server.stop(grace: .zero)
    let recorded = recorder.exchanges
    #expect(recorded.map(\.status) == [200, 503])
    #expect(recorded.map(\.count) == [0, body.count])
    #expect(recorded.map { $0.route?.description } == ["/events", "/events"])
    withExtendedLifetime(first) {}
  }

  @Test func `a stop ends the streams at once`() throws {
    for grace in [Duration.seconds(60), .zero] {
      let hub = try Hub()
      let server = RunningServer(handler: hub)
      let clients = try (0..<20).map { _ in try open(server) }
      #expect(hub.waitFor(opened: 20))
      for stream in hub.all { stream.send(Event("last", data: "")) }
      let began = ContinuousClock.now
      server.stop(grace: grace)
      #expect(ContinuousClock.now - began < .seconds(60))
      #expect(hub.waitFor(ended: 20))
      if grace > .zero {
        for client in clients { #expect(client.receive(until: "event: last\ndata: \n\n")) }
      }
    }
  }
}
