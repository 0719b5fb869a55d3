import Catalogue
package import HTTP

/// Parses a JSON number (RFC 8259 section 6).
///
///     JSONNumber("1200.5")?.value    // 1200.5
///     JSONNumber("3e0")?.integer     // 3
///
/// - Complexity: O(bytes). It allocates no `String` for 1 to 18 digits.
package struct JSONNumber {
  package let value: Double
  /// Nil if the number is not an integer, or exceeds 64 bits.
  package let integer: Int64?

  /// Nil unless all of `bytes` is one number: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
  package init?(_ bytes: Bytes) {
    if let digits = Self.plainDigits(of: bytes) {
      value = Double(digits)
      integer = digits
      return
    }
    let text = bytes.text
    guard bytes.withUnsafeBufferPointer({ UnsafeRawBufferPointer($0).isNumber }),
      let number = Double(text)
    else { return nil }
    value = number
    integer = Int64(text) ?? Int64(exactly: number)
  }

  /// The value of the most common form: 1 to 18 digits without a leading zero.
  private static func plainDigits(of bytes: Bytes) -> Int64? {
    bytes.withUnsafeBufferPointer { bytes in
      guard 1...18 ~= bytes.count, bytes.count == 1 || bytes[0] != UInt8(ascii: "0") else {
        return nil
      }
      var number: Int64 = 0
      for byte in bytes {
        let digit = byte &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        number = number &* 10 &+ Int64(digit)
      }
      return number
    }
  }
}
