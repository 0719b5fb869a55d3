// The tokens of JSON (RFC 8259) for all readers and writers.

extension UnsafeRawBufferPointer {
  /// Reads a number: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?` (section 6).
  ///
  /// - Returns: its end. If a digit is missing, the offset where it is missing, and false.
  /// - Complexity: O(digits).
  package func number(from start: Int) -> (end: Int, isComplete: Bool) {
    var end = has(UInt8(ascii: "-"), at: start) ? start &+ 1 : start
    if has(UInt8(ascii: "0"), at: end) {
      end &+= 1
    } else {
      let first = end
      end = endOfDigits(from: first)
      if end == first { return (end, false) }
    }
    if has(UInt8(ascii: "."), at: end) {
      let first = end &+ 1
      end = endOfDigits(from: first)
      if end == first { return (end, false) }
    }
    if has(UInt8(ascii: "e"), at: end) || has(UInt8(ascii: "E"), at: end) {
      var first = end &+ 1
      if has(UInt8(ascii: "+"), at: first) || has(UInt8(ascii: "-"), at: first) { first &+= 1 }
      end = endOfDigits(from: first)
      if end == first { return (end, false) }
    }
    return (end, true)
  }

  // Functions with a mutable offset in their closure would check each access at run time.

  private func has(_ byte: UInt8, at offset: Int) -> Bool { offset < count && self[offset] == byte }

  private func endOfDigits(from start: Int) -> Int {
    var end = start
    while end < count, self[end].isDigit { end &+= 1 }
    return end
  }

  /// Whether all bytes are one number.
  package var isNumber: Bool { number(from: 0) == (count, true) }
}

extension Double {
  /// The nearest double to a number in JSON's grammar; nil for anything else.
  ///
  /// - Complexity: O(*n*), without a `String` for whole numbers of at most 15 digits.
  package init?(json text: UnsafeRawBufferPointer) {
    guard text.isNumber else { return nil }
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = text.dropFirst(isNegative ? 1 : 0)
    if digits.count <= 15, digits.allSatisfy(\.isDigit) {
      let magnitude = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      self = Double(isNegative ? -magnitude : magnitude)
    } else {
      guard let number = Double(String(decoding: text, as: UTF8.self)) else { return nil }
      self = number
    }
  }
}

// These are public because Swift 6.3 does not inline `package` functions into other modules.

extension UInt8 {
  /// Whether a string must escape this byte: a quote, a backslash, or a byte below a space.
  @inlinable public var isEscapedInJSON: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }
}

extension UInt64 {
  /// Marks the upper bit of each of eight bytes that a string must escape. Only the lowest mark is exact.
  ///
  /// The subtraction sets the upper bit of each byte below a space, because it borrows. After the
  /// exclusive or, a quote or a backslash is zero, so its subtraction borrows, too.
  @inlinable public var marksOfEscapedBytes: UInt64 {
    let (quote, backslash) = (self ^ 0x2222_2222_2222_2222, self ^ 0x5C5C_5C5C_5C5C_5C5C)
    let low = (self &- 0x2020_2020_2020_2020) & ~self
    return
      (low | (quote &- 0x0101_0101_0101_0101) & ~quote
      | (backslash &- 0x0101_0101_0101_0101) & ~backslash) & 0x8080_8080_8080_8080
  }
}
