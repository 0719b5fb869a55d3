import Dispatch
import Glibc
import HTTP
import Synchronization
import Testing

@testable import HTTPDaemon

/// Keeps what it is told.
private final class Witness: Observer {
  let exchanges = Mutex<[Exchange]>([])
  let refusals = Mutex<[Refusal]>([])

  func answered(_ exchange: Exchange, by worker: Int) { exchanges.withLock { $0.append(exchange) } }
  func refused(_ refusal: Refusal, from peer: Peer) { refusals.withLock { $0.append(refusal) } }
}

/// Answers after the thread that asked has gone on.
private struct Later: Handler {
  func answer(_ request: Request) -> Answer {
    .later { done in
      DispatchQueue.global().async { done(Response("text/plain", [1, 2, 3])) }
    }
  }
}

@Suite struct ObserverTests {
  @Test func `Each exchange is told once, its body counted as it was sent`() throws {
    let witness = Witness()
    var options = DaemonOptions()
    options.observers = [witness]
    let daemon = RunningDaemon(options)
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
    let witness = Witness()
    var options = DaemonOptions()
    options.observers = [witness]
    let daemon = RunningDaemon(options, handler: Later())
    let client = try daemon.client()
    client.send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.response()?.body.count == 3)
    #expect(witness.exchanges.withLock { $0 }.map(\.count) == [3])
  }

  @Test func `What the gate refuses is told by its reason`() throws {
    let witness = Witness()
    var options = DaemonOptions()
    options.observers = [witness]
    let daemon = RunningDaemon(options)
    let client = try daemon.client()
    client.send("GET / HTTP/1.1\r\n\r\n")
    #expect(client.response()?.status == 400)
    #expect(witness.refusals.withLock { $0 } == [.missingHost])
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
    let witness = Witness()
    var options = DaemonOptions()
    options.observers = [witness]
    options.requestIDs = RequestIDs()
    let kept = Response("text/plain", [1]).kept()
    let daemon = RunningDaemon(options, handler: Fixed(kept))
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
    var options = DaemonOptions()
    options.listeningSocket = socket
    let daemon = RunningDaemon(options)
    early.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(early.response()?.status == 200)
    #expect(daemon.port == SocketAddress(boundTo: socket).port)
  }
}
