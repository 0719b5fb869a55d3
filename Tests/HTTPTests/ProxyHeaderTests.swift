import HTTP
import Testing

@Suite struct ProxyHeaderTests {
  private func peer(_ text: String) -> Peer? { Peer(Array(text.utf8)[...]) }

  private static let signature: [UInt8] = Array("\r\n\r\n\u{0}\r\nQUIT\n".utf8)

  private static func binary(
    _ command: UInt8, _ family: UInt8, _ addresses: [UInt8], more: [UInt8] = []
  ) -> [UInt8] {
    let count = addresses.count + more.count
    return signature + [command, family, UInt8(count >> 8), UInt8(count & 255)] + addresses + more
  }

  private static let ipv4: [UInt8] = [192, 0, 2, 1, 192, 0, 2, 9, 1, 2, 3, 4]
  private static let ipv6: [UInt8] =
    [0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]
    + [UInt8](repeating: 0, count: 20)

  static let valid: [(bytes: [UInt8], source: String?)] = [
    (Array("PROXY TCP4 192.0.2.1 192.0.2.9 4711 80\r\n".utf8), "192.0.2.1"),
    (Array("PROXY TCP6 2001:db8::1 ::1 4711 80\r\n".utf8), "2001:db8::1"),
    (Array("PROXY UNKNOWN\r\n".utf8), nil),
    (Array("PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n".utf8), nil),
    (binary(0x21, 0x11, ipv4), "192.0.2.1"),
    (binary(0x21, 0x11, ipv4, more: [4, 0, 1, 7]), "192.0.2.1"),
    (binary(0x21, 0x21, ipv6), "2001:db8::1"),
    (binary(0x20, 0x00, []), nil), (binary(0x20, 0x11, ipv4), nil),
    (binary(0x21, 0x00, []), nil), (binary(0x21, 0x31, [UInt8](repeating: 1, count: 216)), nil),
  ]

  @Test(arguments: valid)
  func `a header names the source, and ends where the request begins`(
    _ header: (bytes: [UInt8], source: String?)
  ) {
    let source = header.source.flatMap { peer($0) }
    let whole = ProxyHeader.complete(count: header.bytes.count, source: source)
    #expect(ProxyHeader(header.bytes) == whole)
    #expect(ProxyHeader(header.bytes + Array("GET / HTTP/1.1\r\n".utf8)) == whole)
    for count in header.bytes.indices {
      #expect(ProxyHeader(Array(header.bytes[..<count])) == .incomplete, "\(count) bytes")
    }
  }

  static let malformed: [[UInt8]] =
    [
      "GET / HTTP/1.1\r\n", "PROXY\r\n", "PROXY  \r\n", "PROXY TCP4\r\n",
      "PROXY UDP4 1.1.1.1 1.1.1.1 1 1\r\n",
      "PROXY TCP4 ::1 ::1 1 1\r\n", "PROXY TCP6 1.1.1.1 1.1.1.1 1 1\r\n",
      "PROXY TCP4 1.1.1.1 1.1.1.1 1 1\n", "PROXY TCP4 a b 1 1\r\n", "PROXY \n",
      "PROXY UNKNOWN " + String(repeating: "a", count: 100) + "\r\n",
    ].map { Array($0.utf8) } + [
      binary(0x11, 0x11, ipv4), binary(0x22, 0x11, ipv4), binary(0x21, 0x11, [1, 2]),
      binary(0x21, 0x21, ipv4), binary(0x21, 0x11, [UInt8](repeating: 1, count: 5000)),
      [13, 10, 13, 10, 1],
    ]

  @Test(arguments: malformed)
  func `anything else is malformed`(_ bytes: [UInt8]) {
    #expect(ProxyHeader(bytes) == .malformed)
  }
}
