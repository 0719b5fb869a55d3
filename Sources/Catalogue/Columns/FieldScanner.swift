/// Finds the values of some fields in stored JSON, without parsing the others.
///
///     let scanner = FieldScanner([Array(#""title""#.utf8)])
///     scanner.scan(json) { name, text in ... }   // 0, and the bytes of the title
///
/// - Complexity: one pass over the bytes, eight at a time within strings.
package struct FieldScanner {
  private let names: [[UInt8]]
  private let hashes: [UInt32]

  /// - Parameter names: each in quotes, as `JSONText` writes it.
  package init(_ names: [[UInt8]]) {
    self.names = names
    hashes = names.map { $0.withUnsafeBytes(\.hash32) }
  }

  /// Calls `body` with the index of each name that the object has, and the text of its value.
  ///
  /// - Parameter json: the bytes of an item's fields. Damaged bytes give wrong texts, and nothing worse.
  package func scan(_ json: UnsafeRawBufferPointer, _ body: (Int, UnsafeRawBufferPointer) -> Void) {
    let end = json.count - 1
    var offset = 1
    while offset < end {
      let name = string(at: offset, json, end)
      offset += name.bytes.count + 1
      guard offset < end else { return }
      let isString = json[offset] == UInt8(ascii: "\"")
      let value = isString ? string(at: offset, json, end) : scalar(at: offset, json, end)
      if let found = find(name.bytes) {
        if isString { unquote(value) { body(found, $0) } } else { body(found, value.bytes) }
      }
      offset += value.bytes.count + 1
    }
  }

  @inline(__always)
  private func find(_ name: UnsafeRawBufferPointer) -> Int? {
    let hash = name.hash32
    for index in hashes.indices
    where hashes[index] == hash && names[index].withUnsafeBytes({ $0.isSame(as: name) }) {
      return index
    }
    return nil
  }

  private typealias Token = (bytes: UnsafeRawBufferPointer, isEscaped: Bool)

  /// A string with its quotes.
  @inline(__always)
  private func string(at start: Int, _ json: UnsafeRawBufferPointer, _ end: Int) -> Token {
    var offset = start + 1
    var isEscaped = false
    while offset < end {
      offset = json.endOfPlainText(from: offset)
      if offset >= end || json[offset] == UInt8(ascii: "\"") { break }
      if json[offset] == UInt8(ascii: "\\") {
        isEscaped = true
        offset += 1
      }
      offset += 1
    }
    return (UnsafeRawBufferPointer(rebasing: json[start..<min(offset + 1, end)]), isEscaped)
  }

  /// A number or a boolean.
  private func scalar(at start: Int, _ json: UnsafeRawBufferPointer, _ end: Int) -> Token {
    var offset = start
    while offset < end, json[offset] != UInt8(ascii: ",") { offset += 1 }
    return (UnsafeRawBufferPointer(rebasing: json[start..<offset]), false)
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
