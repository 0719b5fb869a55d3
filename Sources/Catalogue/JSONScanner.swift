/// Reads the JSON of items: objects of scalars, strictly by RFC 8259, straight over bytes.
///
///     var scanner = try JSONScanner(Array(#"{"id":"a6","width":90}"#.utf8))
///     try scanner.members { scanner, name throws(CatalogueError) in
///       values[name] = try scanner.scalar(of: name)
///     }
///     try scanner.end()
///
/// It keeps what JSON libraries lose: the order of members and the spelling of numbers. What may be
/// nested, and how deep, says who calls it: nothing here recurses and no input can be too deep.
///
/// - Complexity: one pass over the bytes.
struct JSONScanner {
  private let bytes: [UInt8]
  private var position = 0
  /// How far lines have been counted.
  private var mark = (position: 0, line: 1)

  /// A value that is no object and no array.
  enum Scalar {
    case string(String)
    /// A number as it is spelled.
    case number(ArraySlice<UInt8>)
    case boolean(Bool)
    case null
  }

  init(_ bytes: [UInt8]) throws(CatalogueError) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw .invalid("it is not valid UTF-8")
    }
    self.bytes = bytes
  }

  /// Reads an object and calls `member` with the name of each member, in order; `member` must read
  /// the value. A name that comes twice is refused; `object` says in an error whose members they
  /// are.
  mutating func members(
    of object: String? = nil,
    _ member: (inout JSONScanner, String) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    guard skip(UInt8(ascii: "{")) else {
      throw .invalid(object.map { "\($0): it is no object" } ?? "it is no JSON object")
    }
    if skip(UInt8(ascii: "}")) { return }
    var names = Names()
    repeat {
      skipSpace()
      let name = try string()
      guard names.insert(name) else { throw .invalid("the member \"\(name)\" is there twice") }
      try expect(UInt8(ascii: ":"), "\":\"")
      try member(&self, name)
    } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"), "\",\" or \"}\"")
  }

  /// Reads an array and calls `element` for each element, which it must read; `array` says in an
  /// error which array it is.
  mutating func elements(
    of array: String, _ element: (inout JSONScanner) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    guard skip(UInt8(ascii: "[")) else { throw .invalid("\(array): it is no array") }
    if skip(UInt8(ascii: "]")) { return }
    repeat { try element(&self) } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"), "\",\" or \"]\"")
  }

  /// Whether the value that comes next begins like this; nothing is read.
  mutating func isAt(_ byte: UInt8) -> Bool {
    skipSpace()
    return peek == byte
  }

  /// The line that the next value begins on, from 1.
  ///
  /// - Complexity: one pass over what has been read since it was asked last.
  mutating func line() -> Int {
    skipSpace()
    mark.line += bytes[mark.position..<position].count { $0 == UInt8(ascii: "\n") }
    mark.position = position
    return mark.line
  }

  /// Reads a value that is no object and no array; `name` says in an error whose value it is.
  mutating func scalar(of name: String) throws(CatalogueError) -> Scalar {
    skipSpace()
    switch peek {
    case UInt8(ascii: "\""): return .string(try string())
    case let byte? where byte == UInt8(ascii: "-") || byte.isDigit: return .number(try number())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "{"): throw .invalid("\(name): it is an object, where a plain value belongs")
    case UInt8(ascii: "["): throw .invalid("\(name): it is an array, where a plain value belongs")
    default: throw malformed("a value")
    }
  }

  /// Makes sure that nothing but white space is left.
  mutating func end() throws(CatalogueError) {
    skipSpace()
    guard position == bytes.count else { throw malformed("the end") }
  }

  // MARK: - Bytes

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    skipSpace()
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ byte: UInt8, _ what: String) throws(CatalogueError) {
    guard skip(byte) else { throw malformed(what) }
  }

  private func malformed(_ expected: String) -> CatalogueError {
    .invalid("it is not JSON: \(expected) is missing at byte \(position + 1)")
  }

  private mutating func word(
    _ word: StaticString, _ value: Scalar
  ) throws(CatalogueError) -> Scalar {
    for offset in 0..<word.utf8CodeUnitCount {
      guard peek == word.utf8Start[offset] else { throw malformed("\"\(word)\"") }
      position += 1
    }
    return value
  }

  // MARK: - Numbers

  /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`, as RFC 8259 has it in section 6.
  private mutating func number() throws(CatalogueError) -> ArraySlice<UInt8> {
    let start = position
    if peek == UInt8(ascii: "-") { position += 1 }
    if peek == UInt8(ascii: "0") { position += 1 } else { try digits() }
    if peek == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      position += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    return bytes[start..<position]
  }

  private mutating func digits() throws(CatalogueError) {
    let start = position
    while let byte = peek, byte.isDigit { position += 1 }
    guard position > start else { throw malformed("a digit") }
  }

  // MARK: - Strings

  private mutating func string() throws(CatalogueError) -> String {
    guard peek == UInt8(ascii: "\"") else { throw malformed("a string") }
    position += 1
    var start = position
    var unescaped: [UInt8] = []
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        let rest = bytes[start..<position]
        position += 1
        guard !unescaped.isEmpty else { return String(decoding: rest, as: UTF8.self) }
        return String(decoding: unescaped + rest, as: UTF8.self)
      case UInt8(ascii: "\\"):
        unescaped += bytes[start..<position]
        position += 1
        unescaped += try escaped().utf8
        start = position
      case 0..<0x20:
        throw .invalid("it is not JSON: a control character in a string at byte \(position + 1)")
      default:
        position += 1
      }
    }
    throw malformed("the end of a string")
  }

  /// The character that an escape stands for; the backslash has been read.
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
      let unit = try hexadecimal()
      guard UTF16.isLeadSurrogate(unit), peek == UInt8(ascii: "\\") else { return try scalar(unit) }
      position += 1
      guard peek == UInt8(ascii: "u") else { throw loneSurrogate }
      position += 1
      let trail = try hexadecimal()
      guard UTF16.isTrailSurrogate(trail) else { throw loneSurrogate }
      return String(decoding: [unit, trail], as: UTF16.self)
    default:
      position -= 1
      throw malformed("a known escape")
    }
  }

  private func scalar(_ unit: UInt16) throws(CatalogueError) -> String {
    guard let scalar = UnicodeScalar(unit) else { throw loneSurrogate }
    return String(scalar)
  }

  private var loneSurrogate: CatalogueError {
    .invalid("it is not JSON: half a surrogate pair before byte \(position + 1)")
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

/// The names seen in one object, compared as bytes: few are compared one by one, many are hashed,
/// so that no object makes the check quadratic.
private struct Names {
  private var few: [String] = []
  private var many: Set<[UInt8]> = []

  /// Whether `name` is new.
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
