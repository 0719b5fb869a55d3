/// What an item says: named values, flat, in the order they were given, kept as the JSON they are
/// sent as.
///
///     let fields = try Fields(json: Array(#"{ "title": "Blue", "year": 1.971e3 }"#.utf8))
///     fields["title"]  // .string("Blue")
///     String(decoding: fields.json, as: UTF8.self)  // {"title":"Blue","year":1.971e3}
///
/// Values are strings, numbers or booleans. The order of names and the spelling of numbers stay;
/// white space and needless escapes go, so that equal fields are equal bytes.
package struct Fields: Hashable, Sendable {
  /// A compact JSON object, at most `maximumSize` bytes: what an answer holds, byte for byte.
  package let json: [UInt8]

  /// 64 KiB, in bytes of `json`.
  package static let maximumSize = 65536

  package enum Value: Hashable, Sendable {
    case string(String)
    /// A number as it was spelled.
    case number(String)
    case boolean(Bool)

    /// The value as a person reads it: strings as they are, numbers as they are spelled.
    package var text: String {
      switch self {
      case .string(let text), .number(let text): text
      case .boolean(let value): value ? "true" : "false"
      }
    }
  }

  /// No fields: `{}`.
  package init() { json = Array("{}".utf8) }

  /// Fields from a JSON object.
  ///
  /// - Throws: `.invalid`, with a sentence that names the member at fault.
  /// - Complexity: one pass over the bytes.
  package init(json text: [UInt8]) throws(CatalogueError) {
    var scanner = try JSONScanner(text)
    try self.init(&scanner)
    try scanner.end()
  }

  /// Fields from names and values, in this order.
  ///
  /// - Throws: `.invalid` for a name that comes twice, a NUL, a number that is none, or too much of
  ///   all.
  package init(_ pairs: [(name: String, value: Value)]) throws(CatalogueError) {
    try self.init(json: Self.text(of: pairs).bytes)
  }

  /// Fields from names and values that were read as such, no name twice: only their size is checked.
  init(read pairs: [(name: String, value: Value)]) throws(CatalogueError) {
    json = Self.text(of: pairs).bytes
    try Self.check(size: json.count)
  }

  private static func text(of pairs: [(name: String, value: Value)]) -> JSONText {
    var text = JSONText()
    text.raw("{")
    for (position, pair) in pairs.enumerated() {
      if position > 0 { text.raw(",") }
      text.string(pair.name)
      text.raw(":")
      text.value(pair.value)
    }
    text.raw("}")
    return text
  }

  /// Reads an object where the scanner stands.
  init(_ scanner: inout JSONScanner) throws(CatalogueError) {
    var text = JSONText()
    text.raw("{")
    var isFirst = true
    try scanner.members(of: "fields") { scanner, name throws(CatalogueError) in
      let value = try Value(&scanner, name: name)
      guard !name.utf8.contains(0) else { throw .invalid("fields: a name holds a NUL character") }
      if !isFirst { text.raw(",") }
      isFirst = false
      text.string(name)
      text.raw(":")
      text.value(value)
    }
    text.raw("}")
    try Self.check(size: text.bytes.count)
    json = text.bytes
  }

  /// - Throws: `.invalid` for more bytes than are kept.
  static func check(size: Int) throws(CatalogueError) {
    guard size <= maximumSize else {
      throw .invalid("fields: they are \(size) bytes, at most \(maximumSize) are kept")
    }
  }

  /// Takes over an object that was written here, with values that need no checking.
  init(written text: JSONText) { json = text.bytes }

  /// Takes over what `json` was when it was stored, and only makes sure that nothing else is there
  /// now: what answers are made of is not read again for each of them.
  package init?(stored json: [UInt8]) {
    guard json.withUnsafeBytes(Self.mayBe), String(validating: json, as: UTF8.self) != nil else {
      return nil
    }
    self.json = json
  }

  /// Whether `json` begins and ends like fields that were stored, and is no longer than they may be.
  package static func mayBe(_ json: UnsafeRawBufferPointer) -> Bool {
    json.first == UInt8(ascii: "{") && json.last == UInt8(ascii: "}") && json.count <= maximumSize
  }
}

extension Fields.Value {
  init(_ scanner: inout JSONScanner, name: String) throws(CatalogueError) {
    switch try scanner.scalar(of: "fields.\(name)") {
    case .string(let text):
      guard !text.utf8.contains(0) else {
        throw .invalid("fields.\(name): it holds a NUL character")
      }
      self = .string(text)
    case .number(let spelling): self = .number(String(decoding: spelling, as: UTF8.self))
    case .boolean(let value): self = .boolean(value)
    case .null: throw .invalid("fields.\(name): it is null; leave it out instead")
    }
  }
}

extension JSONText {
  fileprivate mutating func value(_ value: Fields.Value) {
    switch value {
    case .string(let text): string(text)
    case .number(let spelling): raw(spelling.utf8)
    case .boolean(let value): raw(value ? "true" : "false")
    }
  }
}
