/// The address a request came from: IPv6, or IPv4 mapped into it.
package struct Peer: Hashable, Sendable {
  /// The address in network order, its first eight bytes and its last.
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// - Parameter ipv4: the address as a number, its first byte highest.
  package init(ipv4: UInt32) {
    self.init(high: 0, low: 0xFFFF << 32 | UInt64(ipv4))
  }

  package static let unknown = Peer(high: 0, low: 0)
}

extension Peer: CustomStringConvertible {
  /// `192.0.2.1`, or the eight groups of an IPv6 address in full.
  package var description: String {
    if high == 0, low >> 32 == 0xFFFF {
      return [24, 16, 8, 0].map { String(low >> $0 & 0xFF) }.joined(separator: ".")
    }
    return [high, low].flatMap { half in
      [48, 32, 16, 0].map { String(half >> $0 & 0xFFFF, radix: 16) }
    }.joined(separator: ":")
  }
}
