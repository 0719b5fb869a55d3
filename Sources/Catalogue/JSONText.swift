/// Writes JSON in its shortest form, always the same for the same values.
///
///     var text = JSONText()
///     text.string("6\" x 4\"")
///     text.bytes  // "6\" x 4\"", escaped and in quotes
///
/// Only what RFC 8259 says must be escaped is.
struct JSONText {
  var bytes: [UInt8] = []

  mutating func raw(_ text: StaticString) {
    bytes += UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  mutating func raw(_ text: some Sequence<UInt8>) { bytes += text }

  mutating func string(_ value: String) {
    var value = value
    value.withUTF8 { string($0) }
  }

  /// Writes UTF-8 as a string: what needs no escaping in one piece.
  mutating func string(_ value: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    for place in value.indices where value[place].isEscaped {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: value[start..<place]))
      escape(value[place])
      start = place + 1
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: value[start...]))
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
      bytes += [0x5C, 0x75, 0x30, 0x30, 0x30 + byte >> 4, Self.digits[Int(byte & 15)]]
    default: bytes += [UInt8(ascii: "\\"), byte]
    }
  }

  private static let digits = Array("0123456789abcdef".utf8)
}

extension UInt8 {
  /// Whether JSON has this byte escaped in a string.
  fileprivate var isEscaped: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }
}
