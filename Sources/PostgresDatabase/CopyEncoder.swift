import CPostgreSQL
import SQLCatalogue

/// Writes values in the binary format of PostgreSQL's `COPY`: the length of each value, then its bytes.
///
///     var rows = CopyEncoder()
///     rows.appendRow([.integer(strip), .text(id), .null])
///     try session.copy(&rows, "COPY item (strip, id, aspect) FROM STDIN (FORMAT binary)")
struct CopyEncoder {
  private(set) var bytes: [UInt8] = []

  /// In bytes.
  static let lengthSize = 4

  var isEmpty: Bool { bytes.isEmpty }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func appendRow(_ values: [SQLValue]) {
    appendBigEndian(Int16(values.count))
    for value in values { append(value) }
  }

  /// - Returns: false for NULL, and for a text with a NUL character: PostgreSQL cannot store it, so no row matches it.
  @discardableResult
  mutating func append(_ value: SQLValue) -> Bool {
    switch value {
    case .integer(let number):
      appendBigEndian(Int32(8))
      appendBigEndian(number)
    case .text(let text) where !text.utf8.contains(0): append(text.utf8)
    case .utf8(let text) where !text.contains(0): append(text)
    case .bytes(let content): append(content)
    case .null, .text, .utf8:
      appendBigEndian(Int32(-1))
      return false
    }
    return true
  }

  /// An array of elements of a type, without its length.
  static func array(_ values: some Collection<SQLValue>, of type: Oid) -> [UInt8] {
    var encoder = CopyEncoder()
    // One dimension; elements can be NULL; their type and number; the first index.
    for number in [1, 1, Int32(bitPattern: type), Int32(values.count), 1] {
      encoder.appendBigEndian(number)
    }
    for value in values { encoder.append(value) }
    return encoder.bytes
  }

  private mutating func append(_ content: some Collection<UInt8>) {
    appendBigEndian(Int32(content.count))
    bytes.append(contentsOf: content)
  }

  private mutating func appendBigEndian(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// The signature, no flags, no extension.
  static let head: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)

  static let tail: [UInt8] = [0xFF, 0xFF]
}
