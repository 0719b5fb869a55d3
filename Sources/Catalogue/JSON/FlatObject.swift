/// Checks the JSON of an item's fields before it is sent, without reading its values.
///
///     {"title":"Blue","year":1971}
///      └ string      └ number
///
/// It accepts an object of strings, numbers and booleans by RFC 8259, without white space. It does not look
/// for repeated names, and accepts an unpaired surrogate that is escaped.
///
/// - Complexity: one pass, eight bytes at a time within strings.
struct FlatObject {
  private var next: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  /// The bits of all bytes in strings.
  private var bits: UInt64 = 0

  /// Whether `json` is such an object in UTF-8.
  static func isValid(_ json: UnsafeRawBufferPointer) -> Bool {
    guard let start = json.assumingMemoryBound(to: UInt8.self).baseAddress else { return false }
    var object = FlatObject(next: start, end: start + json.count)
    guard object.read() else { return false }
    return object.bits & 0x8080_8080_8080_8080 == 0
      || String(validating: json, as: UTF8.self) != nil
  }

  private init(next: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    self.next = next
    self.end = end
  }

  private mutating func read() -> Bool {
    guard skip(UInt8(ascii: "{")) else { return false }
    if skip(UInt8(ascii: "}")) { return next == end }
    repeat {
      guard string(), skip(UInt8(ascii: ":")), value() else { return false }
    } while skip(UInt8(ascii: ","))
    return skip(UInt8(ascii: "}")) && next == end
  }

  @inline(__always)
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard next < end, next.pointee == byte else { return false }
    next += 1
    return true
  }

  @inline(__always)
  private mutating func value() -> Bool {
    guard next < end else { return false }
    switch next.pointee {
    case UInt8(ascii: "\""): return string()
    case UInt8(ascii: "t"): return word("true")
    case UInt8(ascii: "f"): return word("false")
    default: return number()
    }
  }

  private mutating func word(_ word: StaticString) -> Bool {
    guard end - next >= word.utf8CodeUnitCount else { return false }
    defer { next += word.utf8CodeUnitCount }
    return (0..<word.utf8CodeUnitCount).allSatisfy { next[$0] == word.utf8Start[$0] }
  }

  private mutating func number() -> Bool {
    _ = skip(UInt8(ascii: "-"))
    guard skip(UInt8(ascii: "0")) || digits() else { return false }
    if skip(UInt8(ascii: ".")), !digits() { return false }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      _ = skip(UInt8(ascii: "+")) || skip(UInt8(ascii: "-"))
      return digits()
    }
    return true
  }

  private mutating func digits() -> Bool {
    let start = next
    while next < end, next.pointee.isDigit { next += 1 }
    return next > start
  }

  @inline(__always)
  private mutating func string() -> Bool {
    guard skip(UInt8(ascii: "\"")) else { return false }
    while true {
      while end - next >= 8 {
        let word = UInt64(littleEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self))
        // As `JSONWriter.isPlain`. The lowest mark is the first byte that ends the run.
        let (quote, backslash) = (word ^ 0x2222_2222_2222_2222, word ^ 0x5C5C_5C5C_5C5C_5C5C)
        let marks =
          ((word &- 0x2020_2020_2020_2020) & ~word
            | (quote &- 0x0101_0101_0101_0101) & ~quote
            | (backslash &- 0x0101_0101_0101_0101) & ~backslash) & 0x8080_8080_8080_8080
        guard marks != 0 else {
          bits |= word
          next += 8
          continue
        }
        let count = marks.trailingZeroBitCount >> 3
        bits |= word & ~(UInt64.max &<< UInt64(8 * count))
        next += count
        break
      }
      guard next < end else { return false }
      let byte = next.pointee
      next += 1
      if byte == UInt8(ascii: "\"") { return true }
      if byte == UInt8(ascii: "\\") {
        guard escape() else { return false }
      } else {
        guard byte >= 0x20 else { return false }
        bits |= UInt64(byte)
      }
    }
  }

  /// Reads an escape after its backslash.
  private mutating func escape() -> Bool {
    guard next < end else { return false }
    defer { next += 1 }
    switch next.pointee {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return true
    case UInt8(ascii: "u"):
      guard end - next > 4 else { return false }
      let areDigits = (1...4).allSatisfy { place in
        let byte = next[place]
        return byte.isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
      }
      next += 4
      return areDigits
    default: return false
    }
  }
}
