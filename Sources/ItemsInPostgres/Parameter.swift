/// A value that a statement is given beside its text, never in it: in PostgreSQL's binary form.
enum Parameter {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])
  case boolean(Bool)
  /// `bigint[]`
  case integers([Int64?])
  /// `text[]`
  case texts([String?])
  /// `bytea[]`
  case byteStrings([[UInt8]?])

  static func optional(_ text: String?) -> Parameter { text.map { .text($0) } ?? .null }
  static func optional(_ number: Int64?) -> Parameter { number.map { .integer($0) } ?? .null }
}

/// Values one behind the other, as a statement or a copy takes them.
struct Encoding {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ content: some Sequence<UInt8>) { bytes.append(contentsOf: content) }

  /// - Returns: false for null, which is no value.
  mutating func append(_ parameter: Parameter) -> Bool {
    switch parameter {
    case .null: return false
    case .integer(let number): append(number)
    case .text(let text): append(text.utf8)
    case .bytes(let content): append(content)
    case .boolean(let value): append(UInt8(value ? 1 : 0))
    case .integers(let numbers):
      array(numbers, of: 20) { $0.field($1) }
    case .texts(let texts):
      array(texts, of: 25) { $0.field($1.utf8) }
    case .byteStrings(let strings):
      array(strings, of: 17) { $0.field($1) }
    }
    return true
  }

  /// A value behind its length in bytes.
  mutating func field(_ number: some FixedWidthInteger) {
    append(Int32(number.bitWidth / 8))
    append(number)
  }

  /// The same of bytes.
  mutating func field(_ content: some Collection<UInt8>) {
    append(Int32(content.count))
    append(content)
  }

  /// What stands for no value.
  mutating func noField() { append(Int32(-1)) }

  /// One dimension, from 1.
  ///
  /// - Parameter type: the object identifier of the elements' type, as `pg_type.dat` has it.
  private mutating func array<Element>(
    _ elements: [Element?], of type: Int32, _ write: (inout Encoding, Element) -> Void
  ) {
    append(Int32(1))
    append(Int32(elements.contains { $0 == nil } ? 1 : 0))
    append(type)
    append(Int32(elements.count))
    append(Int32(1))
    for element in elements {
      if let element { write(&self, element) } else { noField() }
    }
  }
}
