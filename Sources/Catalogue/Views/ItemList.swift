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
  /// A list in compact JSON shares the memory of `text`.
  ///
  /// - Throws: `.invalid`, with a sentence that names the error.
  /// - Complexity: O(*n*). It needs the memory of `text` again, and about 40 bytes for each id.
  package init(json text: [UInt8]) throws(CatalogueError) {
    var scanner = try JSONScanner(text)
    var json = JSONText()
    json.bytes.reserveCapacity(text.count)
    json.raw("[")
    var known = Elements()
    try scanner.elements(of: "the list") { scanner throws(CatalogueError) in
      let id = try scanner.string(of: "the list")
      try Item.check(id: id)
      if known.count > 0 { json.raw(",") }
      let start = json.bytes.count
      json.string(id)
      guard known.insert(from: start, of: json.bytes) else {
        throw .invalid("the list: the id \(id.quoted) is repeated")
      }
      guard known.count <= Self.maximumCount else {
        throw .invalid("the list has more than \(Self.maximumCount) ids")
      }
    }
    try scanner.end()
    guard known.count > 0 else { throw .invalid("the list is empty") }
    json.raw("]")
    self.json = json.bytes == text ? text : json.bytes
    count = known.count
  }

  /// The ids, in order. They are read from the JSON.
  ///
  /// - Complexity: O(*n*).
  package var ids: [String] {
    do {
      return try Self.strings(json: json)
    } catch {
      preconditionFailure("The JSON of a list is an array of strings.")
    }
  }

  /// The strings of an array in JSON, whatever they are.
  ///
  /// - Throws: `.invalid`, with a sentence that names the error.
  package static func strings(json text: [UInt8]) throws(CatalogueError) -> [String] {
    var scanner = try JSONScanner(text)
    var strings: [String] = []
    try scanner.elements(of: "the list") { scanner throws(CatalogueError) in
      strings.append(try scanner.string(of: "the list"))
    }
    try scanner.end()
    return strings
  }

  package static func == (left: ItemList, right: ItemList) -> Bool { left.json == right.json }

  package func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

/// The strings of an array in compact JSON, by the hashes of their bytes.
private struct Elements {
  private var starts: [Int: Int] = [:]

  var count: Int { starts.count }

  /// Inserts the string that begins at `start` and ends the JSON. Returns whether it is new.
  mutating func insert(from start: Int, of json: [UInt8]) -> Bool {
    json.withUnsafeBytes { json in
      let string = UnsafeRawBufferPointer(rebasing: json[start...])
      var hasher = Hasher()
      hasher.combine(bytes: string)
      var hash = hasher.finalize()
      while let known = starts[hash] {
        // Neither string contains the quote that ends it.
        if json[known..<start].starts(with: string) { return false }
        hash &+= 1
      }
      starts[hash] = start
      return true
    }
  }
}

extension Digest {
  /// The digest in base64url without padding (RFC 4648, section 5): 43 characters.
  package var base64URL: String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0...group.count { text.append(letters[bits >> (18 - 6 * index) & 63]) }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
