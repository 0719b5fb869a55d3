import HTTP
import Testing

@Suite struct TrustedProxiesTests {
  private let proxies = TrustedProxies(["10.0.0.0/8", "fd00::/8"].compactMap(Network.init))

  private func peer(_ text: String) -> Peer { Peer(Array(text.utf8)[...]) ?? .unknown }

  private func client(_ lines: [(String, String)], from proxy: String = "10.0.0.1") -> String {
    "\(proxies.client(of: Request(.get, "/", headers: lines).head, from: peer(proxy)))"
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("192.0.2.1:4711", "192.0.2.1"),
    // Each proxy appends an address. Addresses before the last untrusted one can be forged.
    ("203.0.113.9, 192.0.2.1", "192.0.2.1"), ("192.0.2.1, 10.9.9.9", "192.0.2.1"),
    ("203.0.113.9,192.0.2.1,10.9.9.9 , 10.1.1.1", "192.0.2.1"),
    ("[2001:db8::1]:80", "2001:db8:0:0:0:0:0:1"), ("2001:db8::1", "2001:db8:0:0:0:0:0:1"),
    // All hops are trusted: the first one is the client.
    ("10.2.2.2, 10.3.3.3", "10.2.2.2"),
    // A malformed address ends the search.
    ("192.0.2.1, unknown, 10.3.3.3", "10.3.3.3"), ("192.0.2.1, ", "10.0.0.1"),
    ("<script>", "10.0.0.1"), ("", "10.0.0.1"),
  ])
  func `the client is the last address that is not a trusted proxy`(
    _ value: String, _ found: String
  ) {
    #expect(client([("X-Forwarded-For", value)]) == found)
  }

  @Test(arguments: [
    ("for=192.0.2.1", "192.0.2.1"), ("For=\"192.0.2.1:80\";proto=https", "192.0.2.1"),
    ("proto=https; for=\"[2001:db8::1]:80\"", "2001:db8:0:0:0:0:0:1"),
    ("for=203.0.113.9, for=192.0.2.1;by=10.0.0.1, for=10.1.1.1", "192.0.2.1"),
    ("for=192.0.2.1;host=\"a,for=203.0.113.9\"", "192.0.2.1"),
    ("for=_hidden", "10.0.0.1"), ("proto=https", "10.0.0.1"),
    ("for=192.0.2.1, for=unknown", "10.0.0.1"),
  ])
  func `Forwarded names the client, too`(_ value: String, _ found: String) {
    #expect(client([("Forwarded", value)]) == found)
  }

  @Test func `lines of one name are one list`() {
    let lines = [("X-Forwarded-For", "203.0.113.9"), ("x-forwarded-for", "192.0.2.1")]
    #expect(client(lines) == "192.0.2.1")
  }

  @Test func `X-Forwarded-For takes precedence over Forwarded`() {
    let lines = [("Forwarded", "for=203.0.113.9"), ("X-Forwarded-For", "192.0.2.1")]
    #expect(client(lines) == "192.0.2.1")
  }

  @Test func `a client that is no trusted proxy cannot state another address`() {
    #expect(client([("X-Forwarded-For", "203.0.113.9")], from: "192.0.2.1") == "192.0.2.1")
    #expect(client([("Forwarded", "for=203.0.113.9")], from: "192.0.2.1") == "192.0.2.1")
  }
}
