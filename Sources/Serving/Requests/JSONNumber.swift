import HTTP

/// Parses a JSON number (RFC 8259 section 6).
///
///     JSONNumber("1200.5")?.value    // 1200.5
///     JSONNumber("3e0")?.integer     // 3
///
/// - Complexity: one pass. It allocates a `String` only for an exponent or more than fifteen
///   digits.
struct JSONNumber {
  /// The nearest `Double`.
  let value: Double
  /// The number as an integer. Nil if it is not an integer or exceeds 64 bits.
  let integer: Int64?

  /// Nil unless all of `bytes` is one number: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
  init?(_ bytes: Bytes) {
    if let digits = Self.plainDigits(of: bytes) {
      value = Double(digits)
      integer = digits
      return
    }
    var rest = bytes
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    let whole = Self.takeDigits(from: &rest)
    guard whole.count == 1 || whole.count > 1 && whole.first != UInt8(ascii: "0") else {
      return nil
    }
    var fraction: Bytes = []
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      fraction = Self.takeDigits(from: &rest)
      guard !fraction.isEmpty else { return nil }
    }
    var hasExponent = false
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      hasExponent = true
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      guard !Self.takeDigits(from: &rest).isEmpty else { return nil }
    }
    guard rest.isEmpty else { return nil }

    if !hasExponent, whole.count + fraction.count <= 15 {
      // Both are whole and below 2^53, so the quotient is the nearest double (Clinger 1990).
      let digits = Self.digits(of: fraction, after: Self.digits(of: whole, after: 0))
      let signed = isNegative ? -digits : digits
      value =
        isNegative && digits == 0 ? -0.0 : Double(signed) / Self.powersOfTen[fraction.count]
      integer = fraction.isEmpty ? signed : Int64(exactly: value)
    } else {
      let text = bytes.text
      guard let number = Double(text) else { return nil }
      value = number
      integer = Int64(text) ?? Int64(exactly: number)
    }
  }

  /// The value of 1 to 18 digits without a leading zero, the most common form. Nil for other forms.
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

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
  ]

  private static func digits(of digits: Bytes, after start: Int64) -> Int64 {
    digits.reduce(start) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  private static func takeDigits(from rest: inout Bytes) -> Bytes {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    rest = rest[digits.endIndex...]
    return digits
  }
}
