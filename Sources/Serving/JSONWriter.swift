internal import Windowing

/// Writes JSON into one growing buffer of bytes, without a `String` on the way.
///
/// It knows the marks and the values, not the grammar: whoever calls it writes the commas.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int = 4096) {
    bytes.reserveCapacity(capacity)
  }

  /// Text of the program's own, which needs no escaping.
  mutating func literal(_ text: StaticString) {
    // The memory of a static string lives as long as the program.
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// JSON that is ready.
  mutating func json(_ json: some Sequence<UInt8>) {
    bytes.append(contentsOf: json)
  }

  mutating func integer(_ value: some BinaryInteger) {
    let magnitude = UInt64(value.magnitude)
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    digits(of: magnitude)
  }

  /// A length in px, as an exact decimal without exponent or trailing zeros.
  mutating func length(_ length: Length) {
    if length.units < 0 { bytes.append(UInt8(ascii: "-")) }
    let units = length.units.magnitude
    digits(of: units / 64)
    // A sixty-fourth is 0.015625: six digits say each exactly.
    var fraction = units % 64 * 15_625
    guard fraction > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var unit: UInt64 = 100_000
    while fraction > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(fraction / unit))
      fraction %= unit
      unit /= 10
    }
  }

  mutating func bool(_ value: Bool) {
    literal(value ? "true" : "false")
  }

  /// A string in quotes, escaped as RFC 8259 asks for and no further.
  mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { text in
      if text.contains(where: Self.isEscaped) {
        for byte in text { escaped(byte) }
      } else {
        bytes.append(contentsOf: text)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// A slot's name, in quotes: its kind and number.
  mutating func slot(_ slot: Slot, kinds: [String]) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: kinds[Int(slot.kind.number)].utf8)
    bytes.append(UInt8(ascii: "-"))
    integer(slot.number)
    bytes.append(UInt8(ascii: "\""))
  }

  /// The parts of a list with commas between them.
  mutating func list<Element>(
    _ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
  ) {
    var first = true
    for element in elements {
      if !first { bytes.append(UInt8(ascii: ",")) }
      first = false
      write(&self, element)
    }
  }

  private mutating func digits(of value: UInt64) {
    if value < 10 {
      bytes.append(UInt8(ascii: "0") + UInt8(value))
      return
    }
    // From the last digit to the first; the largest number has twenty.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var place = 20
      var rest = value
      while rest > 0 {
        place -= 1
        digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[place...]))
    }
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case 0x0A: literal("\\n")
    case 0x0D: literal("\\r")
    case 0x09: literal("\\t")
    case 0x08: literal("\\b")
    case 0x0C: literal("\\f")
    case ..<0x20:
      literal("\\u00")
      bytes.append(Self.hexDigit(byte >> 4))
      bytes.append(Self.hexDigit(byte & 15))
    default: bytes.append(byte)
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
