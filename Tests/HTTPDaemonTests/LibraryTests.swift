import HTTP
import Synchronization
import Testing

@testable import HTTPDaemon

/// What this module takes for granted of libmicrohttpd, pinned: a version that does otherwise fails
/// here and not in front of an attacker.
@Suite struct LibraryTests {
  /// Keeps the bytes of the heads that arrive.
  private final class Spy: Handler {
    let heads = Mutex<[[UInt8]]>([])

    func answer(_ request: Request) -> Answer {
      heads.withLock { $0.append(request.head.bytes) }
      return .response(Response(status: 204))
    }
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /? HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /a?b=c&d=%20+e&&=?# HTTP/1.1\r\nHost: a\r\n\r\n".replacing("#", with: ""),
    "GET / HTTP/1.0\r\n\r\n",
    "HEAD / HTTP/1.1\r\nHost:a\r\nX:\r\nY: \r\nZ: : \t z \t\r\nCookie: a=b; c=\"d\"\r\n\r\n",
    "POST http://a:1/b%3Fc HTTP/1.1\r\nHost: a:1\r\nContent-Length: 0\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\n"
      + (0..<99).map { "X-\($0): \(String(repeating: "y", count: 100))\r\n" }.joined() + "\r\n",
  ])
  func `A head is put together again byte for byte, alone, in a row and in pieces`(
    _ text: String
  ) throws {
    let spy = Spy()
    let daemon = RunningDaemon(handler: spy)
    let head = Array(text.utf8)
    let client = try daemon.client()
    client.send(head + head + head)
    for _ in 0..<3 { _ = client.response(hasBody: false) }
    let other = try daemon.client()
    for byte in head { other.send(CollectionOfOne(byte)) }
    #expect(other.response(hasBody: false)?.status == 204)
    let expected = text.contains("HTTP/1.0") ? 2 : 4
    #expect(spy.heads.withLock { $0 } == Array(repeating: head, count: expected))
  }

  @Test func `NUL LF reads like CR LF, the only bytes that cannot be told apart`() throws {
    let spy = Spy()
    let daemon = RunningDaemon(handler: spy)
    let client = try daemon.client()
    client.send("GET / HTTP/1.1\r\nHost: a\u{0}\n\r\n")
    #expect(client.response()?.status == 204)
    #expect(spy.heads.withLock { $0 } == [Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)])
  }

  @Test func `What the library answers by itself closes the connection`() throws {
    let daemon = RunningDaemon()
    for (request, status) in [
      ("GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", 400),
      ("GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505),
      ("GET /\(String(repeating: "a", count: 30_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
      ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 30_000))\r\n\r\n", 431),
    ] {
      let client = try daemon.client()
      client.send(request)
      let response = client.response()
      #expect(response?.status == status)
      #expect(response?.closes == true)
    }
    let client = try daemon.client()
    client.send("nonsense\r\n\r\n")
    #expect(client.isClosed())
  }

  @Test func `A client cannot flood the log`() throws {
    let daemon = RunningDaemon()
    for _ in 0..<200 {
      let client = try daemon.client()
      client.send("GET / HTTP/1.1\r\nX\r\n\r\n")
      #expect(client.response()?.status == 400)
    }
    let lines = daemon.lines.all
    #expect(!lines.isEmpty)
    #expect(lines.count < 60)
    #expect(lines.allSatisfy { !$0.contains("\n") })
  }
}
