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
    let server = RunningServer(handler: FixedHandler(response)) {
      $0.observers = [recorder]
      $0.proxies = TrustedProxies([Network("127.0.0.1")].compactMap(\.self))
    }
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
    let client = try server.client(sending: request(for: "192.0.2.1"))
    #expect(client.response()?.status == 200)
    #expect(recorder.exchanges.map { "\($0.request.peer)" } == ["127.0.0.1"])
  }

  /// IPv6 addresses with the same /64 prefix are one client.
  @Test(arguments: [
    ["192.0.2.1", "192.0.2.1", "192.0.2.2"], ["2001:db8::1", "2001:db8::2:3", "2001:db8:0:1::1"],
  ])
  func `the limit for each address counts the open requests of a client behind a proxy`(
    _ addresses: [String]
  ) throws {
    let slow = HoldingHandler()
    let server = RunningServer(handler: slow) {
      $0.proxies = TrustedProxies([Network("127.0.0.1")].compactMap(\.self))
      $0.connectionLimitPerAddress = 2
    }
    let open = try (0..<2).map { _ in try server.client() }
    for client in open { client.send(request(for: addresses[0])) }
    #expect(waitUntil { slow.count == 2 })
    let third = try server.client(sending: request(for: addresses[1]))
    #expect(third.response()?.status == 503)
    let other = try server.client(sending: request(for: addresses[2]))
    #expect(waitUntil { slow.count == 3 })
    slow.answerAll()
    #expect(open.allSatisfy { $0.response()?.status == 200 })
    #expect(other.response()?.status == 200)
    for client in open { client.send(request(for: addresses[0])) }
    #expect(waitUntil { slow.count == 2 })
    slow.answerAll()
    #expect(open.allSatisfy { $0.response()?.status == 200 })
  }
}
