import HTTP
import HTTPServer
import Synchronization
import Testing

@Suite struct StopTests {
  private let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func `a stopped server accepts no connection, and a second stop does nothing`() throws {
    let server = RunningServer()
    server.stop()
    server.stop()
    #expect(throws: RawClient.Failure.self) { try server.client() }
  }

  @Test func `an idle connection ends before the end of the grace period`() throws {
    let server = RunningServer()
    let client = try server.client(sending: get)
    #expect(client.response()?.status == 200)
    let (began, grace) = (ContinuousClock.now, Duration.seconds(60))
    server.stop(grace: grace)
    #expect(client.isClosed())
    #expect(ContinuousClock.now - began < grace)
  }

  @Test func `a request during a stop is answered and closes the connection`() throws {
    let server = RunningServer()
    let client = try server.client(sending: "GET /a HTTP/1.1\r\nHo")
    let stopping = try Background { server.stop(grace: timeout) }
    // The stop has begun when the server accepts no connection.
    #expect(waitUntil { (try? server.client()) == nil })
    client.send("st: a\r\n\r\n")
    let response = client.response()
    #expect(response?.status == 200)
    #expect(client.isClosed())
    stopping.join()
  }

  @Test func `a change that runs when the grace ends gets its own answer, and no other begins`()
    throws
  {
    let handler = HoldingHandler()
    let server = RunningServer(handler: handler)
    let clients = try (1...2).map { count in
      let client = try server.client(sending: get)
      #expect(waitUntil { handler.count == count })
      return client
    }
    let unknown = Problem.unavailable("The change may have been made.")
    #expect(handler.beginCommit(0, orAtStop: unknown))
    server.stop(grace: .zero)
    let answers = clients.map { $0.response() }
    #expect(answers.map { $0?.status } == [503, 503])
    #expect(answers[0]?.text.contains("may have been made") == true)
    #expect(answers[1]?.text.contains("is stopping") == true)
    #expect(!handler.beginCommit(1, orAtStop: unknown))
    handler.answerAll()
  }

  @Test(arguments: 0..<10)
  func `a stop under load truncates no response`(_ round: Int) throws {
    let body = [UInt8](repeating: 5, count: 200_000)
    let server = RunningServer(handler: FixedHandler(Response("text/plain", body))) {
      $0.threads = 2
    }
    let request = get
    let port = server.port
    let counts = Counts()
    let clients = try (0..<8).map { _ in
      try Background {
        while !counts.isOver, let client = try? RawClient(port: port) {
          for _ in 0..<20 {
            client.send(request)
            guard let response = client.response() else { break }
            counts.add(isWhole: response.isWhole)
            if response.closes { break }
          }
        }
      }
    }
    #expect(waitUntil { counts.whole >= 20 * (round + 1) })
    server.stop(grace: timeout)
    counts.end()
    for client in clients { client.join() }
    #expect(counts.cut == 0)
    #expect(counts.whole >= 20)
  }

  /// libmicrohttpd crashes if it rejects a request while it is stopped.
  @Test func `a stop during rejections by libmicrohttpd closes all connections`() throws {
    for _ in 0..<40 {
      let server = RunningServer()
      let port = server.port
      let counts = Counts()
      let clients = try (0..<4).map { _ in
        try Background {
          while !counts.isOver, let client = try? RawClient(port: port) {
            client.send("GET /a HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n")
            if client.response()?.status == 400 { counts.add(isWhole: true) }
          }
        }
      }
      #expect(waitUntil { counts.whole >= 8 })
      server.stop(grace: .zero)
      #expect(server.connectionCount == 0)
      counts.end()
      for client in clients { client.join() }
    }
  }

  private final class Counts: Sendable {
    private let counts = Mutex((whole: 0, cut: 0, isOver: false))

    func add(isWhole: Bool) {
      counts.withLock { if isWhole { $0.whole += 1 } else { $0.cut += 1 } }
    }

    func end() { counts.withLock { $0.isOver = true } }

    var isOver: Bool { counts.withLock { $0.isOver } }
    var whole: Int { counts.withLock { $0.whole } }
    var cut: Int { counts.withLock { $0.cut } }
  }
}
