import HTTP
import HTTPServer
import RandomTesting
import Synchronization
import Testing

/// The behaviour of libmicrohttpd that this module depends on. Another version may differ.
@Suite struct LibraryTests {
  /// Stores the bytes of each head.
  private final class HeadRecorder: Handler {
    let heads = Mutex<[[UInt8]]>([])

    func handle(_ request: Request) -> HandlerResult {
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
      + (0..<63).map { "X-\($0): \(String(repeating: "y", count: 100))\r\n" }.joined() + "\r\n",
  ])
  func `a head is restored byte for byte, also in a pipeline and in pieces`(_ text: String) throws {
    let handler = HeadRecorder()
    let server = RunningServer(handler: handler)
    let head = Array(text.utf8)
    let client = try server.client()
    client.send(head + head + head)
    for _ in 0..<3 { _ = client.response(hasBody: false) }
    let other = try server.client()
    for byte in head { other.send(CollectionOfOne(byte)) }
    #expect(other.response(hasBody: false)?.status == 204)
    let expected = text.contains("HTTP/1.0") ? 2 : 4
    #expect(handler.heads.withLock { $0 } == Array(repeating: head, count: expected))
  }

  @Test func `each valid head is part of the sent bytes`() throws {
    let handler = HeadRecorder()
    let server = RunningServer(handler: handler)
    var random = SeededRandom(seed: 11)
    let specialBytes: [UInt8] = [0, 9, 10, 13, 32, 58, 63, 38, 61, 43]
    var validCount = 0
    for round in 0..<4000 {
      var sent = Array(
        "GET /a?b=c&d HTTP/1.1\r\nHost: a\r\nX: y z\r\nContent-Length: 0\r\n\r\n".utf8)
      for _ in 0...random.next(below: 3) {
        let index = random.next(below: sent.count)
        let byte = specialBytes[random.next(below: specialBytes.count)]
        switch random.next(below: 3) {
        case 0: sent[index] = byte
        case 1: sent.insert(byte, at: index)
        default: sent.remove(at: index)
        }
      }
      let client = try server.client()
      // The next request ends a head that is still open.
      sent += Array("GET /end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
      client.send(sent)
      client.finish()
      _ = client.allResponses()
      let heads = handler.heads.withLock { heads in
        defer { heads = [] }
        return heads
      }
      validCount += heads.count
      // The next test checks these exceptions.
      for index in sent.indices.dropLast() where sent[index + 1] == UInt8(ascii: "\n") {
        let isAlone = index > 0 && sent[index - 1] == UInt8(ascii: "\n")
        if sent[index] == 0 || isAlone && sent[index] == UInt8(ascii: ":") {
          sent[index] = UInt8(ascii: "\r")
        }
      }
      for head in heads { #expect(sent.contains(head), "round \(round)") }
    }
    #expect(validCount > 1000)
  }

  @Test(arguments: ["Host: a\u{0}\n\r\n", "Host: a\r\n\u{0}\n", "Host: a\r\n:\n"])
  func `NUL LF, and a line of a colon and LF, look like CR LF`(_ end: String) throws {
    let handler = HeadRecorder()
    let server = RunningServer(handler: handler)
    let client = try server.client(sending: "GET / HTTP/1.1\r\n\(end)")
    #expect(client.response()?.status == 204)
    #expect(handler.heads.withLock { $0 } == [Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)])
  }

  @Test func `a rejection by libmicrohttpd closes the connection`() throws {
    let server = RunningServer()
    for (request, status) in [
      ("GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", 400),
      ("GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505),
      ("GET /\(String(repeating: "a", count: 30_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
      ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 30_000))\r\n\r\n", 431),
    ] {
      let client = try server.client(sending: request)
      let response = client.response()
      #expect(response?.status == status)
      #expect(response?.closes == true)
    }
    let client = try server.client(sending: "nonsense\r\n\r\n")
    #expect(client.isClosed())
  }

  @Test func `a malformed request is not logged`() throws {
    let server = RunningServer {
      $0.deadlines.head = 1
      $0.deadlines.body = 1
      $0.deadlines.idle = 1
    }
    let clients = try RawRequestTests.cases.map { raw in
      let client = try server.client(sending: raw.request)
      client.finish()
      return client
    }
    for client in clients { _ = client.allResponses() }
    #expect(server.log.all == [])
  }

  @Test func `a client cannot flood the log`() throws {
    let problem = Problem(status: 500, detail: "Damaged.", cause: "a.db\nis damaged")
    let server = RunningServer(handler: FixedHandler(problem.response))
    let client = try server.client()
    for _ in 0..<200 {
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.response()?.status == 500)
    }
    let lines = server.log.all
    #expect(!lines.isEmpty)
    #expect(lines.count < 60)
  }
}
