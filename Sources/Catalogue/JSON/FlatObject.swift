/// Checks the JSON of an item's fields before it is sent, without reading its values.
///
///     {"title":"Blue","year":1971}
///      └ string      └ number
///
/// It accepts an object of strings, numbers and booleans by RFC 8259, without white space. It does not look
/// for repeated names, and accepts an unpaired surrogate that is escaped.
///
/// Each function takes an offset in the text, and returns the offset after the token there, or `Int.max` if
/// there is no such token. A window checks each of its items, so short strings must be fast.
///
/// - Complexity: one pass, eight bytes at a time within strings.
struct FlatObject {
  private let text: UnsafePointer<UInt8>
  private let count: Int
  /// The bits of all bytes in strings, and of some bytes after them.
  private var bits: UInt64 = 0

  /// Whether `json` is such an object in UTF-8.
  static func isValid(_ json: UnsafeRawBufferPointer) -> Bool {
    guard let text = json.assumingMemoryBound(to: UInt8.self).baseAddress else { return false }
    var object = FlatObject(text: text, count: json.count)
    return object.isObject() && (object.bits & 0x8080_8080_8080_8080 == 0 || json.isUTF8)
  }

  private init(text: UnsafePointer<UInt8>, count: Int) {
    self.text = text
    self.count = count
  }

  @inline(__always)
  private mutating func isObject() -> Bool {
    // The bracket at the end also ends the loop that reads words.
    guard count >= 2, text[0] == UInt8(ascii: "{"), text[count &- 1] == UInt8(ascii: "}") else {
      return false
    }
    guard count > 2 else { return true }
    var offset = 1
    while true {
      offset = string(offset)
      guard offset < count &- 1, text[offset] == UInt8(ascii: ":") else { return false }
      offset &+= 1
      offset = text[offset] == UInt8(ascii: "\"") ? string(offset) : number(offset)
      guard offset < count else { return false }
      if text[offset] != UInt8(ascii: ",") { return offset == count &- 1 }
      offset &+= 1
    }
  }

  @inline(__always)
  private mutating func string(_ start: Int) -> Int {
    guard start < count, text[start] == UInt8(ascii: "\"") else { return .max }
    var offset = start &+ 1
    while offset &+ 8 <= count {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(text + offset).loadUnaligned(as: UInt64.self))
      let marks = word.marksOfEscapedBytes
      bits |= word
      guard marks != 0 else {
        offset &+= 8
        continue
      }
      offset &+= marks.trailingZeroBitCount &>> 3
      if text[offset] == UInt8(ascii: "\"") { return offset &+ 1 }
      offset = escape(offset)
      guard offset < count else { return .max }
    }
    return lastBytes(offset)
  }

  /// Reads a string from `start` on, where fewer than eight bytes are left.
  @inline(never)
  private mutating func lastBytes(_ start: Int) -> Int {
    var offset = start
    while offset < count {
      let byte = text[offset]
      bits |= UInt64(byte)
      if byte == UInt8(ascii: "\"") { return offset &+ 1 }
      offset = byte < 0x20 || byte == UInt8(ascii: "\\") ? escape(offset) : offset &+ 1
    }
    return .max
  }

  @inline(never)
  private func escape(_ offset: Int) -> Int {
    guard count &- offset >= 2, text[offset] == UInt8(ascii: "\\") else { return .max }
    switch text[offset &+ 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return offset &+ 2
    case UInt8(ascii: "u"):
      guard count &- offset >= 6 else { return .max }
      let areDigits = (offset &+ 2..<offset &+ 6).allSatisfy {
        text[$0].isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= text[$0] | 0x20
      }
      return areDigits ? offset &+ 6 : .max
    default: return .max
    }
  }

  /// Reads a number or a boolean. The object's last bracket is no part of either.
  @inline(never)
  private func number(_ start: Int) -> Int {
    if text[start] == UInt8(ascii: "t") { return word("true", start) }
    if text[start] == UInt8(ascii: "f") { return word("false", start) }
    let number = UnsafeRawBufferPointer(start: text, count: count).number(from: start)
    return number.isComplete ? number.end : .max
  }

  private func word(_ word: StaticString, _ offset: Int) -> Int {
    let length = word.utf8CodeUnitCount
    let isThere = (0..<length).allSatisfy { text[offset &+ $0] == word.utf8Start[$0] }
    return isThere ? offset &+ length : .max
  }
}
