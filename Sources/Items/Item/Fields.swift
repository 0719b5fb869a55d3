/// The content of an item: a flat list of named values, stored as the JSON that answers contain.
///
///     let fields = try Fields(json: Array(#"{ "title": "Blue", "year": 1.971e3 }"#.utf8))
///     fields["title"]  // .string("Blue")
///     String(decoding: fields.json, as: UTF8.self)  // {"title":"Blue","year":1.971e3}
///
/// The order of names and the spelling of numbers stay. White space and unneeded escapes are removed.
package struct Fields: Hashable, Sendable {
  /// A compact JSON object of at most `maximumSize` bytes.
  package let json: [UInt8]

  package static let maximumSize = 65536

  package enum Value: Hashable, Sendable {
    case string(String)
    /// A number as it was spelled.
    case number(String)
    case boolean(Bool)

    /// The value as text: a string, a number as spelled, `true` or `false`.
    package var text: String {
      switch self {
      case .string(let text), .number(let text): text
      case .boolean(let value): value ? "true" : "false"
      }
    }
  }

  package init() { json = Self.empty }

  private static let empty = Array("{}".utf8)

  /// - Throws: `.invalid`, with a sentence that names the wrong member.
  package init(json text: [UInt8]) throws(CatalogueError) {
    var scanner = try JSONScanner(text)
    try self.init(&scanner)
    try scanner.end()
  }

  /// Fields from names and values, in this order.
  ///
  /// - Throws: `.invalid` for a repeated name, a NUL, a malformed number, or more than `maximumSize`.
  package init(_ pairs: [(name: String, value: Value)]) throws(CatalogueError) {
    try self.init(json: FieldsWriter.fields(pairs).json)
  }

  package init(_ scanner: inout JSONScanner) throws(CatalogueError) {
    var writer = FieldsWriter()
    try scanner.members(of: "fields") { scanner, name throws(CatalogueError) in
      let value = try Value(&scanner, name: name)
      try Self.check(name: name)
      writer.append(name, value)
    }
    self = try writer.fields()
  }

  /// Fields from an object that this module wrote, with values that need no check.
  package init(written json: [UInt8]) { self.json = json }

  /// Fields from a store. Nil if they are damaged, as far as `isValid` can tell.
  package init?(stored json: [UInt8]) {
    guard json.withUnsafeBytes(Self.isValid) else { return nil }
    self.json = json
  }

  /// Whether `json` is a flat object in UTF-8 of at most `maximumSize` bytes: what a response can contain.
  ///
  /// Reading a window must be fast, so this does not look for repeated names.
  package static func isValid(_ json: UnsafeRawBufferPointer) -> Bool {
    json.count <= maximumSize && json.isFlatObject
  }

  package static func check(name: String) throws(CatalogueError) {
    guard !name.utf8.contains(0) else { throw .invalid("fields: a name contains a NUL character") }
  }
}

// MARK: - Reading

extension Fields {
  package var pairs: [(name: String, value: Value)] {
    var pairs: [(name: String, value: Value)] = []
    read { name, value in
      pairs.append((name, value))
      return true
    }
    return pairs
  }

  /// - Complexity: O(bytes before it). An item has few fields, so there is no index.
  package subscript(name: String) -> Value? {
    var found: Value?
    read { candidate, value in
      guard candidate.utf8.elementsEqual(name.utf8) else { return true }
      found = value
      return false
    }
    return found
  }

  /// Calls `body` with each name and value until it returns false.
  private func read(_ body: (String, Value) -> Bool) {
    do {
      var scanner = try JSONScanner(json)
      try scanner.members { scanner, name throws(CatalogueError) in
        guard body(name, try Value(&scanner, name: name)) else { throw .interrupted }
      }
    } catch {
      // `json` was valid when it was made, so the error is the `.interrupted` above.
    }
  }
}

extension Fields.Value {
  package init(_ scanner: inout JSONScanner, name: String) throws(CatalogueError) {
    guard let value = try scanner.scalar(of: "fields.\(name)") else {
      throw .invalid("fields.\(name): it is null; leave it out instead")
    }
    if case .string(let text) = value, text.utf8.contains(0) {
      throw .invalid("fields.\(name): it contains a NUL character")
    }
    self = value
  }
}

// MARK: - Writing

/// Writes fields one by one. It does not look for repeated names.
package struct FieldsWriter {
  private var text = JSONText()

  package init() { text.raw("{") }

  package mutating func append(_ name: String, _ value: Fields.Value) {
    if text.bytes.count > 1 { text.raw(",") }
    text.string(name)
    text.raw(":")
    text.value(value)
  }

  /// Appends the cell of a table as a string.
  ///
  /// - Parameter prefix: the JSON of the field's name, made once for a whole table.
  /// - Returns: false if the cell is not valid UTF-8.
  /// - Throws: `.invalid` for a cell with a NUL.
  package mutating func append(
    _ cell: ArraySlice<UInt8>, as prefix: [UInt8], of name: String
  ) throws(CatalogueError) -> Bool {
    guard cell.withUnsafeBytes(\.isUTF8) else { return false }
    guard !cell.contains(0) else { throw .invalid("fields.\(name): it contains a NUL character") }
    if text.bytes.count > 1 { text.raw(",") }
    text.raw(prefix)
    cell.withUnsafeBytes { text.string($0) }
    return true
  }

  /// A field's name as JSON, with a colon.
  package static func prefix(of name: String) -> [UInt8] {
    JSONText(string: name).bytes + [UInt8(ascii: ":")]
  }

  /// - Throws: `.invalid` if the fields have more than `Fields.maximumSize` bytes.
  package consuming func fields() throws(CatalogueError) -> Fields {
    text.raw("}")
    guard text.bytes.count <= Fields.maximumSize else {
      throw .invalid(
        "fields: they have \(text.bytes.count) bytes, more than \(Fields.maximumSize)")
    }
    return Fields(written: text.bytes)
  }

  package static func fields(
    _ pairs: [(name: String, value: Fields.Value)]
  ) throws(CatalogueError) -> Fields {
    var writer = FieldsWriter()
    for (name, value) in pairs { writer.append(name, value) }
    return try writer.fields()
  }
}

extension JSONText {
  /// Writes a value; null for nil.
  package mutating func value(_ value: Fields.Value?) {
    switch value {
    case .string(let text): string(text)
    case .number(let spelling): raw(spelling.utf8)
    case .boolean(let value): raw(value ? "true" : "false")
    case nil: raw("null")
    }
  }
}
