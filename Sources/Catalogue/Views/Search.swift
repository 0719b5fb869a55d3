import Windowing

/// A search: the parameter `q` of a view.
///
///     let search = try Search("red bl")
///     search.matches(Words.folded(of: Array("Blue and red".utf8)))  // true
package struct Search: Hashable, Sendable {
  /// The words that an item must have, each once.
  package var terms: [SearchTerm] = []
  /// The canonical spelling.
  private let text: String

  package static let maximumSize = 256

  package init(_ text: String) throws(CatalogueError) {
    guard text.utf8.count <= Self.maximumSize else {
      throw .invalid("q: it has \(text.utf8.count) bytes, more than \(Self.maximumSize)")
    }
    let end = text.utf8.last == UInt8(ascii: " ") ? " " : ""
    let folded = Words.folded(of: text.utf8)
    let spelling = folded.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    // Folded text can be longer: a syllable of Hangul becomes three letters.
    let isShort = spelling.utf8.count < Self.maximumSize
    self.text = folded.isEmpty ? " " : isShort ? spelling + end : text
    for (number, word) in folded.enumerated() {
      let term = SearchTerm(word: word, isPrefix: end.isEmpty && number == folded.count - 1)
      if !terms.contains(term) { terms.append(term) }
    }
  }

  /// Whether the search has no words. Such a search selects all items.
  package var isEmpty: Bool { terms.isEmpty }

  /// Whether an item with these folded words matches: those of all searchable fields.
  package func matches(_ words: some Sequence<[UInt8]>) -> Bool {
    terms.allSatisfy { term in words.contains { term.match($0) != nil } }
  }

  var uncorrected: Search {
    var search = self
    for number in terms.indices {
      search.terms[number].others = [:]
      search.terms[number].named = []
    }
    return search
  }

  /// The terms that other words matched: see `ItemColumns.find`.
  package var corrections: [SearchTerm] { terms.filter { !$0.named.isEmpty } }

  /// The words that were searched, for readers. At most three stand in place of one: `turner / turners sunset`.
  package var correctedText: String {
    terms.map { term in
      (term.named.isEmpty ? [term.word] : term.named.prefix(3))
        .map { String(decoding: $0, as: UTF8.self) }.joined(separator: " / ")
    }.joined(separator: " ")
  }

  /// The memory of those words in bytes.
  var cost: Int {
    terms.reduce(0) { ($1.others.keys + $1.named).reduce($0) { $0 + 64 + $1.count } }
  }
}

extension Search: CustomStringConvertible {
  /// The canonical spelling: the folded words with one space between them, and one at the end if the
  /// last word is whole. The text as given if this would exceed `maximumSize`. Without words one space,
  /// because an empty parameter counts as absent.
  package var description: String { text }
}

/// A folded word of a search.
package struct SearchTerm: Hashable, Sendable {
  package let word: [UInt8]
  /// Whether words match that begin with it.
  package let isPrefix: Bool
  /// Words of the strip that match too.
  package var others: [[UInt8]: Match] = [:]
  /// The words that found items have, for readers, if some are others: see `ItemColumns.naming`.
  package var named: [[UInt8]] = []

  /// The most words that are named.
  package static let namedCount = 10

  /// How a word matches, the best first.
  package enum Match: UInt32, Sendable {
    case whole, beginning, inflected, corrected
  }

  func match(_ text: [UInt8]) -> Match? {
    if text == word { return .whole }
    if isPrefix, text.starts(with: word) { return .beginning }
    return others[text]
  }
}

// MARK: - Relevance

/// The relevance of an item to a search. The least comes first.
///
/// Each term counts with its best word. How words match counts more than the numbers of their fields. A search has at
/// most 128 terms, and a strip has at most 8 searchable fields, so the sum of these numbers is less than 1,024.
struct Relevance {
  private var best: [UInt32]

  /// Greater than the number of any match.
  private static let none: UInt32 = 4 << 10

  init(of search: Search) { best = Array(repeating: Self.none, count: search.terms.count) }

  /// - Parameters:
  ///   - codes: the words of an item. A 0 stands before the words of each field but the first.
  ///   - match: how a word matches the term of a number.
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
    return best.reduce(0, +)
  }
}
