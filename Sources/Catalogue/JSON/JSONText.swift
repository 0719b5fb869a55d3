/// Writes JSON in its shortest form: equal values give equal bytes.
///
///     var text = JSONText()
///     text.string("6\" x 4\"")
///     text.bytes  // "6\" x 4\"", escaped and in quotes
///
/// It escapes only the characters that RFC 8259 requires.
package struct JSONText {
  package var bytes: [UInt8]

  package init(bytes: [UInt8] = []) { self.bytes = bytes }

  mutating func raw(_ text: StaticString) {
    bytes += UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  mutating func raw(_ text: some Sequence<UInt8>) { bytes += text }

  mutating func string(_ value: String) {
    var value = value
    value.withUTF8 { string(UnsafeRawBufferPointer($0)) }
  }

  /// Writes UTF-8 as a string, the runs between escapes in one piece each.
  package mutating func string(_ value: UnsafeRawBufferPointer) {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    for index in value.indices where value[index].isEscapedInJSON {
      bytes += value[start..<index]
      escape(value[index])
      start = index + 1
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
      bytes += [0x5C, 0x75, 0x30, 0x30, 0x30 + byte >> 4, Self.digits[Int(byte & 15)]]
    default: bytes += [UInt8(ascii: "\\"), byte]
    }
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
