/// Singular and plural of words in the languages of the interface: English, German, French, Spanish and Arabic.
/// Japanese words have no plural.
///
///     Inflection.forms(of: Array("bilder".utf8))  // "bild", "bildes", ...
///
/// A strip has no language, so all endings apply to each word. Words are folded: `Häuser` is `hauser`.
package enum Inflection {
  private static let endings: [(plural: [UInt8], singular: [UInt8])] = [
    ("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"), ("ves", "fe"), ("men", "man"),
    ("e", ""), ("n", ""), ("en", ""), ("er", ""), ("nen", ""), ("en", "um"), ("en", "a"),
    ("x", ""), ("aux", "al"), ("aux", "ail"),
    ("ces", "z"),
    ("ات", "ة"), ("ات", ""), ("ون", ""), ("ين", ""),
  ].map { (Array($0.utf8), Array($1.utf8)) }

  /// The other words that share a singular with a word. The part before an ending has two letters or more.
  package static func forms(of word: [UInt8]) -> Set<[UInt8]> {
    let singulars = [word] + endings.compactMap { word.replacing($0.plural, by: $0.singular) }
    let plurals = singulars.flatMap { singular in
      endings.compactMap { singular.replacing($0.singular, by: $0.plural) }
    }
    return Set(singulars + plurals).subtracting([word])
  }
}

extension [UInt8] {
  /// The word with another ending; nil if it does not have this one.
  fileprivate func replacing(_ ending: [UInt8], by other: [UInt8]) -> [UInt8]? {
    let stem = dropLast(ending.count)
    // The first byte of a letter is no continuation.
    guard suffix(ending.count).elementsEqual(ending),
      stem.count(where: { $0 & 0xC0 != 0x80 }) >= 2
    else { return nil }
    return Array(stem) + other
  }
}
