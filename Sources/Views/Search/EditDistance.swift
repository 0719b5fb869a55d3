/// The distance of words from one word: how many letters are inserted, deleted, replaced, or swapped with their
/// neighbour. No letter is changed twice.
///
///     EditDistance(from: Array("turnor".utf8))?.distances(to: text)  // "turner": whole 1, beginning 1
///
/// A letter is a Unicode scalar of the folded word. The algorithm is that of Hyyrö, "A Bit-Vector Algorithm for
/// Computing Levenshtein and Damerau Edit Distances" (2003): a bit stands for each letter of the word.
///
/// - Complexity: about 15 instructions for each letter of a text.
package struct EditDistance {
  /// The greatest distance: 1 from five letters on, 2 from nine.
  package let limit: Int
  private let count: Int
  /// Where each letter is in the word, as bits: of ASCII, and of others.
  private var masks = [UInt64](repeating: 0, count: 128)
  private var otherMasks: [(letter: UInt32, bits: UInt64)] = []

  /// Nil for words that are not corrected: those of fewer than 5 letters or more than 64.
  package init?(from word: [UInt8]) {
    var letters: [UInt32] = []
    word.withUnsafeBytes { word in
      var offset = 0
      while offset < word.count { letters.append(word.letter(at: &offset)) }
    }
    guard 5...64 ~= letters.count else { return nil }
    count = letters.count
    limit = count < 9 ? 1 : 2
    for (number, letter) in letters.enumerated() {
      let bit: UInt64 = 1 << UInt64(number)
      if letter < 128 {
        masks[Int(letter)] |= bit
      } else if let known = otherMasks.firstIndex(where: { $0.letter == letter }) {
        otherMasks[known].bits |= bit
      } else {
        otherMasks.append((letter, bit))
      }
    }
  }

  /// The distances of a text, and of the nearest text that it begins with. Those above the limit are not exact.
  package func distances(to text: UnsafeRawBufferPointer) -> (whole: Int, beginning: Int) {
    let last = UInt64(count - 1)
    // The differences between neighbours in a column of the table: more by one, less by one.
    var (more, less) = (UInt64.max, UInt64(0))
    var (diagonal, former) = (UInt64(0), UInt64(0))
    var (distance, beginning) = (count, count)
    var (offset, length) = (0, 0)
    while offset < text.count {
      // A longer beginning has a greater distance.
      guard length <= count + limit else { return (limit + 1, beginning) }
      length += 1
      let letter = text.letter(at: &offset)
      let same = letter < 128 ? masks[Int(letter)] : bits(of: letter)
      let swapped = (~diagonal & same) << 1 & former
      diagonal = ((same & more) &+ more) ^ more | same | less | swapped
      let rises = less | ~(diagonal | more)
      let falls = diagonal & more
      distance += Int(rises >> last & 1) - Int(falls >> last & 1)
      if distance < beginning { beginning = distance }
      more = falls << 1 | ~(diagonal | (rises << 1 | 1))
      less = (rises << 1 | 1) & diagonal
      former = same
    }
    return (distance, beginning)
  }

  private func bits(of letter: UInt32) -> UInt64 {
    otherMasks.first { $0.letter == letter }?.bits ?? 0
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes of a letter in UTF-8 as a number. Moves `offset` behind it.
  @inline(__always)
  fileprivate func letter(at offset: inout Int) -> UInt32 {
    var letter = UInt32(self[offset])
    offset += 1
    guard letter >= 0x80 else { return letter }
    while offset < count, self[offset] & 0xC0 == 0x80 {
      letter = letter << 8 | UInt32(self[offset])
      offset += 1
    }
    return letter
  }
}
