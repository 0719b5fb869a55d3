import HTTP
import HTTPServer
import Testing

/// Requests through a proxy, which states the address of the client.
@Suite struct ProxyTests {
  private func request(for address: String) -> String {
    "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: \(address)\r\n\r\n"
  }

  @Test func `each request has the client that the proxy states, also if its answer is prepared`()
    throws
  {
    let response = Response("text/plain", [1, 2, 3]).preparedForReuse()
    let recorder = Recorder()
    var options = ServerOptions()
    options.observers = [recorder]
    options.proxies = TrustedProxies([Network("127.0.0.1")].compactMap(\.self))
    let server = RunningServer(options, handler: FixedHandler(response))
    let client = try server.client()
    let addresses = ["192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.2"]
    for address in addresses {
      client.send(request(for: address))
      #expect(client.response()?.status == 200)
    }
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.response()?.status == 200)
    #expect(recorder.exchanges.map { "\($0.request.peer)" } == addresses + ["127.0.0.1"])
  }

  @Test func `an address that an untrusted client states is ignored`() throws {
    let (server, recorder) = RunningServer.recorded {
      $0.proxies = TrustedProxies([Network("10.0.0.0/8")].compactMap(\.self))
    }
    let client = try server.client()
    client.send(request(for: "192.0.2.1"))
    #expect(client.response()?.status == 200)
    #expect(recorder.exchanges.map { "\($0.request.peer)" } == ["127.0.0.1"])
  }

  @Test func `the limit for each address counts the open requests of a client behind a proxy`()
    throws
  {
    let slow = HoldingHandler()
    var options = ServerOptions()
    options.proxies = TrustedProxies([Network("127.0.0.1")].compactMap(\.self))
    options.connectionLimitPerAddress = 2
    let server = RunningServer(options, handler: slow)
    let open = try (0..<2).map { _ in try server.client() }
    for client in open { client.send(request(for: "192.0.2.1")) }
    #expect(waitUntil { slow.count == 2 })
    let third = try server.client()
    third.send(request(for: "192.0.2.1"))
    #expect(third.response()?.status == 503)
    let other = try server.client()
    other.send(request(for: "192.0.2.2"))
    #expect(waitUntil { slow.count == 3 })
    slow.answerAll()
    #expect(open.allSatisfy { $0.response()?.status == 200 })
    #expect(other.response()?.status == 200)
    for client in open { client.send(request(for: "192.0.2.1")) }
    #expect(waitUntil { slow.count == 2 })
    slow.answerAll()
    #expect(open.allSatisfy { $0.response()?.status == 200 })
  }
}
