private import Glibc

/// A slice of a request's bytes. It shares memory with the request's head.
package typealias Bytes = ArraySlice<UInt8>

extension Bytes {
  // The lengths are compared inline, because most names differ in length.
  @inlinable
  package func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && hasBytes(at: text.utf8Start)
  }

  package func equals(_ other: Bytes) -> Bool {
    count == other.count && other.withUnsafeBytes { $0.baseAddress.map(hasBytes) ?? true }
  }

  @usableFromInline
  func hasBytes(at start: UnsafeRawPointer) -> Bool {
    // An empty buffer may have no address.
    withUnsafeBytes { own in own.baseAddress.map { memcmp($0, start, own.count) == 0 } ?? true }
  }

  /// - Parameter text: a text in lower case.
  package func equalsIgnoringCase(_ text: StaticString) -> Bool {
    withUnsafeBufferPointer { $0[...].equalsIgnoringCase(text) }
  }

  /// The bytes as text. Invalid UTF-8 is replaced by U+FFFD.
  package var text: String { String(decoding: self, as: UTF8.self) }

  /// The bytes with each `%XX` decoded, and each `+` decoded to a space if `plusIsSpace`.
  ///
  /// Nil if two hexadecimal digits do not follow a `%`, or if the result is not UTF-8 or has a NUL.
  ///
  /// - Complexity: O(*n*). It copies only if something needs decoding.
  package func percentDecoded(plusIsSpace: Bool = false) -> Bytes? {
    let percent = UInt8(ascii: "%")
    let plus = UInt8(ascii: "+")
    guard contains(where: { $0 == percent || plusIsSpace && $0 == plus }) else {
      return isText ? self : nil
    }
    var decoded: Bytes = []
    decoded.reserveCapacity(count)
    var rest = self
    while let byte = rest.popFirst() {
      if byte == percent {
        guard let high = rest.popFirst()?.hexDigitValue, let low = rest.popFirst()?.hexDigitValue
        else { return nil }
        decoded.append(high << 4 | low)
      } else {
        decoded.append(plusIsSpace && byte == plus ? 0x20 : byte)
      }
    }
    return decoded.isText ? decoded : nil
  }

  private var isText: Bool {
    if allSatisfy({ $0 != 0 && $0 < 0x80 }) { return true }
    return !contains(0) && String(validating: self, as: UTF8.self) != nil
  }
}

extension UInt8 {
  /// The byte as an escape, such as `%0A` (RFC 3986 section 2.1).
  package var percentEncoded: String {
    (self < 16 ? "%0" : "%") + String(self, radix: 16, uppercase: true)
  }

  /// Whether a URL can contain the byte anywhere as it is (RFC 3986 section 2.3).
  fileprivate var isUnreserved: Bool {
    let character = Character(Unicode.Scalar(self))
    return self < 0x80 && (character.isLetter || character.isNumber || "-._~".contains(character))
  }
}

extension Sequence<UInt8> {
  /// The bytes as a part of a URL: the value of a parameter, or with `/` a path.
  package func percentEncoded(keeping kept: String = "") -> String {
    map { byte in
      byte.isUnreserved || kept.utf8.contains(byte)
        ? String(Unicode.Scalar(byte)) : byte.percentEncoded
    }.joined()
  }
}

/// Bytes that are valid during a closure only. A copy retains no object.
typealias UnsafeBytes = Slice<UnsafeBufferPointer<UInt8>>

extension UnsafeBytes {
  func equalsIgnoringCase(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    // A loop, because the compiler does not specialize `indices` of a slice.
    for index in startIndex..<endIndex {
      if self[index].lowercased != text.utf8Start[index - startIndex] { return false }
    }
    return true
  }
}

extension BidirectionalCollection<UInt8> where SubSequence == Self {
  /// The bytes without spaces and tabs at both ends.
  package var trimmed: Self {
    var rest = drop { $0.isBlank }
    while let last = rest.last, last.isBlank { rest.removeLast() }
    return rest
  }
}

// Each closure `marks` gets eight bytes and marks some of them by their upper bit.
extension UnsafeRawBufferPointer {
  func position(of byte: UInt8, in range: Range<Int>) -> Int? {
    guard let start = baseAddress,
      let found = memchr(start + range.lowerBound, Int32(byte), range.count)
    else { return nil }
    return UnsafeRawPointer(found) - start
  }

  /// Whether `marks` marks no byte. The last bytes are padded with `a`.
  @inline(__always)
  func hasNone(_ marks: (UInt64) -> UInt64) -> Bool {
    var found: UInt64 = 0
    var position = 0
    while position &+ 8 <= count {
      found |= marks(loadUnaligned(fromByteOffset: position, as: UInt64.self))
      position &+= 8
    }
    var rest: UInt64 = 0x6161_6161_6161_6161
    while position < count {
      rest = rest &<< 8 | UInt64(self[position])
      position &+= 1
    }
    return (found | marks(rest)) & 0x8080_8080_8080_8080 == 0
  }

  /// The position of the first byte from `start` that `marks` marks. If there is none, the position
  /// of the remaining bytes, fewer than eight.
  @inline(__always)
  private func skip(from start: Int, _ marks: (UInt64) -> UInt64) -> Int {
    var position = start
    while position &+ 8 <= count {
      let word = UInt64(
        littleEndian: loadUnaligned(fromByteOffset: position, as: UInt64.self))
      let found = marks(word) & 0x8080_8080_8080_8080
      if found != 0 { return position &+ found.trailingZeroBitCount &>> 3 }
      position &+= 8
    }
    return position
  }

  // Each function finds the end of a part that begins at `start`; `count` if it has no end.

  /// The first space, tab or control character except DEL ends a request target.
  func endOfTarget(from start: Int) -> Int {
    let position = skip(from: start) { $0.marks(below: 0x21) }
    return self[position...].firstIndex { $0 <= 0x20 } ?? count
  }

  func endOfToken(from start: Int, _ token: ASCIISet) -> Int {
    var position = skip(from: start) { ~$0.lettersAndHyphens }
    while position < count, token.contains(self[position]) { position &+= 1 }
    return position
  }

  /// The first control character ends a field value. A tab does not, but `marks` marks it.
  func endOfValue(from start: Int) -> Int {
    var position = skip(from: start) { $0.marks(below: 0x20) | $0.marks(0x7F) }
    while position < count, !self[position].endsValue { position &+= 1 }
    return position
  }
}

// In each word the other bits of the result are undefined.
extension UInt64 {
  /// Marks each byte that equals `byte`. It may also mark a later byte in little-endian order.
  @inline(__always)
  func marks(_ byte: UInt8) -> UInt64 {
    let word = self ^ 0x0101_0101_0101_0101 &* UInt64(byte)
    return (word &- 0x0101_0101_0101_0101) & ~word
  }

  /// Marks bytes below `limit`, which is at most 0x80, as `marks(_:)` does.
  @inline(__always)
  func marks(below limit: UInt8) -> UInt64 {
    (self &- 0x0101_0101_0101_0101 &* UInt64(limit)) & ~self
  }

  /// Marks ASCII letters and hyphens, or fewer of them if some byte is not ASCII.
  @inline(__always)
  var lettersAndHyphens: UInt64 {
    let lower = self | 0x2020_2020_2020_2020
    let isLetter = (lower &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(lower &+ 0x0505_0505_0505_0505)
    let isHyphen = ~((self ^ 0x2D2D_2D2D_2D2D_2D2D) &+ 0x7F7F_7F7F_7F7F_7F7F)
    return self & 0x8080_8080_8080_8080 == 0 ? isLetter | isHyphen : 0
  }
}

extension UInt8 {
  package var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// Whether the byte is a control character other than a tab.
  var endsValue: Bool { self < 0x20 && self != 0x09 || self == 0x7F }

  package var isDigit: Bool { self &- 0x30 < 10 }

  var hexDigitValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }

  var isHexDigit: Bool { hexDigitValue != nil }
}

struct ASCIISet: Sendable {
  private let mask: UInt128

  init(lettersDigitsAnd others: String) {
    let lettersAndDigits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    mask = (lettersAndDigits + others).utf8.reduce(0) { $0 | 1 << UInt128($1) }
  }

  func contains(_ byte: UInt8) -> Bool { byte < 128 && mask &>> UInt128(byte) & 1 == 1 }

  /// The characters of a token: a field name or a method (RFC 9110 section 5.6.2).
  static let token = ASCIISet(lettersDigitsAnd: "!#$%&'*+-.^_`|~")

  /// The characters of a host name or an IPv4 address, except escapes (RFC 3986 section 3.2.2).
  static let registeredName = ASCIISet(lettersDigitsAnd: "-._~!$&'()*+,;=")

  /// The characters of an `X-Request-Id`. They cover UUIDs, Base64 and the ids of common proxies.
  static let requestID = ASCIISet(lettersDigitsAnd: "-._~+/=:@")

  /// The characters of an IPvFuture address after its version (RFC 3986 section 3.2.2).
  static let addressLiteral = ASCIISet(lettersDigitsAnd: "-._~!$&'()*+,;=:")
}
