import HTTP
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct EventsTests {
  /// Opens a stream for each request, and keeps it.
  private final class Hub: Handler {
    private let streams = Mutex<[EventStream]>([])
    private let ended = Mutex(0)
    let changed: WakeupPipe

    init() throws { changed = try WakeupPipe() }

    func answer(_ request: Request) -> Answer {
      guard request.path.spells("/events") else { return .response(Response(status: 204)) }
      let stream = EventStream {
        self.ended.withLock { $0 += 1 }
        self.changed.ring()
      }
      streams.withLock { $0.append(stream) }
      changed.ring()
      return .response(.events(stream))
    }

    func fields(refusing glimpse: PartialHead) -> [Field] {
      [Field("Access-Control-Allow-Origin", "*")]
    }

    var all: [EventStream] { streams.withLock { $0 } }

    /// Waits until so many streams have been opened and ended, at most ten seconds.
    func waitFor(opened: Int = 0, ended: Int = 0) -> Bool {
      let end = ContinuousClock.now + .seconds(10)
      while ContinuousClock.now < end {
        if all.count >= opened, self.ended.withLock({ $0 }) >= ended { return true }
        changed.wait(milliseconds: 100)
      }
      return false
    }
  }

  private func open(_ daemon: RunningDaemon, version: String = "1.1") throws -> RawClient {
    let client = try daemon.client()
    client.send("GET /events HTTP/\(version)\r\nHost: a\r\n\r\n")
    #expect(client.response()?["content-type"] == "text/event-stream")
    return client
  }

  @Test(arguments: ["1.1", "1.0"])
  func `Events arrive when they happen, and an end ends the response`(_ version: String) throws {
    let hub = try Hub()
    let daemon = RunningDaemon(handler: hub)
    let client = try open(daemon, version: version)
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
  func `HEAD gets a head without a length, and nothing else`(_ version: String) throws {
    let hub = try Hub()
    let daemon = RunningDaemon(handler: hub)
    let client = try daemon.client()
    client.send("HEAD /events HTTP/\(version)\r\nHost: a\r\n\r\n")
    let head = try #require(client.response(hasBody: false))
    #expect(head["content-type"] == "text/event-stream" && head["content-length"] == nil)
    #expect(client.allResponses().isEmpty && client.isClosed())
    #expect(hub.waitFor(ended: 1))
  }

  @Test func `Many streams hold no thread`() throws {
    let hub = try Hub()
    let daemon = RunningDaemon(handler: hub)
    let clients = try (0..<100).map { _ in try open(daemon) }
    #expect(hub.waitFor(opened: 100))
    let other = try daemon.client()
    other.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(other.response()?.status == 204)
    for stream in hub.all { stream.send(Event("a", data: "b")) }
    for client in clients { #expect(client.receive(until: "data: b\n\n")) }
  }

  @Test func `A client that left is noticed though nothing is sent`() throws {
    let hub = try Hub()
    let daemon = RunningDaemon(handler: hub)
    _ = try open(daemon)
    #expect(hub.waitFor(opened: 1, ended: 1))
  }

  @Test func `A quiet stream has a heartbeat`() throws {
    var options = ServerOptions()
    options.heartbeat = 1
    let hub = try Hub()
    let daemon = RunningDaemon(options, handler: hub)
    let client = try open(daemon)
    #expect(client.receive(until: ":\n\n"))
    #expect(client.receive(until: ":\n\n"))
  }

  @Test func `Streams have a limit of their own, and one that ended makes room`() throws {
    var options = ServerOptions()
    options.streamLimit = 2
    let hub = try Hub()
    let daemon = RunningDaemon(options, handler: hub)
    let clients = try (0..<2).map { _ in try open(daemon) }
    let third = try daemon.client()
    third.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
    let response = third.response()
    #expect(response?.status == 503)
    #expect(response?["retry-after"] != nil)
    #expect(response?["access-control-allow-origin"] == "*", "a page has to see why")
    #expect(response?["content-type"] == "application/problem+json")
    hub.all[0].end()
    #expect(clients[0].receive(until: "0\r\n\r\n"))
    // Its response may still be under way, a moment longer than its last byte.
    var status: Int?
    for _ in 0..<100 where status != 200 {
      let again = try daemon.client()
      again.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
      status = again.response()?.status
    }
    #expect(status == 200)
  }

  @Test func `Stopping ends the streams, at once with grace and without`() throws {
    for grace in [Duration.seconds(8), .zero] {
      let hub = try Hub()
      let daemon = RunningDaemon(handler: hub)
      let clients = try (0..<20).map { _ in try open(daemon) }
      #expect(hub.waitFor(opened: 20))
      for stream in hub.all { stream.send(Event("last", data: "")) }
      let began = ContinuousClock.now
      daemon.stop(grace: grace)
      #expect(ContinuousClock.now - began < .seconds(4))
      #expect(hub.waitFor(ended: 20))
      if grace > .zero {
        for client in clients { #expect(client.receive(until: "event: last\ndata: \n\n")) }
      }
    }
  }
}
