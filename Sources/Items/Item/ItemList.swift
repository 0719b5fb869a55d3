import Foundation

/// A list of ids that a view can be made of: favourites, recommendations, results of another search.
///
///     try ItemList(json: Array(#"["a6","a1"]"#.utf8)).ids  // a6, a1
///
/// A list never changes: its name is computed from its content.
package struct ItemList: Hashable, Sendable {
  /// The ids as an array in compact JSON.
  package let json: [UInt8]
  /// The number of ids.
  package let count: Int

  package static let maximumCount = 100_000
  /// The most bytes of the array in JSON: as many ids of 256 bytes, each byte with a backslash.
  package static let maximumSize = maximumCount * (2 * 256 + 3) + 2

  /// A list of 1 to 100,000 ids, all different, from an array in JSON.
  ///
  /// - Throws: `.invalid`, with a sentence that names the error.
  /// - Complexity: O(*n*). It needs the memory of `text` again, and about 40 bytes for each id.
  package init(json text: [UInt8]) throws(CatalogueError) {
    var reader = ItemListReader(expecting: text.count)
    self = try reader.finish(text)
  }

  /// - Throws: `.invalid` if an id is repeated.
  fileprivate init(compact json: [UInt8], count: Int) throws(CatalogueError) {
    let repeated = json.withUnsafeBytes { $0.firstRepeatedString(among: count) }
    if let repeated {
      var scanner = try JSONScanner(Array(json[repeated]))
      throw .invalid("the list: the id \(try scanner.string(of: "id").quoted) is repeated")
    }
    self.json = json
    self.count = count
  }

  /// The ids in order, read from the JSON. O(*n*).
  package var ids: [String] {
    do {
      return try Self.strings(json: json)
    } catch {
      preconditionFailure("The JSON of a list is an array of strings.")
    }
  }

  /// The strings of an array in JSON, whatever they are.
  package static func strings(json text: [UInt8]) throws(CatalogueError) -> [String] {
    var scanner = try JSONScanner(text)
    var strings: [String] = []
    try scanner.elements(of: "the list") { scanner throws(CatalogueError) in
      strings.append(try scanner.string(of: "an id of the list"))
    }
    try scanner.end()
    return strings
  }
}

/// Reads a list from an array in JSON that arrives in parts.
///
///     var reader = ItemListReader(expecting: 51_500_000)
///     for part in parts { reader.read(part) }
///     let list = try reader.finish()
///
/// It holds the ids in compact JSON, and an id that is cut.
///
/// - Complexity: O(bytes).
package struct ItemListReader: Sendable {
  private enum Token {
    case opening, firstID, id, separator, end
  }

  private let expectedCount: Int
  private var json = JSONText()
  private var count = 0
  private var next = Token.opening
  /// The last bytes that have arrived: an id or a character that may be cut.
  private var rest: [UInt8] = []
  /// The bytes before `rest`.
  private var offset = 0
  /// The error of the parts so far; nil for none.
  package private(set) var failure: CatalogueError?

  /// In JSON. An escape has at most six bytes for one byte of the id.
  private static let longestID = 6 * 256 + 12

  /// - Parameter count: the most bytes of the text.
  package init(expecting count: Int) { expectedCount = count }

  /// The bytes that the reader holds: at most those that have arrived.
  package var size: Int { json.bytes.count + rest.count }

  /// Reads the next part. An error is thrown at the end.
  package mutating func read(_ part: UnsafeRawBufferPointer) {
    guard failure == nil else { return }
    let text = rest + part
    // The last character may be cut. No character has more than four bytes.
    let end = text.suffix(4).lastIndex { $0 & 0xC0 != 0x80 } ?? text.count
    do throws(CatalogueError) {
      rest = Array(try scan(Array(text[..<end]), isLast: false) + text[end...])
      offset += text.count - rest.count
    } catch {
      (failure, json, rest) = (error, JSONText(), [])
    }
  }

  /// The list, after the last part.
  package mutating func finish() throws(CatalogueError) -> ItemList {
    if let failure { throw failure }
    return try finish(rest)
  }

  fileprivate mutating func finish(_ rest: [UInt8]) throws(CatalogueError) -> ItemList {
    _ = try scan(rest, isLast: true)
    guard count > 0 else { throw .invalid("the list is empty") }
    return try ItemList(compact: json.bytes, count: count)
  }

  /// Reads the tokens of a text, up to an id that is cut.
  ///
  /// - Returns: the bytes that are not read.
  private mutating func scan(
    _ text: [UInt8], isLast: Bool
  ) throws(CatalogueError) -> ArraySlice<UInt8> {
    // Without a reserved capacity the array could grow to twice the size of the text.
    if json.bytes.isEmpty { json.bytes.reserveCapacity(expectedCount) }
    var scanner = try JSONScanner(text, at: offset)
    while true {
      scanner.skipSpace()
      if !isLast, scanner.remaining.isEmpty { return [] }
      switch next {
      case .opening:
        guard scanner.skip(UInt8(ascii: "[")) else {
          throw .invalid("the list: it is not an array")
        }
        json.raw("[")
        next = .firstID
      case .firstID:
        next = scanner.skip(UInt8(ascii: "]")) ? .end : .id
      case .id:
        let unread = scanner.remaining
        let id: String
        do throws(CatalogueError) {
          id = try scanner.string(of: "an id of the list")
        } catch {
          // An error at the end may come from the cut.
          guard !isLast, scanner.remaining.count < 2 else { throw error }
          guard unread.count > Self.longestID else { return unread }
          throw .invalid("id: it has more than 256 bytes")
        }
        try Item.check(id: id)
        count += 1
        guard count <= ItemList.maximumCount else {
          throw .invalid("the list has more than \(ItemList.maximumCount) ids")
        }
        json.string(id)
        next = .separator
      case .separator:
        if scanner.skip(UInt8(ascii: ",")) {
          json.raw(",")
          next = .id
        } else {
          try scanner.expect(UInt8(ascii: "]"), "\",\" or \"]\"")
          json.raw("]")
          next = .end
        }
      case .end:
        try scanner.end()
        return []
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The first string of an array in compact JSON that is there twice. The array has `count` strings.
  ///
  /// - Complexity: O(bytes). It takes about 40 bytes for each string.
  fileprivate func firstRepeatedString(among count: Int) -> Range<Int>? {
    var starts = [Int: Int](minimumCapacity: count)  // by the hashes of the strings
    var start = 1
    while start < self.count - 1 {
      let end = endOfString(at: start)
      let string = UnsafeRawBufferPointer(rebasing: self[start..<end])
      var hasher = Hasher()
      hasher.combine(bytes: string)
      var hash = hasher.finalize()
      while let known = starts[hash] {
        // Neither string contains the quote that ends it.
        if self[known..<start].starts(with: string) { return start..<end }
        hash &+= 1
      }
      starts[hash] = start
      start = end + 1
    }
    return nil
  }
}

extension Digest {
  /// The digest in base64url without padding (RFC 4648, section 5): 43 characters.
  package var base64URL: String {
    Data(bytes).base64EncodedString().dropLast()
      .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
  }
}
