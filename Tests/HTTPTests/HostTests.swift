import Glibc
import HTTP
import RandomTesting
import Testing

@Suite struct HostTests {
  private func isHost(_ text: String) -> Bool { Host.isValid(Array(text.utf8)[...]) }

  @Test(arguments: [
    "a", "example.org", "example.org:8080", "a:", "a:0", "a:65535", "127.0.0.1:80", "a_b~c!d",
    "a%2fb", "xn--bcher-kva.example", "[::]", "[::1]:80", "[::1]:", "[2001:DB8::1.2.3.4]",
    "[v1.a:b]", "[Vf.x]:9",
  ])
  func `a host is a name or an address, with an optional port`(_ text: String) {
    #expect(isHost(text))
  }

  @Test(arguments: [
    "", ":80", "a b", "a:x", "a:-1", "a:+1", "a:65536", "a:99999", "a:000080", "a:80:80", "a@b",
    "a/b",
    "a%", "a%2", "a%zz", "[]", "[zz]", "[::1", "::1", "[::1]a", "[::1]:x", "[::1]:65536",
    "[::1%25eth0]",
    "[1.2.3.4]", "[v1]", "[v.a]", "[vg.a]", "[v1.]", "[v1.a/b]", "a]", "a[", "\u{E9}",
  ])
  func `anything else is no host`(_ text: String) {
    #expect(!isHost(text))
  }

  @Test func `an address in brackets is valid if and only if inet_pton accepts it`() {
    var random = SeededRandom(seed: 6)
    let parts = [
      "", "0", "1", "f", "12aF", "12345", "g", "255", "1.2.3.4", "1.2.3.256", "1.2.03.4", ":",
    ]
    var count = 0
    var differing: [String] = []
    for _ in 0..<200_000 {
      let text = (0...random.next(below: 9)).map { _ in parts[random.next(below: parts.count)] }
        .joined(separator: ":")
      var address = in6_addr()
      let isAddress = inet_pton(AF_INET6, text, &address) == 1
      count += isAddress ? 1 : 0
      if isHost("[\(text)]") != isAddress { differing.append(text) }
    }
    #expect(differing == [])
    #expect(count > 1000)
  }
}
