import HTTP
import Testing

@testable import HTTPServer

@Suite struct KeptResponseTests {
  private struct App: Handler {
    let tag = EntityTag("a")
    let kept: Response

    init() {
      kept = Response("text/plain", [UInt8](repeating: 65, count: 100_000)).tagged(tag).kept()
    }

    func answer(_ request: Request) -> Answer {
      .response(kept.unlessHeld(by: request, tag))
    }
  }

  @Test func `A kept response is sent again and again, by several threads, and as 304`() throws {
    var options = ServerOptions()
    options.threads = 2
    let daemon = RunningDaemon(options, handler: App())
    let port = daemon.port
    let threads = try (0..<4).map { _ in
      try Background {
        guard let client = try? RawClient(port: port) else { return }
        for _ in 0..<50 {
          client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
          let response = client.response()
          #expect(response?.status == 200)
          #expect(response?.body.count == 100_000)
          #expect(response?.body.allSatisfy { $0 == 65 } == true)
          client.send("GET / HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"a\"\r\n\r\n")
          #expect(client.response()?.status == 304)
          client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
          #expect(client.response(hasBody: false)?["content-length"] == "100000")
        }
      }
    }
    for thread in threads { thread.join() }
  }

  @Test func `Each field arrives on a line of its own`() throws {
    let fields = [
      Field("Cache-Control", "no-cache"), Field("Vary", "Origin"), Field("X-A", "1  2"),
    ]
    let daemon = RunningDaemon(handler: Fixed(Response("text/plain", [65], fields: fields)))
    let client = try daemon.client()
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    let response = try #require(client.response())
    let lines = response.head.split(separator: "\r\n")
    for line in [
      "X-Content-Type-Options: nosniff", "Content-Type: text/plain", "Cache-Control: no-cache",
      "Vary: Origin", "X-A: 1  2",
    ] {
      #expect(lines.filter { $0 == line }.count == 1, "\(line)")
    }
    #expect(response.text == "A")
  }

  @Test func `It closes a connection that has to end`() throws {
    let daemon = RunningDaemon(handler: App())
    let client = try daemon.client()
    client.send(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n")
    #expect(client.response()?.closes == true)
    #expect(client.isClosed())
  }
}
