/// Parses the PROXY protocol header, versions 1 and 2, which a proxy sends first on each
/// connection.
///
///     ProxyHeader(Array("PROXY TCP4 192.0.2.1 192.0.2.9 4711 80\r\nGET ".utf8))
///     // .complete(count: 40, source: 192.0.2.1)
///
/// Source: https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt
package enum ProxyHeader: Equatable, Sendable {
  /// The bytes are the beginning of a header.
  case incomplete
  case malformed
  /// The header has `count` bytes. The source is nil if the proxy itself is the client, or does not
  /// know the client.
  case complete(count: Int, source: Peer?)

  private static let signature: [UInt8] = [
    0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
  ]
  /// The most bytes of a header. The specification sets the limit for version 1. The limit for
  /// version 2, with addresses and extensions, is this server's.
  private static let limits = (text: 107, binary: 2048)

  /// Reads the header at the start of `bytes`.
  package init(_ bytes: [UInt8]) {
    let first = bytes.prefix(Self.signature.count)
    if Self.signature.starts(with: first) {
      self = first.count == Self.signature.count ? Self.binary(bytes) : .incomplete
    } else {
      self = Self.text(bytes)
    }
  }

  /// Version 1: `PROXY TCP4 SOURCE DESTINATION PORT PORT`, or `PROXY UNKNOWN` and anything.
  private static func text(_ bytes: [UInt8]) -> ProxyHeader {
    let line = bytes.prefix(limits.text)
    let start = "PROXY ".utf8
    guard start.starts(with: line.prefix(start.count)) else { return .malformed }
    guard let end = line.firstIndex(of: UInt8(ascii: "\n")) else {
      return bytes.count < limits.text ? .incomplete : .malformed
    }
    guard end > 0, line[end - 1] == UInt8(ascii: "\r") else { return .malformed }
    let words = line[..<(end - 1)].split(
      separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    if words[1].equals("UNKNOWN") { return .complete(count: end + 1, source: nil) }
    guard words.count == 6, words[1].equals("TCP4") || words[1].equals("TCP6"),
      words[2].contains(UInt8(ascii: ":")) == words[1].equals("TCP6"), let source = Peer(words[2])
    else { return .malformed }
    return .complete(count: end + 1, source: source)
  }

  /// Version 2: the signature, version and command, family, length, addresses, extensions.
  private static func binary(_ bytes: [UInt8]) -> ProxyHeader {
    guard bytes.count >= 16 else { return .incomplete }
    let count = 16 + (Int(bytes[14]) << 8 | Int(bytes[15]))
    guard bytes[12] >> 4 == 2, bytes[12] & 15 <= 1, count <= limits.binary else {
      return .malformed
    }
    guard bytes.count >= count else { return .incomplete }
    // Command 0 (LOCAL) is the proxy's own connection, for a health check.
    guard bytes[12] & 15 == 1 else { return .complete(count: count, source: nil) }
    func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
    switch bytes[13] >> 4 {
    case 1 where count >= 28:
      return .complete(count: count, source: Peer(ipv4: UInt32(number(16..<20))))
    case 2 where count >= 52:
      return .complete(count: count, source: Peer(high: number(16..<24), low: number(24..<32)))
    case 1, 2: return .malformed
    default: return .complete(count: count, source: nil)
    }
  }
}
