/// A set of ASCII characters, asked by shifting one of two words.
struct ASCIISet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init(lettersDigitsAnd others: StaticString) {
    for byte in UInt8(ascii: "0")...UInt8(ascii: "9") { insert(byte) }
    for byte in UInt8(ascii: "a")...UInt8(ascii: "z") { insert(byte) }
    for byte in UInt8(ascii: "A")...UInt8(ascii: "Z") { insert(byte) }
    for byte in UnsafeBufferPointer(start: others.utf8Start, count: others.utf8CodeUnitCount) {
      insert(byte)
    }
  }

  func contains(_ byte: UInt8) -> Bool {
    if byte < 64 { return low >> byte & 1 == 1 }
    return byte < 128 && high >> (byte - 64) & 1 == 1
  }

  private mutating func insert(_ byte: UInt8) {
    if byte < 64 { low |= 1 << byte } else { high |= 1 << (byte - 64) }
  }

  /// The characters of a field's name or a method (RFC 9110 section 5.6.2).
  static let token = ASCIISet(lettersDigitsAnd: "!#$%&'*+-.^_`|~")

  /// The characters of a host's name or an IPv4 address, but for escapes (RFC 3986 section 3.2.2).
  static let registeredName = ASCIISet(lettersDigitsAnd: "-._~!$&'()*+,;=")

  /// The characters of an `X-Request-Id`: those of UUIDs, Base64 and a proxy's own marks.
  static let requestID = ASCIISet(lettersDigitsAnd: "-._~+/=:@")

  /// The characters of an address later than IPv6, behind its version.
  static let addressLiteral = ASCIISet(lettersDigitsAnd: "-._~!$&'()*+,;=:")
}
