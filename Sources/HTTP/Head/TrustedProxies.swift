/// A network: the addresses with a common prefix.
package struct Network: Hashable, Sendable {
  private let prefix: Peer
  private let mask: Peer

  /// Nil if `text` is malformed.
  ///
  /// - Parameter text: CIDR notation (RFC 4632), such as `10.0.0.0/8` or `fd00::/8`, or one address.
  package init?(_ text: String) {
    let parts = Array(text.utf8)[...].split(
      separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first, let prefix = Peer(address) else { return nil }
    let most = address.contains(UInt8(ascii: ":")) ? 128 : 32
    let given = parts.count == 2 ? parts[1] : Bytes("\(most)".utf8)
    guard given.allSatisfy(\.isDigit), var length = Int(given.text), length <= most else {
      return nil
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

/// The proxies that may state the address of a client.
///
///     let proxies = TrustedProxies([Network("10.0.0.0/8")!])
///     proxies.client(of: head, from: proxy)   // the address in X-Forwarded-For
package struct TrustedProxies: Sendable {
  private let networks: [Network]

  package init(_ networks: [Network] = []) { self.networks = networks }

  package var isEmpty: Bool { networks.isEmpty }

  package func contains(_ peer: Peer) -> Bool { networks.contains { $0.contains(peer) } }

  /// The client of a request that `peer` has sent.
  ///
  /// Each proxy appends the address from which it got the request to `X-Forwarded-For` or `Forwarded`
  /// (RFC 7239). So this walks from the end to the first address that is not a trusted proxy. Addresses
  /// before it may be forged. An unknown or malformed address ends the walk, too.
  ///
  /// `X-Forwarded-For` takes precedence. Most proxies write it, but forward a forged `Forwarded`.
  package func client(of head: Head, from peer: Peer) -> Peer {
    guard !isEmpty, contains(peer) else { return peer }
    let known = Self.hops(of: head).reversed().prefix { $0 != nil }.compactMap(\.self)
    return known.first { !contains($0) } ?? known.last ?? peer
  }

  /// The addresses in the headers, in order. Nil for an unknown or malformed address.
  private static func hops(of head: Head) -> [Peer?] {
    var (named, standard): ([Peer?], [Peer?]) = ([], [])
    for line in FieldLines(head) {
      if line.name.equalsIgnoringCase("x-forwarded-for") {
        named += line.value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
          .map { node($0.trimmed) }
      } else if line.name.equalsIgnoringCase("forwarded") {
        standard += elements(of: line.value, separatedBy: UInt8(ascii: ",")).map(forwarded)
      }
    }
    return named.isEmpty ? standard : named
  }

  /// The parts between separators that are not in quotes.
  private static func elements(of value: Bytes, separatedBy separator: UInt8) -> [Bytes] {
    var isQuoted = false
    return value.split(omittingEmptySubsequences: false) { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == separator && !isQuoted
    }
  }

  /// The address of `for=` in an element of `Forwarded`.
  private static func forwarded(_ element: Bytes) -> Peer? {
    for pair in elements(of: element, separatedBy: UInt8(ascii: ";")) {
      let parts = pair.trimmed.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard parts.count == 2, parts[0].equalsIgnoringCase("for") else { continue }
      let isQuoted = parts[1].first == UInt8(ascii: "\"") && parts[1].last == UInt8(ascii: "\"")
      return node(isQuoted ? parts[1].dropFirst().dropLast() : parts[1])
    }
    return nil
  }

  /// The address of a node: `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]`, `[2001:db8::1]:80`.
  private static func node(_ text: Bytes) -> Peer? {
    if text.first == UInt8(ascii: "["), let end = text.firstIndex(of: UInt8(ascii: "]")) {
      return Peer(text[..<end].dropFirst())
    }
    let colons = text.count { $0 == UInt8(ascii: ":") }
    return Peer(colons == 1 ? text.prefix { $0 != UInt8(ascii: ":") } : text)
  }
}
