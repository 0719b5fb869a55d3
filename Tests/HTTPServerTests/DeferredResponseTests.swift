import Glibc
import HTTP
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct LateAnswerTests {
  /// Answers later, with the path, when the test says so.
  private final class Slow: Handler {
    private struct State {
      var waiting: [(path: [UInt8], delivery: Responder)] = []
      var wanted = 0
      var woken: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    let arrived: WakeupPipe

    init() throws { arrived = try WakeupPipe() }

    func answer(_ request: Request) -> Answer {
      .later { delivery in
        self.state.withLock { $0.waiting.append((Array(request.path), delivery)) }
        self.arrived.ring()
      }
    }

    func fields(refusing glimpse: PartialHead) -> [Field] {
      [Field("Access-Control-Allow-Origin", glimpse.origin?.text ?? "")]
    }

    /// Waits until `count` requests have come, at most ten seconds.
    func waitFor(_ count: Int) {
      let end = ContinuousClock.now + .seconds(10)
      while state.withLock({ $0.waiting.count }) < count, ContinuousClock.now < end {
        arrived.wait(milliseconds: 100)
      }
    }

    /// How many of the clients are there that wait.
    var awaitedCount: Int { state.withLock { $0.waiting.count { $0.delivery.isAwaited } } }

    func answerAll() {
      let waiting = state.withLock { state in
        defer { state.waiting = [] }
        return state.waiting
      }
      for (path, delivery) in waiting {
        delivery(Response("text/plain", path))
        delivery(Response("text/plain", Array("twice".utf8)))
        #expect(!delivery.isAwaited)
      }
    }
  }

  private func ask(_ daemon: RunningDaemon, _ path: String) throws -> RawClient {
    let client = try daemon.client()
    client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
    return client
  }

  @Test func `No thread waits for an answer that comes later`() throws {
    let slow = try Slow()
    let daemon = RunningDaemon(handler: slow)
    let clients = try (0..<100).map { try ask(daemon, "/\($0)") }
    slow.waitFor(100)
    slow.answerAll()
    for (index, client) in clients.enumerated() {
      let response = client.response()
      #expect(response?.text == "/\(index)")
      #expect(response?.closes == false)
    }
    // The connection goes on, and a body before a late answer is no trouble.
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

  @Test func `An answer handed over at once is an answer`() throws {
    struct AtOnce: Handler {
      func answer(_ request: Request) -> Answer {
        .later { $0(Response("text/plain", Array("now".utf8))) }
      }
    }
    let daemon = RunningDaemon(handler: AtOnce())
    let client = try daemon.client()
    for _ in 0..<100 {
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.response()?.text == "now")
    }
  }

  @Test func `Whoever makes an answer can tell whether its client has left`() throws {
    let slow = try Slow()
    let daemon = RunningDaemon(handler: slow)
    let stays = try ask(daemon, "/stays")
    for _ in 0..<3 { _ = try ask(daemon, "/leaves") }
    slow.waitFor(4)
    let end = ContinuousClock.now + .seconds(10)
    while slow.awaitedCount > 1, ContinuousClock.now < end { sched_yield() }
    #expect(slow.awaitedCount == 1)
    slow.answerAll()
    #expect(stays.response()?.text == "/stays")
  }

  @Test func `A client that left does no harm`() throws {
    let slow = try Slow()
    let daemon = RunningDaemon(handler: slow)
    for _ in 0..<20 { _ = try ask(daemon, "/") }
    slow.waitFor(20)
    slow.answerAll()
    let client = try ask(daemon, "/still")
    slow.waitFor(1)
    slow.answerAll()
    #expect(client.response()?.text == "/still")
  }

  @Test func `Stopping answers for handlers that are still at work`() throws {
    let slow = try Slow()
    var options = ServerOptions()
    options.threads = 2
    let daemon = RunningDaemon(options, handler: slow)
    let clients = try (0..<10).map { number in
      let client = try daemon.client()
      client.send("GET / HTTP/1.1\r\nHost: a\r\nOrigin: http://\(number)\r\n\r\n")
      return client
    }
    slow.waitFor(10)
    daemon.stop(grace: .milliseconds(100))
    for (number, client) in clients.enumerated() {
      guard let response = client.response() else { continue }
      #expect(response.status == 503)
      #expect(response["access-control-allow-origin"] == "http://\(number)")
    }
    slow.answerAll()
  }

  @Test func `A handler that is done within the grace is heard`() throws {
    let slow = try Slow()
    let daemon = RunningDaemon(handler: slow)
    let client = try ask(daemon, "/a")
    slow.waitFor(1)
    let stopping = try Background { daemon.stop(grace: .seconds(8)) }
    slow.answerAll()
    let response = client.response()
    #expect(response?.text == "/a")
    #expect(client.isClosed())
    stopping.join()
  }
}

/// A thread of the test's own.
final class Background {
  private var thread = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) throws {
    final class Box {
      let body: @Sendable () -> Void;
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let box = Unmanaged.passRetained(Box(body))
    let outcome = pthread_create(
      &thread, nil,
      { box in
        if let box { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    guard outcome == 0 else { throw RawClient.Failure(reason: "no thread") }
  }

  func join() { pthread_join(thread, nil) }
}
