@_spi(_Unicode) import Swift

/// The words of a text, as searches compare them.
///
///     Words.folded(of: "J. M. W. Turner’s Café")  // j, m, w, turner, s, cafe
///
/// A word is a maximal run of letters, marks and digits: Unicode's categories L, M and N. It is folded:
/// decomposed (NFD), without nonspacing marks (Mn), in lower case. The final form of sigma is a sigma, since
/// both have the same upper case. No step depends on a locale or on the word's neighbours.
package enum Words {
  /// The folded words of a text, in order, as UTF-8. O(*n*).
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
    for scalar in String(word)._nfd
    where scalar.properties.generalCategory != .nonspacingMark {
      folded += (scalar == "ς" ? "σ" : scalar.properties.lowercaseMapping).utf8
    }
    return folded
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
