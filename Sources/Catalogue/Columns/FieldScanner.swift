/// Finds the values of some fields in stored JSON, without parsing the others.
///
///     let scanner = FieldScanner([Array(#""title""#.utf8)])
///     scanner.scan(json) { name, text in ... }   // 0, and the bytes of the title
///
/// - Complexity: one pass over the bytes, eight at a time within strings.
struct FieldScanner {
  private let names: [[UInt8]]
  private let hashes: [UInt32]

  /// - Parameter names: each in quotes, as `JSONText` writes it.
  init(_ names: [[UInt8]]) {
    self.names = names
    hashes = names.map { $0.withUnsafeBytes(\.hash32) }
  }

  /// Calls `body` with the place of each name that the object has, and the text of its value.
  ///
  /// - Parameter json: the bytes of an item's fields. Damaged bytes give wrong texts, and nothing worse.
  func scan(_ json: UnsafeRawBufferPointer, _ body: (Int, UnsafeRawBufferPointer) -> Void) {
    let end = json.count - 1
    var place = 1
    while place < end {
      let name = string(at: place, json, end)
      place += name.bytes.count + 1
      guard place < end else { return }
      let isString = json[place] == UInt8(ascii: "\"")
      let value = isString ? string(at: place, json, end) : scalar(at: place, json, end)
      if let found = find(name.bytes) {
        if isString { unquote(value) { body(found, $0) } } else { body(found, value.bytes) }
      }
      place += value.bytes.count + 1
    }
  }

  @inline(__always)
  private func find(_ name: UnsafeRawBufferPointer) -> Int? {
    let hash = name.hash32
    for place in hashes.indices
    where hashes[place] == hash && names[place].withUnsafeBytes({ $0.isSame(as: name) }) {
      return place
    }
    return nil
  }

  private typealias Token = (bytes: UnsafeRawBufferPointer, isEscaped: Bool)

  /// A string with its quotes.
  @inline(__always)
  private func string(at start: Int, _ json: UnsafeRawBufferPointer, _ end: Int) -> Token {
    var place = start + 1
    var isEscaped = false
    while place < end {
      if end - place >= 8 {
        let word = UInt64(
          littleEndian: json.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        // As `FlatObject`. The lowest mark is the first quote or backslash.
        let (quote, backslash) = (word ^ 0x2222_2222_2222_2222, word ^ 0x5C5C_5C5C_5C5C_5C5C)
        let marks =
          ((quote &- 0x0101_0101_0101_0101) & ~quote
            | (backslash &- 0x0101_0101_0101_0101) & ~backslash) & 0x8080_8080_8080_8080
        guard marks != 0 else {
          place += 8
          continue
        }
        place += marks.trailingZeroBitCount >> 3
      }
      if json[place] == UInt8(ascii: "\"") { break }
      if json[place] == UInt8(ascii: "\\") {
        isEscaped = true
        place += 1
      }
      place += 1
    }
    return (UnsafeRawBufferPointer(rebasing: json[start..<min(place + 1, end)]), isEscaped)
  }

  /// A number or a boolean.
  private func scalar(at start: Int, _ json: UnsafeRawBufferPointer, _ end: Int) -> Token {
    var place = start
    while place < end, json[place] != UInt8(ascii: ",") { place += 1 }
    return (UnsafeRawBufferPointer(rebasing: json[start..<place]), false)
  }

  @inline(__always)
  private func unquote(_ value: Token, _ body: (UnsafeRawBufferPointer) -> Void) {
    guard value.bytes.count >= 2 else { return }
    guard value.isEscaped else {
      return body(UnsafeRawBufferPointer(rebasing: value.bytes[1..<value.bytes.count - 1]))
    }
    guard var scanner = try? JSONScanner(Array(value.bytes)),
      let text = try? scanner.string(of: "")
    else { return }
    var bytes = text
    bytes.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
