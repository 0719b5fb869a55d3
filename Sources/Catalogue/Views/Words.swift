#if canImport(Darwin)
  import Foundation
#else
  @_spi(_Unicode) import Swift
#endif

/// The words of a text, as searches compare them.
///
///     Words.folded(of: "J. M. W. Turner’s Café")  // j, m, w, turner, s, cafe
///
/// A word is a maximal run of letters, marks and digits: Unicode's categories L, M and N. It is folded:
/// decomposed (NFD), without nonspacing marks (Mn), in lower case. The final form of sigma is a sigma, since
/// both have the same upper case. No step depends on a locale or on the word's neighbours.
package enum Words {
  /// The folded words of a text, in order, as UTF-8.
  ///
  /// - Complexity: O(*n*).
  package static func folded(of text: some Collection<UInt8>) -> [[UInt8]] {
    var words: [[UInt8]] = []
    Array(text).withUnsafeBytes { text in forEach(in: text) { words.append(Array($0)) } }
    return words
  }

  /// Calls `body` with each folded word of a text, in order.
  ///
  /// Divides the text at ASCII, which is fast. Only words with other characters need Unicode's tables.
  @inline(__always)
  static func forEach(in text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    var offset = 0
    while offset < text.count {
      let start = offset
      var bits: UInt8 = 0
      var hasCapitals = false
      while offset < text.count {
        let byte = text[offset]
        let isCapital = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        guard
          isCapital || byte >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
            || byte.isDigit
        else { break }
        hasCapitals = hasCapitals || isCapital
        bits |= byte
        offset += 1
      }
      if offset > start {
        let word = UnsafeRawBufferPointer(rebasing: text[start..<offset])
        if bits >= 0x80 {
          for scalars in words(of: String(decoding: word, as: UTF8.self)) {
            let word = folded(scalars)
            if !word.isEmpty { word.withUnsafeBytes(body) }
          }
        } else if hasCapitals {
          withUnsafeTemporaryAllocation(byteCount: word.count, alignment: 1) { folded in
            for (index, byte) in word.enumerated() {
              folded[index] = byte.isDigit ? byte : byte | 0x20
            }
            body(UnsafeRawBufferPointer(folded))
          }
        } else {
          body(word)
        }
      }
      offset += 1
    }
  }

  private static func words(of text: String) -> [String.UnicodeScalarView.SubSequence] {
    text.unicodeScalars.split { !$0.isInWord }
  }

  private static func folded(_ word: String.UnicodeScalarView.SubSequence) -> [UInt8] {
    var folded: [UInt8] = []
    for scalar in decomposed(word)
    where scalar.properties.generalCategory != .nonspacingMark {
      folded += (scalar == "ς" ? "σ" : scalar.properties.lowercaseMapping).utf8
    }
    return folded
  }

  private static func decomposed(
    _ word: String.UnicodeScalarView.SubSequence
  ) -> [Unicode.Scalar] {
    #if canImport(Darwin)
      Array(String(word).decomposedStringWithCanonicalMapping.unicodeScalars)
    #else
      Array(String(word)._nfd)
    #endif
  }
}

extension Unicode.Scalar {
  fileprivate var isInWord: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      true
    default: false
    }
  }
}

/// A search: the parameter `q` of a view.
///
///     let search = try Search("red bl")
///     search.matches(Words.folded(of: Array("Blue and red".utf8)))  // true
package struct Search: Hashable, Sendable {
  /// The folded words, without repetitions, that an item must have.
  package private(set) var words: [[UInt8]] = []
  /// The folded last word, if an item must have only a word that begins with it.
  package private(set) var prefix: [UInt8]?
  /// The canonical spelling.
  private let text: String

  /// The most bytes of UTF-8 that a search can have.
  package static let maximumSize = 256

  /// - Throws: `.invalid` for a text that is too long.
  package init(_ text: String) throws(CatalogueError) {
    guard text.utf8.count <= Self.maximumSize else {
      throw .invalid("q: it has \(text.utf8.count) bytes, more than \(Self.maximumSize)")
    }
    let end = text.utf8.last == UInt8(ascii: " ") ? " " : ""
    var folded = Words.folded(of: text.utf8)
    let spelling = folded.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    // Folded text can be longer: a syllable of Hangul becomes three letters.
    let isShort = spelling.utf8.count < Self.maximumSize
    self.text = folded.isEmpty ? " " : isShort ? spelling + end : text
    if end.isEmpty { prefix = folded.popLast() }
    for word in folded where !words.contains(word) { words.append(word) }
  }

  /// Whether an item with these folded words matches: those of all searchable fields.
  package func matches(_ words: some Sequence<[UInt8]>) -> Bool {
    let words = Set(words)
    return self.words.allSatisfy(words.contains)
      && (prefix.map { prefix in words.contains { $0.starts(with: prefix) } } ?? true)
  }
}

extension Search: CustomStringConvertible {
  /// The canonical spelling: the folded words with one space between them, and one at the end if the
  /// last word is whole. The text as given if this would exceed `maximumSize`. Without words one space,
  /// because an empty parameter counts as absent.
  package var description: String { text }
}
