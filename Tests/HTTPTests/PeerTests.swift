import Glibc
import HTTP
import RandomTesting
import Testing

@Suite struct PeerTests {
  private func peer(_ text: String) -> Peer? { Peer(Array(text.utf8)[...]) }

  @Test func `an address is read as inet_pton reads it`() {
    var random = SeededRandom(seed: 14)
    let parts = ["", "0", "1", "f", "12aF", "g", "255", "1.2.3.4", "1.2.3.256", ":"]
    var count = 0
    for _ in 0..<50_000 {
      let text = (0...random.next(below: 9)).map { _ in parts[random.next(below: parts.count)] }
        .joined(separator: ":")
      var address = in6_addr()
      guard inet_pton(AF_INET6, text, &address) == 1 else { continue }
      count += 1
      let halves = withUnsafeBytes(of: address) { $0.loadUnaligned(as: SIMD2<UInt64>.self) }
      let expected = Peer(high: UInt64(bigEndian: halves[0]), low: UInt64(bigEndian: halves[1]))
      #expect(peer(text) == expected, "\(text)")
    }
    #expect(count > 100)
    #expect(peer("192.0.2.7") == Peer(ipv4: 0xC000_0207))
    #expect(peer("::ffff:192.0.2.7") == Peer(ipv4: 0xC000_0207))
  }

  @Test(arguments: ["", "192.0.2", "192.0.2.07", "192.0.2.1:80", "[::1]", "::1%eth0", "unknown"])
  func `anything else is no address`(_ text: String) {
    #expect(peer(text) == nil)
  }

  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", "11.0.0.0"), ("192.0.2.1", "192.0.2.1", "192.0.2.2"),
    ("0.0.0.0/0", "203.0.113.9", "2001:db8::1"), ("fd00::/8", "fdff::1", "fe00::1"),
    ("2001:db8:0:1::/64", "2001:db8:0:1:ffff::", "2001:db8:0:2::"),
    ("2001:db8::/68", "2001:db8::fff:0:0:1", "2001:db8:0:0:1000::"),
    ("::1/128", "::1", "::2"), ("10.1.2.3/31", "10.1.2.2", "10.1.2.4"),
  ])
  func `a network contains the addresses with its prefix`(
    _ network: String, _ inside: String, _ outside: String
  ) throws {
    let network = try #require(Network(network))
    #expect(network.contains(try #require(peer(inside))))
    #expect(!network.contains(try #require(peer(outside))))
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1", "192.0.2.2"),
    ("2001:db8::1", "2001:db8::ffff:0:0:2", "2001:db8:0:1::1"),
    ("64:ff9b::c000:201", "64:ff9b::192.0.2.1", "64:ff9b::192.0.2.2"),
    ("64:ff9b:1::192.0.2.1", "64:ff9b:1::c000:201", "64:ff9b:1::192.0.2.2"),
  ])
  func `a client is a /64 of IPv6, or an address of IPv4, also if a network translates it to IPv6`(
    _ address: String, _ same: String, _ other: String
  ) throws {
    let client = try #require(peer(address)).rateLimitKey
    #expect(try #require(peer(same)).rateLimitKey == client)
    #expect(try #require(peer(other)).rateLimitKey != client)
  }

  @Test(arguments: [
    "", "/8", "10.0.0.0/", "10.0.0.0/33", "::/129", "::/-1", "::/+1", "a/8", "1.2/8",
  ])
  func `a malformed network is none`(_ text: String) {
    #expect(Network(text) == nil)
  }
}
