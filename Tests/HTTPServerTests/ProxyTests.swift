import HTTP
import HTTPServer
import Testing

/// Requests through a proxy, which states the address of the client.
@Suite struct ProxyTests {
  private static func trusting(
    _ networks: String..., limit: Int = 0, protocol readsProxyHeaders: Bool = false
  ) -> (RunningServer, Recorder) {
    RunningServer.recorded {
      $0.proxies = TrustedProxies(networks.compactMap(Network.init))
      $0.connectionLimitPerAddress = limit
      $0.readsProxyHeaders = readsProxyHeaders
      $0.deadlines.head = 1
    }
  }

  private func request(for address: String, _ more: String = "") -> String {
    "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: \(address)\r\n\(more)\r\n"
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
    let (server, recorder) = Self.trusting("10.0.0.0/8")
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

  @Test(arguments: [false, true])
  func `a header of the PROXY protocol names the client of a connection`(isSplit: Bool) throws {
    let (server, recorder) = Self.trusting("127.0.0.1", limit: 1, protocol: true)
    let clients = try ["192.0.2.1", "192.0.2.2"].map { address in
      let client = try server.client()
      let text = "PROXY TCP4 \(address) 192.0.2.9 1 2\r\n" + "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
      if isSplit {
        for byte in text.utf8 { client.send([byte]) }
      } else {
        client.send(text)
      }
      #expect(client.response()?.status == 200)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.response()?.status == 200)
      return client
    }
    let third = try server.client()
    third.send("PROXY TCP4 192.0.2.1 192.0.2.9 1 2\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(third.response()?.status == 503)
    #expect(
      recorder.exchanges.map { "\($0.request.peer)" }
        == ["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2"])
    withExtendedLifetime(clients) {}
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", RejectionReason.malformedProxyHeader),
    ("PROXY TCP4 x\r\n", .malformedProxyHeader), ("PROXY TC", .tooSlow), ("", .tooSlow),
  ])
  func `a connection without a complete header is closed`(
    _ start: String, _ reason: RejectionReason
  ) throws {
    let (server, recorder) = Self.trusting("127.0.0.1", protocol: true)
    let client = try server.client()
    client.send(start)
    #expect(client.isClosed())
    #expect(waitUntil { recorder.rejections.map(\.reason) == [reason] })
    #expect("\(recorder.rejections[0].peer)" == "127.0.0.1")
  }

  @Test func `a connection whose PROXY header is awaited counts for the limit`() throws {
    var options = ServerOptions()
    options.proxies = TrustedProxies([Network("127.0.0.1")].compactMap(\.self))
    options.readsProxyHeaders = true
    options.connectionLimit = 2
    let server = RunningServer(options)
    let request = "PROXY TCP4 192.0.2.1 192.0.2.9 1 2\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"
    let first = try server.client()
    first.send(request)
    #expect(first.response()?.status == 200)
    let silent = try server.client()
    silent.send("PROXY TC")
    let third = try server.client()
    third.send(request)
    #expect(third.response()?.status == 503)
    silent.send("P4 192.0.2.1 192.0.2.9 1 2\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(silent.response()?.status == 200)
  }

  @Test func `a client that is no trusted proxy needs no PROXY header`() throws {
    let (server, _) = Self.trusting("10.0.0.0/8", protocol: true)
    let client = try server.client()
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.response()?.status == 200)
  }

  @Test func `a stop does not wait for PROXY headers`() throws {
    let (server, _) = Self.trusting("127.0.0.1", protocol: true)
    let client = try server.client()
    server.stop(grace: .seconds(5))
    #expect(client.isClosed())
  }
}
