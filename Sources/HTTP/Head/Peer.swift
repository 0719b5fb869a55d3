private import Glibc

/// The address that a request came from: IPv6, or IPv4 mapped to IPv6.
package struct Peer: Hashable, Sendable {
  /// The first and the last eight bytes of the address, in host byte order.
  fileprivate let high: UInt64
  fileprivate let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// - Parameter ipv4: the address as a number. The first byte is the highest.
  package init(ipv4: UInt32) {
    self.init(high: 0, low: 0xFFFF << 32 | UInt64(ipv4))
  }

  /// The address that `text` spells, for example `192.0.2.1` or `2001:db8::1`. Nil if it is no address.
  package init?(_ text: Bytes) {
    var address: UInt32 = 0
    if !text.contains(0), inet_pton(AF_INET, text.text, &address) == 1 {
      self.init(ipv4: UInt32(bigEndian: address))
    } else {
      self.init(ipv6: text)
    }
  }

  /// The IPv6 address that `text` spells. Nil if it is none.
  init?(ipv6 text: Bytes) {
    var halves = SIMD2<UInt64>()
    guard !text.contains(0), inet_pton(AF_INET6, text.text, &halves) == 1 else { return nil }
    self.init(high: UInt64(bigEndian: halves[0]), low: UInt64(bigEndian: halves[1]))
  }

  package static let unknown = Peer(high: 0, low: 0)

  /// The 16 bytes of the address, as in a system call.
  package var bytes: [UInt8] {
    [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
  }
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

/// A network: the addresses with a common prefix, in CIDR notation (RFC 4632), for example
/// `10.0.0.0/8` or `fd00::/8`. An address without a prefix length is a network of one address.
package struct Network: Hashable, Sendable {
  private let prefix: Peer
  private let mask: Peer

  /// Nil if `text` is malformed.
  package init?(_ text: String) {
    let parts = Array(text.utf8)[...].split(
      separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first, let prefix = Peer(address) else { return nil }
    let most = address.contains(UInt8(ascii: ":")) ? 128 : 32
    var length = most
    if parts.count == 2 {
      guard let given = Int(parts[1].text), parts[1].allSatisfy(\.isDigit), given <= most else {
        return nil
      }
      length = given
    }
    length += 128 - most
    self.prefix = prefix
    mask = Peer(
      high: length >= 64 ? .max : ~(.max >> UInt64(length)),
      low: length <= 64 ? 0 : length == 128 ? .max : ~(.max >> UInt64(length - 64)))
  }

  package func contains(_ peer: Peer) -> Bool {
    (peer.high ^ prefix.high) & mask.high == 0 && (peer.low ^ prefix.low) & mask.low == 0
  }
}
