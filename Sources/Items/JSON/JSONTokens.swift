/// Writes JSON (RFC 8259) in its shortest form: equal values give equal bytes.
///
///     JSONText(string: "6\" x 4\"").bytes  // "6\" x 4\"", escaped and in quotes
package struct JSONText {
  package var bytes: [UInt8] = []

  package init() {}

  package init(string: String) { self.string(string) }

  package mutating func raw(_ text: StaticString) {
    bytes += UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  package mutating func raw(_ text: some Sequence<UInt8>) { bytes += text }

  /// Writes elements separated by commas.
  package mutating func list<Element>(
    _ elements: some Sequence<Element>, _ write: (inout JSONText, Element) -> Void
  ) {
    var isFirst = true
    for element in elements {
      if !isFirst { raw(",") }
      isFirst = false
      write(&self, element)
    }
  }

  package mutating func string(_ value: String) {
    var value = value
    value.withUTF8 { string(UnsafeRawBufferPointer($0)) }
  }

  package mutating func string(_ value: UnsafeRawBufferPointer) {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    while case let end = value.endOfPlainText(from: start), end < value.count {
      bytes += value[start..<end]
      escape(value[end])
      start = end + 1
    }
    bytes += value[start...]
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case 0x08: raw("\\b")
    case 0x09: raw("\\t")
    case 0x0A: raw("\\n")
    case 0x0C: raw("\\f")
    case 0x0D: raw("\\r")
    case 0..<0x20:
      bytes += "\\u00\(byte >> 4)\(String(byte & 15, radix: 16))".utf8
    default: bytes += [UInt8(ascii: "\\"), byte]
    }
  }
}

// MARK: - Strings

// These are public because Swift 6.3 does not inline `package` functions into other modules.

extension UInt8 {
  @inlinable public var isEscapedInJSON: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }
}

extension UInt64 {
  /// Marks the upper bit of each of eight bytes that a string must escape. Only the lowest mark is exact.
  ///
  /// Subtracting 0x20 sets the upper bit of a byte below it. The exclusive or turns a quote or a backslash into 0, and
  /// subtracting 1 from 0 sets the upper bit.
  @inlinable public var marksOfEscapedBytes: UInt64 {
    let (quote, backslash) = (self ^ 0x2222_2222_2222_2222, self ^ 0x5C5C_5C5C_5C5C_5C5C)
    let low = (self &- 0x2020_2020_2020_2020) & ~self
    return
      (low | (quote &- 0x0101_0101_0101_0101) & ~quote
      | (backslash &- 0x0101_0101_0101_0101) & ~backslash) & 0x8080_8080_8080_8080
  }
}

extension UnsafeRawBufferPointer {
  /// The offset of the first byte from `start` on that a string must escape; `count` if there is none.
  ///
  /// - Complexity: O(bytes), eight at a time.
  @inlinable
  @inline(__always)
  public func endOfPlainText(from start: Int) -> Int {
    var offset = start
    while count &- offset >= 8 {
      let word = UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let marks = word.marksOfEscapedBytes
      if marks != 0 { return offset &+ marks.trailingZeroBitCount &>> 3 }
      offset &+= 8
    }
    while offset < count, !self[offset].isEscapedInJSON { offset &+= 1 }
    return offset
  }

  /// Whether the bytes are UTF-8. O(count), without a copy.
  package var isUTF8: Bool {
    (try? UTF8Span(validating: assumingMemoryBound(to: UInt8.self).span)) != nil
  }
}

// MARK: - Numbers

extension UnsafeRawBufferPointer {
  /// Reads a number: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?` (RFC 8259 section 6).
  ///
  /// - Returns: the end of the number and true. If a digit is missing, the offset where it is missing, and false.
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

  @inlinable
  func has(_ byte: UInt8, at offset: Int) -> Bool { offset < count && self[offset] == byte }

  private func endOfDigits(from start: Int) -> Int {
    var end = start
    while end < count, self[end].isDigit { end &+= 1 }
    return end
  }

  package var isNumber: Bool { number(from: 0) == (count, true) }
}

// MARK: - Objects

extension UnsafeRawBufferPointer {
  /// Whether this is an object of strings, numbers and booleans in UTF-8, without white space.
  ///
  /// It accepts repeated names, and unpaired surrogates that are escaped.
  ///
  /// - Complexity: two passes, eight bytes at a time within strings.
  package var isFlatObject: Bool {
    guard count >= 2, self[0] == UInt8(ascii: "{"), self[count &- 1] == UInt8(ascii: "}"), isUTF8
    else { return false }
    var offset = 1
    // No string, number or boolean contains the last bracket outside quotes.
    while count > 2 {
      offset = endOfString(at: offset)
      guard offset < count &- 1, self[offset] == UInt8(ascii: ":") else { return false }
      offset &+= 1
      offset =
        self[offset] == UInt8(ascii: "\"") ? endOfString(at: offset) : endOfScalar(at: offset)
      guard offset < count else { return false }
      if self[offset] != UInt8(ascii: ",") { return offset == count &- 1 }
      offset &+= 1
    }
    return true
  }

  // The offset after the token at an offset; `Int.max` if there is no such token.

  @inlinable
  @inline(__always)
  public func endOfString(at start: Int) -> Int {
    guard has(UInt8(ascii: "\""), at: start) else { return .max }
    var offset = start &+ 1
    while true {
      offset = endOfPlainText(from: offset)
      if has(UInt8(ascii: "\""), at: offset) { return offset &+ 1 }
      offset = endOfEscape(at: offset)
      guard offset < count else { return .max }
    }
  }

  @inline(never)
  @usableFromInline
  func endOfEscape(at offset: Int) -> Int {
    guard count &- offset >= 2, self[offset] == UInt8(ascii: "\\") else { return .max }
    switch self[offset &+ 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return offset &+ 2
    case UInt8(ascii: "u"):
      guard count &- offset >= 6 else { return .max }
      let areDigits = self[offset &+ 2..<offset &+ 6].allSatisfy {
        $0.isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 | 0x20
      }
      return areDigits ? offset &+ 6 : .max
    default: return .max
    }
  }

  /// The end of a number or a boolean.
  @inline(never)
  package func endOfScalar(at start: Int) -> Int {
    let rest = self[start...]
    if rest.starts(with: "true".utf8) { return start &+ 4 }
    if rest.starts(with: "false".utf8) { return start &+ 5 }
    let number = number(from: start)
    return number.isComplete ? number.end : .max
  }
}
