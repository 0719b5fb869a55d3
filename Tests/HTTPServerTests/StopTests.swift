import Glibc
import HTTP
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct StopTests {
  private let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func `Nobody is listened to after a stop, and stopping again does nothing`() throws {
    let daemon = RunningDaemon()
    daemon.stop()
    daemon.stop()
    #expect(throws: RawClient.Failure.self) { try daemon.client() }
  }

  @Test func `A connection without a request ends, well before the grace is over`() throws {
    let daemon = RunningDaemon()
    let client = try daemon.client()
    client.send(get)
    #expect(client.response()?.status == 200)
    let began = ContinuousClock.now
    daemon.stop(grace: .seconds(9))
    #expect(client.isClosed())
    #expect(ContinuousClock.now - began < .seconds(5))
  }

  @Test func `A request that comes while stopping is answered as the last`() throws {
    let daemon = RunningDaemon()
    let client = try daemon.client()
    client.send("GET /a HTTP/1.1\r\nHo")
    let stopping = try Background { daemon.stop(grace: .seconds(8)) }
    // Refused from now on: the stop has begun.
    while (try? daemon.client()) != nil {}
    client.send("st: a\r\n\r\n")
    let response = client.response()
    #expect(response?.status == 200)
    #expect(client.isClosed())
    stopping.join()
  }

  @Test(arguments: 0..<10)
  func `Under load no answer is cut short`(_ round: Int) throws {
    let body = [UInt8](repeating: 5, count: 200_000)
    var options = ServerOptions()
    options.threads = 2
    let daemon = RunningDaemon(options, handler: Fixed(Response("text/plain", body)))
    let request = get
    let port = daemon.port
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
    while counts.whole < 20 * (round + 1) { sched_yield() }
    daemon.stop(grace: .seconds(8))
    counts.end()
    for client in clients { client.join() }
    #expect(counts.cut == 0)
    #expect(counts.whole >= 20)
  }

  /// The library is not to be stopped while it refuses something by itself: it crashes then.
  @Test func `A stop in the middle of the library's own refusals ends everything`() throws {
    for _ in 0..<40 {
      let daemon = RunningDaemon()
      let port = daemon.port
      let counts = Counts()
      let clients = try (0..<4).map { _ in
        try Background {
          while !counts.isOver, let client = try? RawClient(port: port) {
            client.send("GET /a HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n")
            if client.response()?.status == 400 { counts.add(isWhole: true) }
          }
        }
      }
      while counts.whole < 8 { sched_yield() }
      daemon.stop(grace: .zero)
      #expect(daemon.connectionCount == 0)
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
