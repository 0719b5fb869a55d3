import SQLCatalogue

/// Values one after the other, in PostgreSQL's binary form.
struct BinaryEncoder {
  private(set) var bytes: [UInt8] = []

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ content: some Sequence<UInt8>) { bytes.append(contentsOf: content) }

  /// - Returns: false for NULL, which has no bytes. A text with a NUL character is NULL as well:
  ///   PostgreSQL cannot store it, so no row matches it.
  mutating func append(_ value: SQLValue) -> Bool {
    switch value {
    case .null: return false
    case .integer(let number): append(number)
    case .text(let text):
      guard !text.utf8.contains(0) else { return false }
      append(text.utf8)
    case .utf8(let text):
      guard !text.contains(0) else { return false }
      append(text)
    case .bytes(let content): append(content)
    }
    return true
  }
}

/// Rows for a table, in the binary form of `COPY`. Each field stands after its length.
///
///     var rows = CopyEncoder()
///     rows.beginRow(fields: 3)
///     rows.append(strip)
///     rows.append(id.utf8)
///     rows.appendNull()
///     try session.copy(&rows, "COPY item (strip, id, aspect) FROM STDIN (FORMAT binary)")
struct CopyEncoder {
  private var encoder = BinaryEncoder()

  var bytes: [UInt8] { encoder.bytes }
  var isEmpty: Bool { encoder.bytes.isEmpty }

  mutating func removeAll() { encoder.removeAll() }

  mutating func beginRow(fields: Int16) { encoder.append(fields) }

  mutating func append(_ number: Int64) {
    encoder.append(Int32(8))
    encoder.append(number)
  }

  mutating func append(_ content: some Collection<UInt8>) {
    encoder.append(Int32(content.count))
    encoder.append(content)
  }

  mutating func appendNull() { encoder.append(Int32(-1)) }

  mutating func append(_ number: Int64?) {
    if let number { append(number) } else { appendNull() }
  }

  mutating func append(_ content: (some Collection<UInt8>)?) {
    if let content { append(content) } else { appendNull() }
  }

  /// What comes before all rows: the signature, no flags, no extension.
  static let head: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)

  /// What comes after them.
  static let tail: [UInt8] = [0xFF, 0xFF]
}
