package import Items
import Windowing

/// A search: the parameter `q` of a view.
///
///     let search = try Search("red wi-fi")
///     search.matches(WordTokenizer.folded(of: Array("Wifi in red".utf8)))  // true
package struct Search: Hashable, Sendable {
  /// The words of the search, also those of chains and their joined words, each once.
  package var terms: [SearchTerm] = []
  /// The words and chains of the search. An item must have all of them.
  package private(set) var clauses: [Clause] = []
  /// The canonical spelling.
  private let text: String

  /// A word or a chain, as numbers of terms.
  package struct Clause: Hashable, Sendable {
    /// The words: an item has all of them, or the joined one.
    package let words: [Int]
    package let joined: Int?

    /// - Parameter matches: whether an item has a word for a term.
    @inline(__always)
    package func matches(_ matches: (Int) -> Bool) -> Bool {
      words.allSatisfy(matches) || joined.map(matches) ?? false
    }
  }

  package static let maximumSize = 256

  package init(_ text: String) throws(CatalogueError) {
    guard text.utf8.count <= Self.maximumSize else {
      throw .invalid("q: it has \(text.utf8.count) bytes, more than \(Self.maximumSize)")
    }
    let end = text.utf8.last == UInt8(ascii: " ") ? " " : ""
    let chains = WordTokenizer.chains(of: text.utf8)
    let spelling = chains.map { $0.map(Self.text).joined(separator: "-") }
      .joined(separator: " ")
    // Folded text can be longer: a syllable of Hangul becomes three letters.
    let isShort = spelling.utf8.count < Self.maximumSize
    self.text = chains.isEmpty ? " " : isShort ? spelling + end : text
    for (number, chain) in chains.enumerated() {
      let isLast = end.isEmpty && number == chains.count - 1
      let words = chain.enumerated().map { index, word in
        add(word, isPrefix: isLast && index == chain.count - 1)
      }
      let joined = chain.count > 1 ? add(Array(chain.joined()), isPrefix: isLast) : nil
      let clause = Clause(words: words, joined: joined)
      if !clauses.contains(clause) { clauses.append(clause) }
    }
  }

  private mutating func add(_ word: [UInt8], isPrefix: Bool) -> Int {
    let term = SearchTerm(word: word, isPrefix: isPrefix)
    if let known = terms.firstIndex(of: term) { return known }
    terms.append(term)
    return terms.count - 1
  }

  /// Whether the search has no words. Such a search selects all items.
  package var isEmpty: Bool { terms.isEmpty }

  /// Whether an item matches whose searchable fields have these folded words.
  package func matches(_ words: some Sequence<[UInt8]>) -> Bool {
    clauses.allSatisfy {
      $0.matches { term in words.contains { terms[term].match($0) != nil } }
    }
  }

  var uncorrected: Search {
    var search = self
    for number in terms.indices {
      search.terms[number].expansions = [:]
      search.terms[number].matchedWords = []
    }
    return search
  }

  /// The terms that other words matched: see `ColumnStore.find`.
  package var corrections: [SearchTerm] { terms.filter { !$0.matchedWords.isEmpty } }

  /// The words that were searched, for readers. At most three stand in place of one: `turner / turners sunset`.
  package var correctedText: String {
    func text(of number: Int) -> String {
      let term = terms[number]
      return (term.matchedWords.isEmpty ? [term.word] : term.matchedWords.prefix(3)).map(Self.text)
        .joined(separator: " / ")
    }
    return clauses.map { clause in
      if let joined = clause.joined, clause.words.allSatisfy({ terms[$0].matchedWords.isEmpty }),
        !terms[joined].matchedWords.isEmpty
      {
        return text(of: joined)
      }
      return clause.words.map(text).joined(separator: "-")
    }.joined(separator: " ")
  }

  private static func text(of word: [UInt8]) -> String {
    String(decoding: word, as: UTF8.self)
  }

  /// The memory of the corrections in bytes.
  var cost: Int {
    terms.reduce(0) { ($1.expansions.keys + $1.matchedWords).reduce($0) { $0 + 64 + $1.count } }
  }
}

extension Search: CustomStringConvertible {
  /// The canonical spelling: the folded words with one space between them, or a hyphen in a chain, and a space at the
  /// end if the last word is whole. If this would exceed `maximumSize`, it is the text as given. A search without words
  /// is one space, because an empty parameter counts as absent.
  package var description: String { text }
}

/// A folded word of a search.
package struct SearchTerm: Hashable, Sendable {
  package let word: [UInt8]
  /// Whether words that begin with it match.
  package let isPrefix: Bool
  /// Whether words that contain it match, because its script is written without spaces.
  package let isInfix: Bool
  /// Its regular plurals, and the words whose plural it is.
  package let plurals: Set<[UInt8]>
  /// Words of the strip that also match, such as near words.
  package var expansions: [[UInt8]: Match] = [:]
  /// The words that found items have, for readers, if they are not all the term's own: see `ColumnStore.withMatchedWords`.
  package var matchedWords: [[UInt8]] = []

  /// The most `matchedWords`.
  package static let matchedWordLimit = 10

  /// How a word matches, the best first.
  package enum Match: UInt32, Sendable {
    case whole, plural, beginning, inside, inflected, corrected
  }

  init(word: [UInt8], isPrefix: Bool) {
    self.word = word
    self.isPrefix = isPrefix
    isInfix = word.isOfScriptWithoutSpaces
    plurals = Inflection.regular(of: word)
  }

  func match(_ text: [UInt8]) -> Match? {
    if text == word { return .whole }
    if plurals.contains(text) { return .plural }
    return text.withUnsafeBytes(partialMatch) ?? expansions[text]
  }

  /// The match of a text that is longer than the word.
  @inline(__always)
  func partialMatch(_ text: UnsafeRawBufferPointer) -> Match? {
    guard isPrefix || isInfix, text.count > word.count else { return nil }
    return word.withUnsafeBytes { word in
      if isPrefix, UnsafeRawBufferPointer(rebasing: text[..<word.count]).isSame(as: word) {
        return .beginning
      }
      return isInfix && text.contains(word) ? .inside : nil
    }
  }
}

// MARK: - Relevance

/// The relevance of an item to a search. The least comes first.
///
/// Each term counts with its best word, and a chain with its joined word or with the sum of its words. The kind of the
/// matches decides. If they are equal, the sum of the numbers of the fields does. A search has at most 128 words, and a
/// strip at most 8 searchable fields, so this sum is less than 1,024.
struct Relevance {
  private let clauses: [Search.Clause]
  private var best: [UInt32]

  /// Greater than the number of any match.
  private static let none: UInt32 = 6 << 10

  init(of search: Search) {
    clauses = search.clauses
    best = Array(repeating: Self.none, count: search.terms.count)
  }

  /// - Parameters:
  ///   - codes: the words of an item. A 0 stands before the words of each field but the first.
  ///   - match: returns the match of a word with the term of a number.
  mutating func value(
    of codes: some Sequence<UInt32>, match: (Int, UInt32) -> SearchTerm.Match?
  ) -> UInt32 {
    for term in best.indices { best[term] = Self.none }
    var field: UInt32 = 0
    for code in codes {
      guard code > 0 else {
        field += 1
        continue
      }
      for term in best.indices {
        if let match = match(term, code) {
          best[term] = min(best[term], match.rawValue << 10 | field)
        }
      }
    }
    return clauses.reduce(0) { sum, clause in
      let words = clause.words.reduce(0) { $0 + best[$1] }
      return sum + min(words, clause.joined.map { best[$0] } ?? .max)
    }
  }
}
