import Catalogue
private import Glibc
import Windowing

/// Writes JSON where there is room for it: whoever lends the pen has seen to that, and nothing is
/// looked at again.
///
///     json.write(atMost: 64) { pen in
///       pen.literal(#"{"index":"#)
///       pen.integer(7)
///     }
///
/// - Complexity: a value costs its bytes.
struct JSONPen: ~Copyable {
  /// Where the next byte goes.
  private(set) var place: UnsafeMutablePointer<UInt8>

  /// The most bytes that a number takes, or a length.
  static let numberCount = 28

  /// - Precondition: There is room from `place` on for all that will be written.
  @inline(__always)
  init(at place: UnsafeMutablePointer<UInt8>) { self.place = place }

  @inline(__always)
  mutating func byte(_ byte: UInt8) {
    place.pointee = byte
    place += 1
  }

  /// Text of the program's own, which needs no escaping.
  @inline(__always)
  mutating func literal(_ text: StaticString) {
    // The memory of a static string lives as long as the program.
    memcpy(place, text.utf8Start, text.utf8CodeUnitCount)
    place += text.utf8CodeUnitCount
  }

  /// JSON that is ready.
  @inline(__always)
  mutating func json(_ json: UnsafeRawBufferPointer) {
    guard let bytes = json.baseAddress else { return }
    memcpy(place, bytes, json.count)
    place += json.count
  }

  @inline(__always)
  mutating func bool(_ value: Bool) {
    if value { literal("true") } else { literal("false") }
  }

  @inline(__always)
  mutating func integer(_ value: Int) {
    if value < 0 { byte(UInt8(ascii: "-")) }
    place = DecimalDigits.write(UInt64(value.magnitude), to: place)
  }

  /// A length in px, as an exact decimal without exponent or trailing zeros.
  @inline(__always)
  mutating func length(_ length: Length) {
    if length.units < 0 { byte(UInt8(ascii: "-")) }
    let units = length.units.magnitude
    place = DecimalDigits.write(units / 64, to: place)
    if units % 64 > 0 { fraction(units % 64) }
  }

  /// So many sixty-fourths, behind a point: one is 0.015625, so that six digits say each exactly.
  @inline(never)
  private mutating func fraction(_ units: UInt64) {
    var fraction = units * 15_625
    byte(UInt8(ascii: "."))
    var unit: UInt64 = 100_000
    while fraction > 0 {
      byte(UInt8(ascii: "0") + UInt8(fraction / unit))
      fraction %= unit
      unit /= 10
    }
  }

  /// A slot's name without its quotes: its kind, whose name is `kind`, and its number.
  @inline(__always)
  mutating func slot(_ slot: Slot, kind: UnsafeRawBufferPointer) {
    json(kind)
    byte(UInt8(ascii: "-"))
    integer(slot.number)
  }
}
