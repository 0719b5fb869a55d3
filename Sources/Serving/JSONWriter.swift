private import Glibc
import Windowing

/// Writes JSON into one growing buffer of bytes, without a `String` on the way.
///
/// It knows the marks and the values, not the grammar: whoever calls it writes the commas.
///
/// - Complexity: a value costs its bytes and one comparison, whether there is room.
struct JSONWriter: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var count = 0
  private var capacity: Int

  init(capacity: Int = 8192) {
    self.capacity = max(capacity, 64)
    start = .allocate(capacity: self.capacity)
  }

  deinit { start.deallocate() }

  /// What was written.
  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

  /// Text of the program's own, which needs no escaping.
  @inline(__always)
  mutating func literal(_ text: StaticString) {
    // The memory of a static string lives as long as the program.
    append(text.utf8Start, text.utf8CodeUnitCount)
  }

  /// JSON that is ready.
  mutating func json(_ json: UnsafeRawBufferPointer) {
    guard let bytes = json.baseAddress else { return }
    append(bytes, json.count)
  }

  /// The same.
  mutating func json(_ json: ArraySlice<UInt8>) {
    json.withUnsafeBytes { self.json($0) }
  }

  mutating func integer(_ value: some BinaryInteger) {
    let magnitude = UInt64(value.magnitude)
    if value < 0 { append(UInt8(ascii: "-")) }
    digits(of: magnitude)
  }

  /// A length in px, as an exact decimal without exponent or trailing zeros.
  mutating func length(_ length: Length) {
    if length.units < 0 { append(UInt8(ascii: "-")) }
    let units = length.units.magnitude
    digits(of: units / 64)
    // A sixty-fourth is 0.015625: six digits say each exactly.
    var fraction = units % 64 * 15_625
    guard fraction > 0 else { return }
    append(UInt8(ascii: "."))
    var unit: UInt64 = 100_000
    while fraction > 0 {
      append(UInt8(ascii: "0") + UInt8(fraction / unit))
      fraction %= unit
      unit /= 10
    }
  }

  mutating func bool(_ value: Bool) {
    literal(value ? "true" : "false")
  }

  /// A string in quotes, escaped as RFC 8259 asks for and no further.
  mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { string(UnsafeRawBufferPointer($0)) }
  }

  /// The same, of the bytes of UTF-8.
  mutating func string(_ text: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    if text.contains(where: Self.isEscaped) {
      for byte in text { escaped(byte) }
    } else {
      json(text)
    }
    append(UInt8(ascii: "\""))
  }

  /// A slot's name, in quotes: its kind and number.
  mutating func slot(_ slot: Slot, kinds: [String]) {
    append(UInt8(ascii: "\""))
    plain(kinds[Int(slot.kind.number)])
    append(UInt8(ascii: "-"))
    digits(of: UInt64(slot.number))
    append(UInt8(ascii: "\""))
  }

  /// The parts of a list with commas between them.
  mutating func list<Element>(
    _ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
  ) {
    var first = true
    for element in elements {
      comma(unless: &first)
      write(&self, element)
    }
  }

  /// A comma, but for the first time.
  mutating func comma(unless first: inout Bool) {
    if !first { append(UInt8(ascii: ",")) }
    first = false
  }

  /// Text that needs no escaping.
  private mutating func plain(_ text: String) {
    var text = text
    text.withUTF8 { json(UnsafeRawBufferPointer($0)) }
  }

  @inline(__always)
  private mutating func append(_ byte: UInt8) {
    reserve(1)
    start[count] = byte
    count &+= 1
  }

  @inline(__always)
  private mutating func append(_ bytes: UnsafeRawPointer, _ length: Int) {
    reserve(length)
    memcpy(start + count, bytes, length)
    count &+= length
  }

  /// Makes room for so many bytes more.
  @inline(__always)
  private mutating func reserve(_ length: Int) {
    if capacity &- count < length { grow(by: length) }
  }

  @inline(never)
  private mutating func grow(by length: Int) {
    capacity = max(capacity * 2, count + length)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.moveInitialize(from: start, count: count)
    start.deallocate()
    start = larger
  }

  /// From the last digit to the first; the largest number has twenty.
  private mutating func digits(of value: UInt64) {
    reserve(20)
    var width = 1
    var bound: UInt64 = 10
    while width < 20, value >= bound {
      width &+= 1
      // 10^20 is beyond 64 bits, and never looked at.
      bound = bound &* 10
    }
    var place = count &+ width
    count = place
    var rest = value
    while rest >= 100 {
      let pair = Int(truncatingIfNeeded: rest % 100) * 2
      rest /= 100
      place &-= 2
      start[place] = Self.pairs[pair]
      start[place &+ 1] = Self.pairs[pair &+ 1]
    }
    if rest >= 10 {
      start[place &- 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      place &-= 1
      rest /= 10
    }
    start[place &- 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)
  }

  /// 00, 01, 02 ... 99.
  private static let pairs: [UInt8] = {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    var pairs: [UInt8] = []
    for ten in digits {
      for one in digits { pairs += [ten, one] }
    }
    return pairs
  }()

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      append(UInt8(ascii: "\\"))
      append(byte)
    case 0x0A: literal("\\n")
    case 0x0D: literal("\\r")
    case 0x09: literal("\\t")
    case 0x08: literal("\\b")
    case 0x0C: literal("\\f")
    case ..<0x20:
      literal("\\u00")
      append(Self.hexDigit(byte >> 4))
      append(Self.hexDigit(byte & 15))
    default: append(byte)
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
