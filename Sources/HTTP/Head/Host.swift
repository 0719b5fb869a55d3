/// The grammar of a host with an optional port (RFC 9110 section 7.2, RFC 3986 section 3.2.2).
///
/// An empty host is invalid, because no HTTP URL has one (RFC 9110 section 4.2.1).
///
/// - Complexity: one pass over a name, a few passes over an IP address in brackets; no allocation.
enum Host {
  static func isValid(_ bytes: Bytes) -> Bool {
    let isLiteral = bytes.first == UInt8(ascii: "[")
    guard let end = isLiteral ? endOfLiteral(bytes) : endOfName(bytes) else { return false }
    return end > bytes.startIndex && isPort(bytes[end...])
  }

  /// The end of the name or IPv4 address at the start of `bytes`. Nil if an escape is malformed.
  private static func endOfName(_ bytes: Bytes) -> Int? {
    let registered = ASCIISet.registeredName
    var position = bytes.startIndex
    while position < bytes.endIndex {
      if registered.contains(bytes[position]) {
        position += 1
      } else if bytes[position] == UInt8(ascii: "%") {
        let digits = bytes[(position + 1)...].prefix(2)
        guard digits.count == 2, digits.allSatisfy(\.isHexDigit) else { return nil }
        position += 3
      } else {
        break
      }
    }
    return position
  }

  /// The end of the IP address in brackets at the start of `bytes`. Nil if it is malformed.
  private static func endOfLiteral(_ bytes: Bytes) -> Int? {
    guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
    let address = bytes[..<bracket].dropFirst()
    return Peer(ipv6: address) != nil || isIPvFuture(address) ? bracket + 1 : nil
  }

  /// Whether `bytes` are empty, or a colon and a port. The port may be empty.
  private static func isPort(_ bytes: Bytes) -> Bool {
    guard let colon = bytes.first else { return true }
    let digits = bytes.dropFirst()
    guard colon == UInt8(ascii: ":"), digits.count <= 5, digits.allSatisfy(\.isDigit) else {
      return false
    }
    return digits.reduce(0) { $0 * 10 + Int($1 & 15) } <= 65_535
  }

  private static func isIPvFuture(_ bytes: Bytes) -> Bool {
    guard let version = bytes.first, version.lowercased == UInt8(ascii: "v"),
      let dot = bytes.firstIndex(of: UInt8(ascii: "."))
    else { return false }
    let digits = bytes[..<dot].dropFirst()
    let address = bytes[(dot + 1)...]
    let literal = ASCIISet.addressLiteral
    return !digits.isEmpty && digits.allSatisfy(\.isHexDigit)
      && !address.isEmpty && address.allSatisfy(literal.contains)
  }
}
