import Dispatch
import HTTP
import Testing

@testable import HTTPServer

/// Wants no body for `/no`, says so at once or later, and answers what it got.
private struct Choosy: Handler {
  let isSlow: Bool

  func answer(_ request: Request) -> Answer { .response(Response("text/plain", request.body)) }

  func answer(beforeBodyOf request: Request) -> Answer {
    let response =
      request.path.spells("/no") ? Problem(status: 401, detail: "No.").response : .goOn
    return isSlow
      ? .later { done in DispatchQueue.global().async { done(response) } } : .response(response)
  }
}

@Suite struct ExpectationTests {
  private func head(_ path: String, _ length: String = "Content-Length: 5") -> String {
    "PUT \(path) HTTP/1.1\r\nHost: a\r\n\(length)\r\nExpect: 100-continue\r\n\r\n"
  }

  @Test(arguments: [false, true])
  func `A body that is not wanted is refused before it is asked for`(_ isSlow: Bool) throws {
    let daemon = RunningDaemon(handler: Choosy(isSlow: isSlow))
    for length in ["Content-Length: 5", "Transfer-Encoding: chunked"] {
      let client = try daemon.client()
      client.send(head("/no", length))
      let response = client.response()
      #expect(response?.status == 401)
      #expect(response?.closes == true)
      #expect(client.isClosed())
    }
  }

  @Test(arguments: [false, true])
  func `A body that is wanted is asked for, and the connection kept`(_ isSlow: Bool) throws {
    let daemon = RunningDaemon(handler: Choosy(isSlow: isSlow))
    let client = try daemon.client()
    for _ in 0..<3 {
      client.send(head("/yes"))
      #expect(client.response()?.status == 100)
      client.send("hello")
      #expect(client.response()?.text == "hello")
    }
  }

  @Test(arguments: ["", "Content-Length: 0\r\n"], ["", "Expect: 100-continue\r\n"])
  func `Where no body comes, none is asked for, and what follows is answered`(
    _ length: String, _ expectation: String
  ) throws {
    let handlers: [any Handler] = [
      Choosy(isSlow: false), Later(), Fixed(Response("text/plain", [1]).kept()),
    ]
    for handler in handlers {
      let daemon = RunningDaemon(handler: handler)
      let client = try daemon.client()
      let head = "GET /no HTTP/1.1\r\nHost: a\r\n\(length)"
      let asking = "\(head)Expect: 100-continue\r\n\r\n"
      client.send("\(asking)\(asking)\(head)\(expectation)Connection: close\r\n\r\n")
      #expect(client.allResponses().map(\.status) == [200, 200, 200])
    }
  }

  @Test func `A body that is too large is refused before it is asked for`() throws {
    let daemon = RunningDaemon(handler: Choosy(isSlow: false))
    let client = try daemon.client()
    client.send(head("/yes", "Content-Length: 1048577"))
    #expect(client.allResponses().map(\.status) == [413])
  }

  @Test func `A body that is not wanted is nothing to tell the operator`() throws {
    var options = ServerOptions()
    options.gate.bodyLimit = 1000
    let daemon = RunningDaemon(options, handler: Choosy(isSlow: false))
    for head in ["Content-Length: 2000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n7d0\r\n"] {
      let client = try daemon.client()
      client.send("PUT /yes HTTP/1.1\r\nHost: a\r\n" + head)
      client.send(String(repeating: "a", count: 2000) + "\r\n0\r\n\r\n")
      #expect(client.allResponses().map(\.status) == [413])
    }
    daemon.stop()
    #expect(daemon.lines.all.isEmpty)
  }
}
