import Glibc
import HTTP
import Testing

@testable import HTTPServer

@Suite struct LimitTests {
  private let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func `A port in use is named`() {
    let daemon = RunningDaemon()
    var options = ServerOptions()
    options.port = daemon.port
    let error = #expect(throws: ServerError.portInUse(host: "127.0.0.1", port: daemon.port)) {
      _ = try Server(options, handler: EchoHandler())
    }
    #expect(error?.description.contains("\(daemon.port)") == true)
  }

  @Test func `A host that is none is named`() {
    var options = ServerOptions()
    options.host = "no such host"
    #expect(throws: ServerError.self) { _ = try Server(options, handler: EchoHandler()) }
  }

  @Test func `IPv6 is listened on where it is asked for`() {
    var options = ServerOptions()
    options.host = "::1"
    options.port = 0
    // A machine without IPv6 says that the address cannot be had, and that it is this address.
    do throws(ServerError) {
      #expect(try Server(options, handler: EchoHandler()).port > 0)
    } catch {
      #expect(error.description.contains("::1"))
    }
  }

  @Test func `One connection too many is told to come again, and can once one has gone`() throws {
    var options = ServerOptions()
    options.connectionLimit = 3
    options.threads = 2
    let daemon = RunningDaemon(options)
    var clients = try (0..<3).map { _ in try daemon.client() }
    for client in clients {
      client.send(get)
      #expect(client.response()?.status == 200)
    }
    let fourth = try daemon.client()
    fourth.send(get)
    let refused = fourth.response()
    #expect(refused?.status == 503)
    #expect(refused?["retry-after"] != nil)
    #expect(refused?["date"]?.hasSuffix(" GMT") == true)
    #expect(fourth.isClosed())
    clients.removeFirst()
    var status: Int?
    for _ in 0..<1000 where status != 200 {
      let again = try daemon.client()
      again.send(get)
      status = again.response()?.status
    }
    #expect(status == 200)
  }

  @Test func `One address has no more connections than it may`() throws {
    var options = ServerOptions()
    options.connectionLimitPerAddress = 2
    let daemon = RunningDaemon(options)
    let clients = try (0..<3).map { _ in try daemon.client() }
    let statuses = clients.map { client in
      client.send(get)
      return client.response()?.status
    }
    #expect(statuses == [200, 200, 503])
  }

  @Test(arguments: [12 * 1024, 40_000], [1, 8, 4000])
  func `A head is answered up to the limit, whatever its cookies, and above it told so once`(
    _ limit: Int, _ cookieLength: Int
  ) throws {
    var options = ServerOptions()
    options.gate.headLimit = limit
    let daemon = RunningDaemon(options, handler: Fixed(Response("text/plain", [1])))
    let start = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: a"
    let cookies = "=" + String(repeating: "b", count: cookieLength) + "; a"
    for (count, status) in [
      (8400, 200), (limit - 1, 200), (limit, 200), (limit + 1, 431), (limit + 500, 431),
      (limit * 2, 431), (limit * 5, 431),
    ] {
      let room = count - start.utf8.count - 4
      let head = start + String(repeating: cookies, count: room / cookies.count + 1).prefix(room)
      let client = try daemon.client()
      client.send(head + "\r\n\r\n")
      let responses = client.allResponses()
      #expect(responses.map(\.status) == [status], "\(count) bytes")
      #expect(responses.allSatisfy { $0.isWhole && !$0.text.hasPrefix("HTTP/") })
    }
  }

  @Test(arguments: [(64, 200), (65, 431), (200, 431), (1000, 431), (4000, 431)])
  func `So many fields are let through, and more are answered 431`(
    _ count: Int, _ status: Int
  ) throws {
    let daemon = RunningDaemon(handler: Fixed(Response("text/plain", [1])))
    // As long as they may be together.
    let room = max((12 * 1024 - 200) / count - 8, 0)
    let fields = (0..<count - 2).map { "A\($0): \(String(repeating: "b", count: room))\r\n" }
    let client = try daemon.client()
    client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(fields.joined())\r\n")
    #expect(client.allResponses().map(\.status) == [status])
  }

  @Test(arguments: [
    ("", nil), ("GET / HT", 408), ("G", 408), ("GET / HTTP/1.1\r\nHost: a\r\nX: ", 408),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345", 408),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n123", 408),
  ])
  func `A client that dawdles is shut out, and told in the middle of a request`(
    _ start: String, _ status: Int?
  ) throws {
    var options = ServerOptions()
    options.deadlines.head = 1
    options.deadlines.body = 1
    let daemon = RunningDaemon(options)
    let client = try daemon.client()
    client.send(start)
    #expect(client.response()?.status == status)
    #expect(client.isClosed())
  }

  @Test(arguments: ["", "GET / HT", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1"])
  func `A client that goes is nothing to tell the operator`(_ start: String) throws {
    let daemon = RunningDaemon()
    do {
      let client = try daemon.client()
      client.send(start)
      let other = try daemon.client()
      other.send(get)
      #expect(other.response()?.status == 200)
    }
    let end = ContinuousClock.now + .seconds(10)
    while daemon.connectionCount > 0, ContinuousClock.now < end { sched_yield() }
    #expect(daemon.connectionCount == 0)
    #expect(daemon.lines.all.isEmpty)
  }

  @Test func `A clock that is read a moment too early has not run out`() {
    let clock = PhaseClock(.head, sending: 0, since: Milliseconds(value: 1000))
    #expect(clock.elapsed(at: Milliseconds(value: 996)) == 0)
    #expect(clock.elapsed(at: Milliseconds(value: 1000)) == 0)
    #expect(clock.elapsed(at: Milliseconds(value: 21_000)) == 20_000)
    let late = PhaseClock(.head, sending: 0, since: Milliseconds(value: 0xFF_FFFF_FFF0))
    #expect(late.elapsed(at: Milliseconds(value: 0x100_0000_0010)) == 32)
  }

  @Test func `Bodies have so much room together, which comes free again`() throws {
    var options = ServerOptions()
    options.gate.bodyLimit = 10_000
    options.bodyBudget = 25_000
    let daemon = RunningDaemon(options)
    let start = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n"
    let most = String(repeating: "a", count: 9999)
    let clients = try (0..<2).map { _ in try daemon.client() }
    for client in clients { client.send(start + most) }
    // Until both have been read, a third may find room.
    var refused: RawResponse?
    for _ in 0..<1000 where refused?.status != 503 {
      let third = try daemon.client()
      third.send(start + most + "a")
      refused = third.response()
    }
    #expect(refused?.status == 503)
    #expect(refused?["retry-after"] != nil)
    for client in clients {
      client.send("a")
      #expect(client.response()?.status == 200)
    }
    var status: Int?
    for _ in 0..<1000 where status != 200 {
      let again = try daemon.client()
      again.send(start + most + "a")
      status = again.response()?.status
    }
    #expect(status == 200)
  }

  @Test func `A body that never ends gives its room back when its client goes`() throws {
    var options = ServerOptions()
    options.gate.bodyLimit = 10_000
    options.bodyBudget = 10_000
    // The library does not see an end that comes together with a piece of a body; the deadline does.
    options.deadlines.body = 1
    let daemon = RunningDaemon(options)
    let start = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n"
    let whole = start + String(repeating: "a", count: 10_000)
    for _ in 0..<5 {
      let client = try daemon.client()
      client.send(start + "aaa")
    }
    var status: Int?
    let end = ContinuousClock.now + .seconds(10)
    while status != 200, ContinuousClock.now < end {
      let client = try daemon.client()
      client.send(whole)
      status = client.response()?.status
    }
    #expect(status == 200)
  }

  @Test func `The largest head, of as many fields as there may be, leaves room for its answer`()
    throws
  {
    let gate = HeadParser()
    let daemon = RunningDaemon(ServerOptions())
    let client = try daemon.client()
    let lines = (1..<gate.fieldLimit).map { "X\($0): a\r\n" }.joined()
    let start = "GET / HTTP/1.1\r\nHost: a\r\n\(lines)"
    let filled =
      start.dropLast(2) + String(repeating: "a", count: gate.headLimit - start.utf8.count - 2)
    client.send("\(filled)\r\n\r\n")
    #expect(client.response()?.status == 200)
    client.send("\(start)X: one too many\r\n\r\n")
    #expect(client.response()?.status == 431)
  }

  @Test func `A connection without requests is closed`() throws {
    var options = ServerOptions()
    options.deadlines.idle = 1
    let daemon = RunningDaemon(options)
    let client = try daemon.client()
    client.send(get)
    #expect(client.response()?.status == 200)
    #expect(client.isClosed())
  }

  @Test(arguments: [(1, 60, 1 << 30), (60, 1, 1)])
  func `A client that does not take its response is shut out`(
    response: Int, idle: Int, slowestRate: Int
  ) throws {
    var options = ServerOptions()
    options.deadlines.response = response
    options.deadlines.idle = idle
    options.deadlines.slowestRate = slowestRate
    let body = [UInt8](repeating: 1, count: 10_000_000)
    let daemon = RunningDaemon(options, handler: Fixed(Response("text/plain", body)))
    let client = try RawClient(port: daemon.port, receiveBuffer: 4096)
    client.send(get)
    let end = ContinuousClock.now + .seconds(10)
    while daemon.connectionCount > 0, ContinuousClock.now < end { sched_yield() }
    #expect(daemon.connectionCount == 0)
  }
}
