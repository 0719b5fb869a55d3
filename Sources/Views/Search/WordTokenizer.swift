import Foundation
import Items
import Synchronization

/// The words of a text, as searches compare them.
///
///     WordTokenizer.folded(of: "J. M. W. Turner’s Café")  // j, m, w, turner, s, turners, cafe
///
/// A text is folded first: decomposed (NFKD), without nonspacing marks (Mn), format characters (Cf) and tatweel, in lower
/// case, and with `spellings` in place of letters that do not decompose. A word is then a maximal run of letters, marks
/// and digits: Unicode's categories L, M and N.
///
/// A chain is a run of words with exactly one hyphen, apostrophe, full stop, comma, slash or ampersand between two of them:
/// `Wi-Fi`, `1,200`. It also counts as the joined word, `wifi`.
///
/// Each character is folded by itself. No step depends on a locale or on the neighbours of a character.
package enum WordTokenizer {
  /// The folded words of a text, in order, as UTF-8. The joined word of a chain follows the last one of its words.
  /// O(*n*).
  package static func folded(of text: some Collection<UInt8>) -> [[UInt8]] {
    chains(of: text).flatMap { $0.count > 1 ? $0 + [Array($0.joined())] : $0 }
  }

  /// The folded words of a text, in order. Words of no chain are alone. O(*n*).
  package static func chains(of text: some Collection<UInt8>) -> [[[UInt8]]] {
    var chains: [[[UInt8]]] = [[]]
    Array(text).withUnsafeBytes { text in
      withFolded(text) { folded in
        forEachWord(in: folded) { word, endsChain in
          chains[chains.count - 1].append(Array(folded[word]))
          if endsChain { chains.append([]) }
        }
      }
    }
    return chains.dropLast()
  }

  /// Calls `body` with each folded word of a text, in the order of `folded(of:)`.
  @inline(__always)
  static func forEach(in text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    withFolded(text) { folded in
      var start: Int?
      forEachWord(in: folded) { word, endsChain in
        body(UnsafeRawBufferPointer(rebasing: folded[word]))
        defer { start = endsChain ? nil : start ?? word.lowerBound }
        guard endsChain, let start else { return }
        withUnsafeTemporaryAllocation(byteCount: word.upperBound - start, alignment: 1) { joined in
          var count = 0
          for byte in folded[start..<word.upperBound] where byte.isInWord {
            joined[count] = byte
            count += 1
          }
          body(UnsafeRawBufferPointer(rebasing: joined[..<count]))
        }
      }
    }
  }

  /// Calls `body` with the place of each word in a folded text, and whether no word of the same chain follows.
  @inline(__always)
  private static func forEachWord(
    in text: UnsafeRawBufferPointer, _ body: (Range<Int>, _ endsChain: Bool) -> Void
  ) {
    var offset = 0
    while offset < text.count {
      let start = offset
      while offset < text.count, text[offset].isInWord { offset += 1 }
      if offset > start {
        let isJoined = offset + 1 < text.count && text[offset].joinsWords
        body(start..<offset, !(isJoined && text[offset + 1].isInWord))
      }
      offset += 1
    }
  }

  /// Calls `body` with a folded text. Its words consist of ASCII letters and digits and of bytes above ASCII. All bytes
  /// between words are ASCII.
  @inline(__always)
  private static func withFolded(
    _ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    var bits: UInt8 = 0
    withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 1) { folded in
      for index in 0..<text.count {
        let byte = text[index]
        bits |= byte
        folded[index] = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
      }
      if bits < 0x80 { body(UnsafeRawBufferPointer(folded)) }
    }
    guard bits >= 0x80 else { return }
    var folded: [UInt8] = []
    folded.reserveCapacity(2 * text.count)
    FoldedScalars.shared.withLock { scalars in
      for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
        scalars.append(scalar, to: &folded)
      }
    }
    folded.withUnsafeBytes(body)
  }
}

extension UInt8 {
  /// Whether a word of a folded text has this byte.
  fileprivate var isInWord: Bool { self >= 0x80 || self &- UInt8(ascii: "a") < 26 || isDigit }

  fileprivate var joinsWords: Bool {
    switch self {
    case UInt8(ascii: "-"), UInt8(ascii: "'"), UInt8(ascii: "."), UInt8(ascii: ","),
      UInt8(ascii: "/"), UInt8(ascii: "&"):
      true
    default: false
    }
  }
}

// MARK: - Characters

/// The folded form of each character, computed when a text first contains the character.
///
/// - Complexity: microseconds for a new character, nanoseconds for another. At most 10 MB.
private struct FoldedScalars {
  static let shared = Mutex(FoldedScalars())

  /// Pages of 256 characters. The lowest byte of an entry is the number of bytes of UTF-8 plus one, and these bytes follow.
  /// 0 if the form is not computed yet.
  private var pages: [[UInt64]] = Array(repeating: [], count: 0x1100)
  /// The forms that are longer than seven bytes.
  private var longer: [Unicode.Scalar: [UInt8]] = [:]

  mutating func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
    let (page, index) = (Int(scalar.value >> 8), Int(scalar.value & 255))
    if pages[page].isEmpty { pages[page] = Array(repeating: 0, count: 256) }
    if pages[page][index] == 0 { pages[page][index] = entry(of: scalar) }
    let entry = pages[page][index]
    guard entry != Self.isLonger else {
      folded += longer[scalar, default: []]
      return
    }
    for number in 1..<max(1, entry & 255) { folded.append(UInt8(entry >> (8 * number) & 255)) }
  }

  private static let isLonger = UInt64(255)

  private mutating func entry(of scalar: Unicode.Scalar) -> UInt64 {
    let folded = scalar.folded
    guard folded.count <= 7 else {
      longer[scalar] = folded
      return Self.isLonger
    }
    return folded.reversed().reduce(0) { $0 << 8 | UInt64($1) } << 8 | UInt64(folded.count + 1)
  }
}

extension Unicode.Scalar {
  /// Letters that do not decompose, as people type them. The final form of sigma is a sigma, since both have the same
  /// upper case.
  private static let spellings: [Unicode.Scalar: String] = [
    "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th",
    "ς": "σ",
  ]

  /// The character in a folded text, as UTF-8. A character between words becomes ASCII.
  fileprivate var folded: [UInt8] {
    var folded = ""
    for scalar in String(self).decomposedStringWithCompatibilityMapping.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .format: break
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
        guard scalar != "\u{640}" else { break }
        for letter in scalar.properties.lowercaseMapping.unicodeScalars {
          folded += Self.spellings[letter] ?? String(letter)
        }
      default:
        // NFKD leaves one hyphen besides the ASCII hyphen.
        folded += scalar.isASCII ? String(scalar) : scalar == "‐" ? "-" : scalar == "’" ? "'" : " "
      }
    }
    return Array(folded.utf8)
  }
}

extension [UInt8] {
  /// Whether a folded word has letters of scripts that are written without spaces: Han, kana, Thai, Lao, Khmer and
  /// Myanmar.
  var isOfScriptWithoutSpaces: Bool {
    String(decoding: self, as: UTF8.self).unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x2E80..<0x3100, 0x31F0..<0x3200, 0x3400..<0x4DC0, 0x4E00..<0xA000, 0x1AFF0..<0x1B170,
        0x20000..<0x40000, 0xE00..<0xF00, 0x1000..<0x10A0, 0x1780..<0x1800, 0xA9E0..<0xAA00,
        0xAA60..<0xAA80, 0x116D0..<0x116E4:
        scalar.properties.isAlphabetic
      default: false
      }
    }
  }
}
