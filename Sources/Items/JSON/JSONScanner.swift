/// Reads the JSON of items and edits from bytes, strictly by RFC 8259.
///
///     var scanner = try JSONScanner(Array(#"{"id":"a6","width":90}"#.utf8))
///     try scanner.members { scanner, name throws(CatalogueError) in
///       values[name] = try scanner.scalar(of: name)
///     }
///     try scanner.end()
///
/// It preserves the order of members and the spelling of numbers. The caller reads nested values, so no input
/// can be nested too deep.
package struct JSONScanner {
  private let bytes: [UInt8]
  /// The bytes of the text before `bytes`.
  private let offset: Int
  private var position = 0
  /// The position up to which `line()` has counted.
  private var mark = (position: 0, line: 1)

  /// Skips a byte order mark at the start, as RFC 8259 allows.
  ///
  /// - Parameter offset: where `bytes` begin in the text, if they are a part of it.
  package init(_ bytes: [UInt8], at offset: Int = 0) throws(CatalogueError) {
    guard bytes.withUnsafeBytes(\.isUTF8) else { throw .invalid("the text is not valid UTF-8") }
    self.bytes = bytes
    self.offset = offset
    if offset == 0, bytes.starts(with: "\u{FEFF}".utf8) { position = 3 }
  }

  // In all functions, `name` is the name of the value in errors.

  /// Reads an object: calls `member` with the name of each member, in order. `member` must read the value.
  ///
  /// - Throws: `.invalid` for a repeated name.
  package mutating func members(
    of object: String? = nil,
    _ member: (inout JSONScanner, String) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    guard skip(UInt8(ascii: "{")) else {
      throw .invalid(object.map { "\($0): it is not an object" } ?? "it is not a JSON object")
    }
    if skip(UInt8(ascii: "}")) { return }
    var names = Names()
    repeat {
      skipSpace()
      let name = try string()
      guard names.insert(name) else { throw .invalid("the member \(name.quoted) is repeated") }
      try expect(UInt8(ascii: ":"), "\":\"")
      try member(&self, name)
    } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"), "\",\" or \"}\"")
  }

  /// Reads an array: calls `element` for each element, which it must read.
  package mutating func elements(
    of array: String, _ element: (inout JSONScanner) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    guard skip(UInt8(ascii: "[")) else { throw .invalid("\(array): it is not an array") }
    if skip(UInt8(ascii: "]")) { return }
    repeat { try element(&self) } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"), "\",\" or \"]\"")
  }

  /// Reads a null, if it is next.
  package mutating func null() throws(CatalogueError) -> Bool {
    skipSpace()
    guard peek == UInt8(ascii: "n") else { return false }
    try skip(word: "null")
    return true
  }

  package mutating func string(of name: String) throws(CatalogueError) -> String {
    switch try scalar(of: name, "a string") {
    case .string(let text): return text
    case .number(let number):
      throw .invalid("\(name): \(number) is a number, not a string: write \"\(number)\"")
    default: throw .invalid("\(name): it is not a string")
    }
  }

  package mutating func number(of name: String) throws(CatalogueError) -> Double {
    guard case .number(let spelling) = try scalar(of: name, "a number"),
      let number = Double(spelling)
    else { throw .invalid("\(name): it is not a number") }
    return number
  }

  /// The line at which the next value begins, from 1. O(bytes since the last call).
  package mutating func line() -> Int {
    skipSpace()
    mark.line += bytes[mark.position..<position].count { $0 == UInt8(ascii: "\n") }
    mark.position = position
    return mark.line
  }

  /// Reads a value that is not an object or an array; nil for null.
  ///
  /// - Parameter expected: the kind of value that errors ask for.
  package mutating func scalar(
    of name: @autoclosure () -> String, _ expected: String = "a string, number or boolean"
  ) throws(CatalogueError) -> Fields.Value? {
    if try null() { return nil }
    switch peek {
    case UInt8(ascii: "\""): return .string(try string())
    case let byte? where byte == UInt8(ascii: "-") || byte.isDigit: return .number(try number())
    case UInt8(ascii: "t"):
      try skip(word: "true")
      return .boolean(true)
    case UInt8(ascii: "f"):
      try skip(word: "false")
      return .boolean(false)
    case UInt8(ascii: "{"):
      throw .invalid("\(name()): it is an object, not \(expected)")
    case UInt8(ascii: "["):
      throw .invalid("\(name()): it is an array, not \(expected)")
    default: throw malformed("a value")
    }
  }

  package mutating func end() throws(CatalogueError) {
    skipSpace()
    guard position == bytes.count else { throw malformed("the end") }
  }

  // MARK: - Bytes

  package var remaining: ArraySlice<UInt8> { bytes[position...] }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  package mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  package mutating func skip(_ byte: UInt8) -> Bool {
    skipSpace()
    guard peek == byte else { return false }
    position += 1
    return true
  }

  package mutating func expect(_ byte: UInt8, _ what: String) throws(CatalogueError) {
    guard skip(byte) else { throw malformed(what) }
  }

  private func malformed(_ expected: String) -> CatalogueError {
    .invalid("it is not JSON: \(expected) is expected at byte \(offset + position + 1)")
  }

  private mutating func skip(word: String) throws(CatalogueError) {
    for byte in word.utf8 {
      guard peek == byte else { throw malformed("\"\(word)\"") }
      position += 1
    }
  }

  private mutating func number() throws(CatalogueError) -> String {
    let start = position
    let number = bytes.withUnsafeBytes { $0.number(from: start) }
    position = number.end
    guard number.isComplete else { throw malformed("a digit") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  // MARK: - Strings

  private mutating func string() throws(CatalogueError) -> String {
    guard peek == UInt8(ascii: "\"") else { throw malformed("a string") }
    position += 1
    var unescaped: [UInt8] = []
    while true {
      let start = position
      position = bytes.withUnsafeBytes { $0.endOfPlainText(from: start) }
      let plain = bytes[start..<position]
      switch peek {
      case UInt8(ascii: "\""):
        position += 1
        guard !unescaped.isEmpty else { return String(decoding: plain, as: UTF8.self) }
        return String(decoding: unescaped + plain, as: UTF8.self)
      case UInt8(ascii: "\\"):
        position += 1
        unescaped += plain
        unescaped += try escaped().utf8
      case nil: throw malformed("the end of a string")
      case _?:
        throw .invalid(
          "it is not JSON: byte \(offset + position + 1) is a control character in a string")
      }
    }
  }

  /// Reads an escape after its backslash; returns its character.
  private mutating func escaped() throws(CatalogueError) -> String {
    guard let byte = peek else { throw malformed("the end of a string") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return String(UnicodeScalar(byte))
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      var units = [try hexadecimal()]
      if UTF16.isLeadSurrogate(units[0]), bytes[position...].starts(with: #"\u"#.utf8) {
        position += 2
        units.append(try hexadecimal())
      }
      guard let text = String(validating: units, as: UTF16.self) else {
        throw .invalid("it is not JSON: an unpaired surrogate ends at byte \(offset + position)")
      }
      return text
    default:
      position -= 1
      throw malformed("a known escape")
    }
  }

  private mutating func hexadecimal() throws(CatalogueError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(UnicodeScalar(byte)).hexDigitValue, byte < 0x80
      else { throw malformed("a hexadecimal digit") }
      value = value << 4 | UInt16(digit)
      position += 1
    }
    return value
  }
}

/// The names of one object's members, compared as bytes: up to 16 one by one, more by hash.
private struct Names {
  private var few: [String] = []
  private var many: Set<[UInt8]> = []

  /// Returns whether `name` is new.
  mutating func insert(_ name: String) -> Bool {
    guard few.count == 16 else {
      guard !few.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { return false }
      few.append(name)
      return true
    }
    if many.isEmpty { many = Set(few.map { Array($0.utf8) }) }
    return many.insert(Array(name.utf8)).inserted
  }
}
