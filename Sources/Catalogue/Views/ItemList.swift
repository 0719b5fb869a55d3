/// A list of ids that a view can be made of: favourites, recommendations, results of another search.
///
///     try ItemList(json: Array(#"["a6","a1"]"#.utf8)).ids  // a6, a1
///
/// A list never changes: its name is computed from its content.
package struct ItemList: Hashable, Sendable {
  /// 1 to 100,000 ids, all different.
  package let ids: [String]
  /// The ids as an array in compact JSON.
  package let json: [UInt8]

  package static let maximumCount = 100_000
  /// The most bytes of the array in JSON: as many ids of 256 bytes, each byte with a backslash.
  package static let maximumSize = maximumCount * (2 * 256 + 3) + 2

  /// A list from an array in JSON.
  ///
  /// - Parameter limit: the most ids.
  /// - Throws: `.invalid`, with a sentence that names the error.
  /// - Complexity: O(*n*).
  package init(json text: [UInt8], limit: Int = maximumCount) throws(CatalogueError) {
    var scanner = try JSONScanner(text)
    var ids: [String] = []
    var known: Set<[UInt8]> = []
    var json = JSONText()
    json.raw("[")
    try scanner.elements(of: "the list") { scanner throws(CatalogueError) in
      let id = try scanner.string(of: "the list")
      try Item.check(id: id)
      guard known.insert(Array(id.utf8)).inserted else {
        throw .invalid("the list: the id \(id.quoted) is repeated")
      }
      guard known.count <= limit else {
        throw .invalid("the list has more than \(limit) ids")
      }
      if known.count > 1 { json.raw(",") }
      json.string(id)
      ids.append(id)
    }
    try scanner.end()
    guard !ids.isEmpty else { throw .invalid("the list is empty") }
    json.raw("]")
    self.ids = ids
    self.json = json.bytes
  }

  package static func == (left: ItemList, right: ItemList) -> Bool { left.json == right.json }

  package func hash(into hasher: inout Hasher) { hasher.combine(json) }
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
