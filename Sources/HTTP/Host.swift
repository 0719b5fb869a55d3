/// The grammar of a host with an optional port (RFC 9110 section 7.2).
enum Host {
  static func isWellFormed(_ bytes: Bytes) -> Bool {
    let name: Bytes
    let rest: Bytes
    if bytes.first == UInt8(ascii: "[") {
      guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return false }
      let literal = ASCIISet.addressLiteral
      name = bytes[..<bracket].dropFirst()
      rest = bytes[bytes.index(after: bracket)...]
      guard name.allSatisfy(literal.contains) else { return false }
    } else {
      let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
      let registered = ASCIISet.registeredName
      name = bytes[..<colon]
      rest = bytes[colon...]
      guard name.allSatisfy(registered.contains) else { return false }
    }
    guard !name.isEmpty else { return false }
    guard let colon = rest.first else { return true }
    return colon == UInt8(ascii: ":") && rest.count <= 6 && rest.dropFirst().allSatisfy(\.isDigit)
  }
}
