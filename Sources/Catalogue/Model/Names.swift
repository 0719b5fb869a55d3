/// The names of strips: `[a-z0-9][a-z0-9-]{0,63}`.
package enum StripName {
  package static func isValid(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 64 else { return false }
    return first != UInt8(ascii: "-") && name.utf8.allSatisfy(\.isInName)
  }

  /// - Throws: `.invalid`, with a sentence that says what a name may be.
  package static func check(_ name: String) throws(CatalogueError) {
    guard isValid(name) else {
      throw .invalid(
        "\(name.quoted) is not a strip's name: use 1 to 64 of a to z, 0 to 9 and -, not - first")
    }
  }

  /// Makes a slug from a table cell: lowercases it, replaces runs of other characters with `-`,
  /// truncates it to 64 characters, and drops `-` at both ends. Nil if nothing is left.
  ///
  ///     StripName.slug(from: "Blue Note, 1500 series")  // "blue-note-1500-series"
  package static func slug(from text: String) -> String? {
    let slug = text.slug(limit: 64) { $0.isLetter || $0.isDigit }
    return slug.isEmpty ? nil : slug
  }
}

/// The names of kinds: `[a-z][a-z0-9-]{0,31}`.
package enum KindName {
  /// The kind of an item that names none.
  package static let card = "card"

  /// The most kinds that a strip can have.
  package static let maximumCount = 64

  package static func isValid(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 32 else { return false }
    return first.isLetter && name.utf8.allSatisfy(\.isInName)
  }

  /// - Throws: `.invalid`, with a sentence that says what a name may be.
  static func check(_ name: String) throws(CatalogueError) {
    guard isValid(name) else {
      throw .invalid(
        "kind: \(name.quoted) is not a kind: use a letter and up to 31 of a to z, 0 to 9 and -")
    }
  }

  /// Makes a slug from a table cell: lowercases it, replaces runs of other characters with `-`,
  /// drops leading non-letters, truncates it to 32 characters, and drops a trailing `-`. `card` if
  /// nothing is left.
  ///
  ///     KindName.slug(from: "on paper, unique")  // "on-paper-unique"
  ///     KindName.slug(from: "2020")              // "card"
  package static func slug(from text: String) -> String {
    let slug = text.slug(limit: 32, from: \.isLetter)
    return slug.isEmpty ? card : slug
  }
}

extension String {
  /// A slug of at most `limit` bytes that begins with a byte that `isFirst` accepts.
  fileprivate func slug(limit: Int, from isFirst: (UInt8) -> Bool) -> String {
    var bytes: [UInt8] = []
    for byte in lowercased().utf8 {
      if byte.isLetter || byte.isDigit {
        bytes.append(byte)
      } else if bytes.last != UInt8(ascii: "-") {
        bytes.append(UInt8(ascii: "-"))
      }
    }
    var slug = bytes.drop { !isFirst($0) }.prefix(limit)
    if slug.last == UInt8(ascii: "-") { slug.removeLast() }
    return String(decoding: slug, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  fileprivate var isInName: Bool { isLetter || isDigit || self == UInt8(ascii: "-") }
}
