package import Catalogue

/// A search of some items: a naive model of `ItemColumns.find` and of relevance.
package struct NaiveSearch {
  /// With the words that it needed.
  package private(set) var search: Search
  /// The words of each item, by id and field.
  private let words: [String: [[[UInt8]]]]

  package init(_ search: Search, of items: [Item], searchable: [FieldName]) {
    self.search = search
    words = Dictionary(
      uniqueKeysWithValues: items.map { item in
        let words = searchable.map { field in
          item.value(of: field).map { Words.folded(of: $0.text) } ?? []
        }
        return (item.id, words)
      })
    let words = Set(self.words.values.joined().joined())
    func isFound() -> Bool { items.contains(where: finds) }
    for widensKnown in [false, true] where !isFound() {
      for (number, term) in search.terms.enumerated()
      where widensKnown || !words.contains(where: { Self.matches($0, term) }) {
        self.search.terms[number].others = Self.near(to: term, of: words)
      }
    }
    if isFound() { name(in: items) } else { self.search = search }
  }

  private static func near(
    to term: SearchTerm, of words: Set<[UInt8]>
  ) -> [[UInt8]: SearchTerm.Match] {
    let words = words.filter { !matches($0, term) }
    let near = words.compactMap { word in distance(of: word, to: term).map { ($0, word) } }
    let nearest = near.map(\.0).min()
    let corrected = near.filter { $0.0 == nearest }.map { ($0.1, SearchTerm.Match.corrected) }
    let inflected = words.filter { Inflection.forms(of: $0).contains(term.word) }
    return Dictionary(uniqueKeysWithValues: corrected)
      .merging(inflected.map { ($0, .inflected) }) { $1 }
  }

  private mutating func name(in items: [Item]) {
    let found = items.filter(finds).prefix(1000).flatMap { words(of: $0).joined() }
    for (number, term) in search.terms.enumerated() {
      let counts = Dictionary(grouping: found.filter { term.others[$0] != nil }) { $0 }
        .mapValues(\.count)
      guard !counts.isEmpty else { continue }
      let hasOwn = found.contains { Self.matches($0, term) && term.others[$0] == nil }
      let others = counts.sorted {
        $0.value == $1.value
          ? $0.key.lexicographicallyPrecedes($1.key) : $0.value > $1.value
      }
      search.terms[number].named = Array(
        ((hasOwn ? [term.word] : []) + others.map(\.key)).prefix(10))
    }
  }

  package func finds(_ item: Item) -> Bool {
    search.terms.allSatisfy { term in
      words(of: item).joined().contains { Self.matches($0, term) }
    }
  }

  /// How the words of `q` match the item, and the numbers of the fields in which they do.
  package func relevance(of item: Item) -> [Int] {
    let best = search.terms.map { term in
      words(of: item).enumerated().flatMap { number, words in
        words.filter { Self.matches($0, term) }.map { word in
          [word == term.word ? 0 : term.others[word].map { $0 == .inflected ? 2 : 3 } ?? 1, number]
        }
      }.min { $0.lexicographicallyPrecedes($1) } ?? []
    }
    return [best.reduce(0) { $0 + $1[0] }, best.reduce(0) { $0 + $1[1] }]
  }

  private func words(of item: Item) -> [[[UInt8]]] { words[item.id] ?? [] }

  private static func matches(_ word: [UInt8], _ term: SearchTerm) -> Bool {
    word == term.word || term.isPrefix && word.starts(with: term.word)
      || term.others[word] != nil
  }

  /// Twice the distance, and one more if only a beginning is so near. Nil if the word is too far.
  private static func distance(of word: [UInt8], to term: SearchTerm) -> Int? {
    let (text, other) = (letters(word), letters(term.word))
    let limit = other.count < 5 ? 0 : other.count < 9 ? 1 : 2
    let ends = term.isPrefix ? Array(0..<text.count) : []
    let nearest =
      ([2 * distance(text[...], other)]
      + ends.map { 2 * distance(text[..<$0], other) + 1 }).min() ?? 0
    return nearest / 2 <= limit ? nearest : nil
  }

  private static func letters(_ word: [UInt8]) -> [Unicode.Scalar] {
    Array(String(decoding: word, as: UTF8.self).unicodeScalars)
  }

  /// The distance in which no letter is changed twice, by the table of all beginnings.
  package static func distance(_ one: ArraySlice<Unicode.Scalar>, _ other: [Unicode.Scalar]) -> Int
  {
    var table = (0...one.count).map { row in
      (0...other.count).map { row == 0 ? $0 : $0 == 0 ? row : 0 }
    }
    for row in 1..<max(1, one.count + 1) {
      for column in 1..<max(1, other.count + 1) {
        let isSame = one[row - 1] == other[column - 1]
        table[row][column] = min(
          table[row - 1][column] + 1, table[row][column - 1] + 1,
          table[row - 1][column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, one[row - 1] == other[column - 2],
          one[row - 2] == other[column - 1]
        {
          table[row][column] = min(table[row][column], table[row - 2][column - 2] + 1)
        }
      }
    }
    return table[one.count][other.count]
  }
}
