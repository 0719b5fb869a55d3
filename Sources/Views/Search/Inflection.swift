/// Singular and plural of words in the languages of the interface: English, German, French, Spanish and Arabic.
/// Japanese words have no plural.
///
///     Inflection.regular(of: Array("dress".utf8))  // "dresses", "dresss", "dres", ...
///     Inflection.forms(of: Array("bilder".utf8))   // "bild", "bildes", ...
///
/// A strip has no language, so all endings apply to each word. Words are folded: `Häuser` is `hauser`. At least two letters
/// stand before an ending.
package enum Inflection {
  private typealias Ending = (plural: [UInt8], singular: [UInt8])

  private static let regular: [Ending] = endings(["s/", "es/", "ies/y", "men/man"])

  private static let all =
    regular
    + endings([
      "ves/f", "ves/fe", "e/", "n/", "en/", "er/", "nen/", "en/um", "en/a", "x/", "aux/al",
      "aux/ail", "ces/z", "ات/ة", "ات/", "ون/", "ين/",
    ])

  private static func endings(_ texts: [String]) -> [Ending] {
    texts.map { text in
      let ending = text.split(separator: "/", omittingEmptySubsequences: false)
      return (Array(ending[0].utf8), Array(ending[1].utf8))
    }
  }

  /// The regular plurals of a word, and the words whose regular plural it is. A search always finds them.
  package static func regular(of word: [UInt8]) -> Set<[UInt8]> {
    Set(
      regular.flatMap {
        [word.replacing($0.plural, by: $0.singular), word.replacing($0.singular, by: $0.plural)]
          .compactMap(\.self)
      })
  }

  /// The other words that share a singular with a word.
  package static func forms(of word: [UInt8]) -> Set<[UInt8]> {
    let singulars = [word] + all.compactMap { word.replacing($0.plural, by: $0.singular) }
    let plurals = singulars.flatMap { singular in
      all.compactMap { singular.replacing($0.singular, by: $0.plural) }
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
