import Catalogue
import Windowing

/// Writes JSON into one growing array of bytes, which is what is sent, without a `String` on the way.
///
/// It knows the marks and the values, not the grammar: whoever calls it writes the commas.
///
/// - Complexity: a value costs its bytes and one comparison, whether there is room.
struct JSONWriter: ~Copyable {
  /// What was written.
  private(set) var bytes: [UInt8] = []

  init(capacity: Int = 8192) { bytes.reserveCapacity(capacity) }

  /// Has `body` write at most `count` bytes, for all of which there is room from the start.
  @inline(__always)
  mutating func write(atMost count: Int, _ body: (inout JSONPen) -> Void) {
    bytes.append(addingCapacity: count) { room in
      room.withUnsafeMutableBufferPointer { buffer, written in
        // There is none where nothing is to be written.
        guard let start = buffer.baseAddress else { return }
        var pen = JSONPen(at: start)
        body(&pen)
        written = pen.place - start
        precondition(written <= count, "More was written than there was room for.")
      }
    }
  }

  /// Text of the program's own, which needs no escaping.
  @inline(__always)
  mutating func literal(_ text: StaticString) {
    write(atMost: text.utf8CodeUnitCount) { $0.literal(text) }
  }

  /// JSON that is ready.
  @inline(__always)
  mutating func json(_ json: UnsafeRawBufferPointer) {
    write(atMost: json.count) { $0.json(json) }
  }

  /// The same.
  mutating func json(_ json: ArraySlice<UInt8>) {
    json.withUnsafeBytes { self.json($0) }
  }

  @inline(__always)
  mutating func integer(_ value: Int) {
    write(atMost: JSONPen.numberCount) { $0.integer(value) }
  }

  /// A length in px, as an exact decimal without exponent or trailing zeros.
  @inline(__always)
  mutating func length(_ length: Length) {
    write(atMost: JSONPen.numberCount) { $0.length(length) }
  }

  mutating func bool(_ value: Bool) {
    write(atMost: 5) { $0.bool(value) }
  }

  /// A string in quotes, escaped as RFC 8259 asks for and no further.
  mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { string(UnsafeRawBufferPointer($0)) }
  }

  /// The same, of the bytes of UTF-8.
  @inline(__always)
  mutating func string(_ text: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    if Self.isPlain(text) { json(text) } else { for byte in text { escaped(byte) } }
    append(UInt8(ascii: "\""))
  }

  /// A slot's name, in quotes: its kind and number.
  mutating func slot(_ slot: Slot, kinds: KindNames.Lent) {
    let kind = kinds[Int(slot.kind.number)]
    write(atMost: kind.count + JSONPen.numberCount + 3) { pen in
      pen.byte(UInt8(ascii: "\""))
      pen.slot(slot, kind: kind)
      pen.byte(UInt8(ascii: "\""))
    }
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
  @inline(__always)
  mutating func comma(unless first: inout Bool) {
    if !first { append(UInt8(ascii: ",")) }
    first = false
  }

  @inline(__always)
  private mutating func append(_ byte: UInt8) {
    write(atMost: 1) { $0.byte(byte) }
  }

  /// Whether nothing of `text` needs escaping; eight bytes are looked at together.
  @inline(__always)
  static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while text.count &- place >= 8 {
      let word = text.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      // What is below a space, and what is zero once a quote or a backslash is taken from it, has
      // its upper bit set by the subtraction and not before.
      let (quote, backslash) = (word ^ 0x2222_2222_2222_2222, word ^ 0x5C5C_5C5C_5C5C_5C5C)
      let low = (word &- 0x2020_2020_2020_2020) & ~word
      let marks =
        low | (quote &- 0x0101_0101_0101_0101) & ~quote
        | (backslash &- 0x0101_0101_0101_0101) & ~backslash
      if marks & 0x8080_8080_8080_8080 != 0 { return false }
      place &+= 8
    }
    while place < text.count {
      let byte = text[place]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
      place &+= 1
    }
    return true
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
