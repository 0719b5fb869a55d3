/// Parses a JSON number (RFC 8259 section 6).
///
///     JSONNumber("1200.5")?.value    // 1200.5
///     JSONNumber("3e0")?.integer     // 3
///
/// - Complexity: O(bytes). It allocates no `String` for 1 to 18 digits, also after a minus sign.
package struct JSONNumber {
  /// The nearest double.
  package let value: Double
  /// Nil if the number is not an integer, or exceeds 64 bits.
  package let integer: Int64?

  /// Nil unless all of `bytes` is one number: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    if let whole = Self.plainInteger(bytes) {
      value = Double(whole)
      integer = whole
      return
    }
    guard bytes.isNumber, case let text = String(decoding: bytes, as: UTF8.self),
      let number = Double(text)
    else { return nil }
    value = number
    integer = Int64(text) ?? Int64(exactly: number)
  }

  /// The value of the most common form: 1 to 18 digits without a leading zero.
  private static func plainInteger(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    let count = bytes.count &- start
    guard 1...18 ~= count, count == 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
    var number: Int64 = 0
    for offset in start..<bytes.count {
      let digit = bytes[offset] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number &* 10 &+ Int64(digit)
    }
    return isNegative ? -number : number
  }
}
