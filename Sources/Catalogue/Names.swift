/// The names of strips: `[a-z0-9][a-z0-9-]{0,63}`.
package enum StripName {
  package static func isValid(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 64 else { return false }
    return first != UInt8(ascii: "-") && name.utf8.allSatisfy(\.isInName)
  }

  /// What becomes of a cell of a table that is to name a strip: lower case, each run of anything but
  /// letters and digits a `-`, those at the ends dropped, cut to 64; nil where nothing is left.
  ///
  ///     StripName.brought(from: "Blue Note, 1500 series")  // "blue-note-1500-series"
  package static func brought(from text: String) -> String? {
    let kept = text.broughtToName.drop { $0 == UInt8(ascii: "-") }.prefix(64)
    return kept.isEmpty ? nil : String(decoding: kept, as: UTF8.self)
  }

  /// - Throws: `.invalid`, with a sentence that says what a name is.
  package static func check(_ name: String) throws(CatalogueError) {
    guard isValid(name) else {
      throw .invalid(
        "\(name.quoted) is no name of a strip: 1 to 64 of a to z, 0 to 9 and -, the first no -")
    }
  }
}

/// The names of kinds: `[a-z][a-z0-9-]{0,31}`.
package enum KindName {
  /// The kind of an item that names none.
  package static let card = "card"

  /// How many kinds a strip has at most.
  package static let maximumCount = 64

  package static func isValid(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 32 else { return false }
    return first.isLetter && name.utf8.allSatisfy(\.isInName)
  }

  /// What becomes of a cell of a table that is to name a kind: lower case, each run of anything but
  /// letters and digits a `-`, leading non-letters and a last `-` dropped, cut to 32.
  ///
  ///     KindName.brought(from: "on paper, unique")  // "on-paper-unique"
  ///     KindName.brought(from: "2020")              // "card": nothing is left
  package static func brought(from text: String) -> String {
    let kept = text.broughtToName.drop { !$0.isLetter }.prefix(32)
    return kept.isEmpty ? card : String(decoding: kept, as: UTF8.self)
  }
}

extension String {
  /// The text in lower case, with each run of anything but letters and digits a `-`, none at the end.
  fileprivate var broughtToName: [UInt8] {
    var name: [UInt8] = []
    for byte in lowercased().utf8 {
      if byte.isLetter || byte.isDigit {
        name.append(byte)
      } else if name.last != UInt8(ascii: "-") {
        name.append(UInt8(ascii: "-"))
      }
    }
    if name.last == UInt8(ascii: "-") { name.removeLast() }
    return name
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  fileprivate var isInName: Bool { isLetter || isDigit || self == UInt8(ascii: "-") }
}
