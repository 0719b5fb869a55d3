package import Items
package import Views

/// A search of some items: a naive model of `ColumnStore.find` and of relevance.
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
          item.value(of: field).map { WordTokenizer.folded(of: $0.text) } ?? []
        }
        return (item.id, words)
      })
    let words = Set(self.words.values.joined().joined())
    var counts: [[UInt8]: Int] = [:]
    for word in self.words.values.flatMap({ Set($0.joined()) }) { counts[word, default: 0] += 1 }
    func isFound() -> Bool { items.contains(where: finds) }
    for widensKnown in [false, true] where !isFound() {
      for (number, term) in search.terms.enumerated() {
        let (near, most) = Self.near(to: term, of: counts)
        let own = words.filter { Self.matches($0, term) }.map { counts[$0, default: 0] }
        if widensKnown || own.allSatisfy({ 100 * $0 < most }) {
          self.search.terms[number].expansions = near
        }
      }
    }
    if isFound() { name(in: items) } else { self.search = search }
  }

  /// The near words, and the number of items that have the most frequent of the nearest.
  private static func near(
    to term: SearchTerm, of counts: [[UInt8]: Int]
  ) -> (words: [[UInt8]: SearchTerm.Match], most: Int) {
    let words = counts.keys.filter { !matches($0, term) }
    let near = words.compactMap { word in distance(of: word, to: term).map { ($0, word) } }
    let least = near.map(\.0).min()
    let nearest = near.filter { $0.0 == least }.map(\.1)
    let most = nearest.map { counts[$0, default: 0] }.max() ?? 0
    let corrected = nearest.filter { 100 * counts[$0, default: 0] >= most }
    let inflected = words.filter { Inflection.forms(of: $0).contains(term.word) }
    return (
      Dictionary(uniqueKeysWithValues: corrected.map { ($0, .corrected) })
        .merging(inflected.map { ($0, .inflected) }) { $1 }, most
    )
  }

  private mutating func name(in items: [Item]) {
    let found = items.filter(finds).prefix(1000).flatMap { words(of: $0).joined() }
    for (number, term) in search.terms.enumerated() {
      let counts = Dictionary(grouping: found.filter { term.expansions[$0] != nil }) { $0 }
        .mapValues(\.count)
      guard !counts.isEmpty else { continue }
      let hasOwn = found.contains { Self.matches($0, term) && term.expansions[$0] == nil }
      let others = counts.sorted {
        $0.value == $1.value
          ? $0.key.lexicographicallyPrecedes($1.key) : $0.value > $1.value
      }
      search.terms[number].matchedWords = Array(
        ((hasOwn ? [term.word] : []) + others.map(\.key)).prefix(10))
    }
  }

  package func finds(_ item: Item) -> Bool {
    search.clauses.allSatisfy { clause in
      func has(_ term: Int) -> Bool {
        words(of: item).joined().contains { Self.matches($0, search.terms[term]) }
      }
      return clause.words.allSatisfy(has) || clause.joined.map(has) ?? false
    }
  }

  /// How the words of `q` match the item, and the numbers of the fields in which they do.
  package func relevance(of item: Item) -> [Int] {
    let best = search.terms.map { term in
      words(of: item).enumerated().flatMap { number, words in
        words.compactMap { Self.rank(of: $0, term) }.map { [$0, number] }
      }.min { $0.lexicographicallyPrecedes($1) }
    }
    func sum(_ terms: [Int]) -> [Int]? {
      let found = terms.compactMap { best[$0] }
      guard found.count == terms.count else { return nil }
      return [found.reduce(0) { $0 + $1[0] }, found.reduce(0) { $0 + $1[1] }]
    }
    return search.clauses.reduce([0, 0]) { total, clause in
      let ways = [sum(clause.words), clause.joined.flatMap { sum([$0]) }].compactMap(\.self)
      let way = ways.min { $0.lexicographicallyPrecedes($1) } ?? [0, 0]
      return [total[0] + way[0], total[1] + way[1]]
    }
  }

  private func words(of item: Item) -> [[[UInt8]]] { words[item.id] ?? [] }

  private static func matches(_ word: [UInt8], _ term: SearchTerm) -> Bool {
    rank(of: word, term) != nil
  }

  /// The place of a match among those of `SearchTerm.Match`.
  private static func rank(of word: [UInt8], _ term: SearchTerm) -> Int? {
    if word == term.word { return 0 }
    if isPlural(word, of: term.word) || isPlural(term.word, of: word) { return 1 }
    if term.isPrefix, word.starts(with: term.word) { return 2 }
    // Of the scripts without spaces, the tests have Han and kana.
    let isUnspaced = letters(term.word).contains { "぀" <= $0 && $0 <= "鿿" }
    let places = 0...max(0, word.count - term.word.count)
    if isUnspaced, places.contains(where: { word.dropFirst($0).starts(with: term.word) }) {
      return 3
    }
    return term.expansions[word].map { $0 == .inflected ? 4 : 5 }
  }

  private static func isPlural(_ word: [UInt8], of singular: [UInt8]) -> Bool {
    // Only a speedup: the part before the ending has two letters or more.
    guard word.prefix(2) == singular.prefix(2) else { return false }
    let (plural, singular) = (letters(word), letters(singular))
    return [("s", ""), ("es", ""), ("ies", "y"), ("men", "man")].contains { ending, other in
      let stem = plural.count - ending.count
      return stem >= 2 && plural.dropFirst(stem).elementsEqual(ending.unicodeScalars)
        && singular.elementsEqual(Array(plural.prefix(stem)) + Array(other.unicodeScalars))
    }
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
