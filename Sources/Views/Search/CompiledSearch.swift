import Windowing

/// A word of a search, looked up among the words of a strip: the codes of those that match.
struct CompiledTerm {
  /// The code of the word itself; 0 if the strip lacks it.
  private let whole: UInt32
  /// The codes of other whole words that match, ascending.
  private let others: [(code: UInt32, match: SearchTerm.Match)]
  /// The codes of longer words that begin with the word or contain it, one bit for each; nil if they do not match.
  private let partial: Bitmap?
  private let term: SearchTerm
  private let texts: StringTable

  /// - Complexity: O(texts) for a prefix; O(bytes of the texts) for a word that others contain.
  init(_ term: SearchTerm, in texts: StringTable) {
    (self.term, self.texts) = (term, texts)
    whole = texts.find(term.word) ?? 0
    let plurals = term.plurals.map { ($0, SearchTerm.Match.plural) }
    others = (plurals + term.expansions.filter { !term.plurals.contains($0.key) }.map { ($0, $1) })
      .compactMap { word, match in texts.find(word).map { ($0, match) } }
      .sorted { $0.code < $1.code }
    partial =
      term.isPrefix || term.isInfix
      ? Bitmap(texts.codes(containing: term), count: texts.count) : nil
  }

  var isEmpty: Bool { whole == 0 && others.isEmpty && partial?.isEmpty ?? true }

  /// The codes of the whole words that match.
  var wholeWordCodes: [UInt32] { others.map(\.code) + (whole > 0 ? [whole] : []) }

  /// Whether only whole words match.
  var matchesWholeWordsOnly: Bool { partial?.isEmpty ?? true }

  /// All codes that match, one bit for each.
  func bits(count: Int) -> Bitmap {
    var bits = Bitmap(wholeWordCodes, count: count)
    if let partial { bits.formUnion(partial) }
    return bits
  }

  func match(_ code: UInt32) -> SearchTerm.Match? {
    // A 0 stands between the words of two fields.
    guard code > 0 else { return nil }
    if code == whole { return .whole }
    let index = others.partitioningIndex { $0.code >= code }
    let other = index < others.count && others[index].code == code ? others[index].match : nil
    if other != .plural, let partial, partial[Int(code)] {
      // The script has no spaces: the word may stand in the middle.
      return term.isInfix ? texts.withText(code, term.partialMatch) : .beginning
    }
    return other
  }
}

extension StringTable {
  /// The codes of the words that match a term without corrections. Not in order.
  ///
  /// - Complexity: as of `codes(containing:)`.
  func codes(matching term: SearchTerm) -> [UInt32] {
    ([term.word] + term.plurals).compactMap(find)
      + (term.isPrefix || term.isInfix ? codes(containing: term) : [])
  }

  /// The codes of longer words that begin with the word of a term or contain it. Ascending.
  ///
  /// - Complexity: O(texts) for a prefix; O(bytes of the texts) for a word that others contain.
  fileprivate func codes(containing term: SearchTerm) -> [UInt32] {
    var codes: [UInt32] = []
    forEach { code, text in
      if term.partialMatch(text) != nil { codes.append(UInt32(code)) }
    }
    return codes
  }

  func find(_ word: [UInt8]) -> UInt32? { word.withUnsafeBytes { find($0) } }
}

extension Bitmap {
  init(_ indices: [UInt32], count: Int) {
    self.init(repeating: false, count: count)
    for index in indices { insert(Int(index)) }
  }
}

/// A search, looked up among the words of a strip once, so that the loop over all items compares only codes.
struct CompiledSearch {
  /// Each item that matches has one of these codes.
  let driver: Driver
  /// For each word of the search with few codes: their number, then the codes.
  private var shortLists: [UInt32] = []
  /// For each other word, one bit for each code.
  private var bitmaps: [[UInt64]] = []
  /// For each chain, one bit for each code: of each of its words, and of the joined word. An item has all of the words, or
  /// the joined word.
  private var chains: [(words: [[UInt64]], joined: [UInt64])] = []

  enum Driver {
    /// The codes of the rarest word.
    case list([UInt32])
    case bitmap(Bitmap)
  }

  /// The most codes of a short list. More codes are looked up as bits.
  private static let longestList = 4

  /// A word, or a chain whose words and joined word are in the strip. A chain of which the strip has only the joined word
  /// counts as a word.
  private typealias Clause = (words: [CompiledTerm], joined: CompiledTerm?)

  /// Nil if the strip has no word for a clause, so that no item matches.
  init?(_ search: Search, in texts: StringTable) {
    let terms = search.terms.map { CompiledTerm($0, in: texts) }
    var clauses: [Clause] = []
    for clause in search.clauses {
      let joined = clause.joined.flatMap { terms[$0].isEmpty ? nil : terms[$0] }
      let words = clause.words.map { terms[$0] }
      if !words.contains(where: \.isEmpty) {
        clauses += joined == nil ? words.map { ([$0], nil) } : [(words, joined)]
      } else if let joined {
        clauses.append(([joined], nil))
      } else {
        return nil
      }
    }
    let (driver, number) = Self.driver(of: clauses, count: texts.count)
    self.driver = driver
    for (index, (words, joined)) in clauses.enumerated() {
      let bits = words.map { $0.bits(count: texts.count).words }
      if let joined {
        chains.append((bits, joined.bits(count: texts.count).words))
      } else if index == number {
        // Each item with a code of the driver has this word.
      } else if words[0].matchesWholeWordsOnly, words[0].wholeWordCodes.count <= Self.longestList {
        shortLists += [UInt32(words[0].wholeWordCodes.count)] + words[0].wholeWordCodes
      } else {
        bitmaps += bits
      }
    }
  }

  /// The driver, and the number of its clause.
  private static func driver(of clauses: [Clause], count: Int) -> (Driver, Int) {
    var best: (codes: [UInt32], least: UInt32, number: Int)?
    for (number, clause) in clauses.enumerated() {
      for word in clause.words {
        let ways = [word] + [clause.joined].compactMap(\.self)
        let codes = ways.flatMap(\.wholeWordCodes)
        guard ways.allSatisfy(\.matchesWholeWordsOnly), codes.count <= longestList,
          let least = codes.min()
        else { continue }
        // Codes are numbered in order of first use. Therefore words with high codes are usually rare.
        if least > best?.least ?? 0 { best = (codes, least, number) }
      }
    }
    if let best { return (.list(best.codes), best.number) }
    var bits = clauses[0].words[0].bits(count: count)
    if let joined = clauses[0].joined { bits.formUnion(joined.bits(count: count)) }
    return (.bitmap(bits), 0)
  }

  /// Whether an item with these words, of which one is of the driver, matches.
  @inline(__always)
  func match<Code: FixedWidthInteger & UnsignedInteger>(
    _ words: UnsafeBufferPointer<Code>.SubSequence
  ) -> Bool {
    let hasListed = shortLists.withUnsafeBufferPointer { shortLists in
      var start = 0
      while start < shortLists.count {
        let end = start + 1 + Int(shortLists[start])
        let codes = shortLists[start + 1..<end]
        guard words.contains(where: { codes.contains(UInt32(truncatingIfNeeded: $0)) }) else {
          return false
        }
        start = end
      }
      return true
    }
    return hasListed && bitmaps.allSatisfy { $0.contains(oneOf: words) }
      && chains.allSatisfy { chain in
        chain.joined.contains(oneOf: words)
          || chain.words.allSatisfy { $0.contains(oneOf: words) }
      }
  }
}

extension [UInt64] {
  /// Whether the bit of one of these codes is set. That of 0, which stands between the words of two fields, is not.
  @inline(__always)
  fileprivate func contains(
    oneOf codes: UnsafeBufferPointer<some FixedWidthInteger & UnsignedInteger>.SubSequence
  ) -> Bool {
    withUnsafeBufferPointer { bits in
      codes.contains { code in
        bits[Int(truncatingIfNeeded: code) &>> 6] &>> UInt64(truncatingIfNeeded: code) & 1 != 0
      }
    }
  }
}
