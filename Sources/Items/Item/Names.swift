/// The names of strips: `[a-z0-9][a-z0-9-]{0,63}`.
package enum StripName {
  package static func isValid(_ name: String) -> Bool {
    name.isName(limit: 64) { $0 != UInt8(ascii: "-") }
  }

  package static func check(_ name: String) throws(CatalogueError) {
    guard isValid(name) else {
      throw .invalid(
        "\(name.quoted) is not a strip's name: use 1 to 64 of a to z, 0 to 9 and -, not - first")
    }
  }

  /// Makes a name from a table cell. Nil if the cell has no letter or digit.
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

  package static let maximumCount = 64

  package static func isValid(_ name: String) -> Bool { name.isName(limit: 32, from: \.isLetter) }

  package static func check(_ name: String) throws(CatalogueError) {
    guard isValid(name) else {
      throw .invalid(
        "kind: \(name.quoted) is not a kind: use a letter and up to 31 of a to z, 0 to 9 and -")
    }
  }

  /// Makes a name from a table cell. `card` if the cell has no letter.
  ///
  ///     KindName.slug(from: "on paper, unique")  // "on-paper-unique"
  ///     KindName.slug(from: "2020")              // "card"
  package static func slug(from text: String) -> String {
    let slug = text.slug(limit: 32, from: \.isLetter)
    return slug.isEmpty ? card : slug
  }
}

/// The kinds of one strip, numbered in the order of their first use.
///
/// When all 64 numbers are used, a new kind takes the number of a kind that no item has.
package struct KindTable: Sendable {
  package private(set) var names: [String]
  private var numbers: [String: Int]

  package init(names: [String] = []) {
    self.names = names
    numbers = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
  }

  /// - Parameter isFree: whether no item has the kind of this number; called only if all are used.
  /// - Throws: `.invalid` for a 65th kind.
  package mutating func number(
    of name: String, isFree: (Int) -> Bool = { _ in false }
  ) throws(CatalogueError) -> Int {
    if let number = numbers[name] { return number }
    if names.count < KindName.maximumCount {
      numbers[name] = names.count
      names.append(name)
      return names.count - 1
    }
    guard let free = names.indices.first(where: isFree) else {
      throw .invalid(
        "kind: \(name.quoted) would be kind \(KindName.maximumCount + 1) of the strip, which can "
          + "have \(KindName.maximumCount)")
    }
    numbers[names[free]] = nil
    numbers[name] = free
    names[free] = name
    return free
  }

  /// Whether `number(of:isFree:)` would succeed.
  package func hasRoom(for name: String, isFree: (Int) -> Bool) -> Bool {
    numbers[name] != nil || names.count < KindName.maximumCount
      || names.indices.contains(where: isFree)
  }
}

extension String {
  /// Whether this is a name of at most `limit` bytes that begins with a byte that `isFirst` accepts.
  fileprivate func isName(limit: Int, from isFirst: (UInt8) -> Bool) -> Bool {
    guard let first = utf8.first, utf8.count <= limit, isFirst(first) else { return false }
    return utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
  }

  /// Makes such a name of this text: in lower case, with `-` for each run of other characters. It can be empty.
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
  package var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
