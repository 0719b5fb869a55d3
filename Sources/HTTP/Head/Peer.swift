private import Glibc

/// The address that a request came from: IPv6, or IPv4 mapped to IPv6.
package struct Peer: Hashable, Sendable {
  /// The first and the last eight bytes of the address, in host byte order.
  let high: UInt64
  let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// - Parameter ipv4: the address in host byte order.
  package init(ipv4: UInt32) { self.init(high: 0, low: 0xFFFF << 32 | UInt64(ipv4)) }

  /// Nil if `text` is no address, such as `192.0.2.1` or `2001:db8::1`.
  package init?(_ text: Bytes) {
    var address: UInt32 = 0
    if !text.contains(0), inet_pton(AF_INET, text.text, &address) == 1 {
      self.init(ipv4: UInt32(bigEndian: address))
    } else {
      self.init(ipv6: text)
    }
  }

  init?(ipv6 text: Bytes) {
    var halves = SIMD2<UInt64>()
    guard !text.contains(0), inet_pton(AF_INET6, text.text, &halves) == 1 else { return nil }
    self.init(high: UInt64(bigEndian: halves[0]), low: UInt64(bigEndian: halves[1]))
  }

  /// The key of limits for each address: an IPv4 address, or the /64 prefix of an IPv6 address. A network assigns at least
  /// a /64 to a client, who can then use 2^64 addresses.
  ///
  /// Addresses in 64:ff9b::/32 translate IPv4 addresses (RFC 6052, RFC 8215), so each one is a client of its own.
  package var rateLimitKey: Peer {
    high == 0 || high >> 32 == 0x64_FF9B ? self : Peer(high: high, low: 0)
  }

  package static let unknown = Peer(high: 0, low: 0)
}

extension Peer: CustomStringConvertible {
  /// `192.0.2.1`, or the eight groups of an IPv6 address without abbreviation.
  package var description: String {
    if high == 0, low >> 32 == 0xFFFF {
      return [24, 16, 8, 0].map { String(low >> $0 & 0xFF) }.joined(separator: ".")
    }
    return [high, low].flatMap { half in
      [48, 32, 16, 0].map { String(half >> $0 & 0xFFFF, radix: 16) }
    }.joined(separator: ":")
  }
}
