import Windowing

// A search that finds no item of the strip is tried again with near words of the strip. The words depend on the whole
// strip at this revision, not on the filter or the list of a view. So all views of a page have the same words.
extension ColumnStore {
  /// The items that a search finds, and the search with the other words that it needed.
  ///
  /// These searches are tried in order:
  ///
  /// 1. The exact search.
  /// 2. Unknown terms also match the words near to them. A term is unknown if no item has its word. It is also unknown if
  ///    the most frequent of the nearest words is more than a hundred times as frequent: then it is probably misspelled.
  /// 3. All terms also match the words near to them.
  ///
  /// The result is that of the first search that finds an item, or else that of the exact search.
  ///
  /// - Complexity: that of `select`, and O(words of all items + texts * terms) if the exact search finds nothing.
  func find(_ search: Search) -> (search: Search, items: Bitmap) {
    let exact = (search: search, items: select(search))
    guard exact.items.isEmpty, let words, !search.isEmpty else { return exact }
    let near = words.near(to: search.terms, in: words.dictionary.snapshot)
    var wider = search
    for widensKnown in [false, true] {
      let before = wider
      for (number, near) in near.enumerated() where widensKnown || !near.isKnown {
        wider.terms[number].expansions = near.words
      }
      guard wider != before else { continue }
      let items = select(wider)
      if !items.isEmpty { return (withMatchedWords(wider, in: items), items) }
    }
    return exact
  }
}

extension DictionaryEncodedColumn {
  /// For each term, whether items have it, and the words of items near to it: those that share a singular with its word,
  /// and the nearest.
  fileprivate func near(
    to terms: [SearchTerm], in texts: StringTable
  ) -> [(isKnown: Bool, words: [[UInt8]: SearchTerm.Match])] {
    var candidates = terms.map { CorrectionCandidates(of: $0, in: texts) }
    let used = used(of: Bitmap(candidates.flatMap(\.codes), count: texts.count))
    for number in candidates.indices { candidates[number].retain { used[Int($0)] } }
    let counted = candidates.filter(\.needsCounts).flatMap { $0.same + $0.nearest }
    let counts = counted.isEmpty ? [] : itemCounts(of: Bitmap(counted, count: texts.count))
    return candidates.map { candidate in
      var isKnown = !candidate.same.isEmpty
      var nearest = candidate.nearest
      if candidate.needsCounts {
        let most = nearest.map { counts[Int($0)] }.max() ?? 0
        func isRare(_ code: UInt32) -> Bool { 100 * Int(counts[Int(code)]) < Int(most) }
        nearest.removeAll(where: isRare)
        isKnown = !candidate.same.allSatisfy(isRare)
      }
      var words: [[UInt8]: SearchTerm.Match] = [:]
      for code in nearest { words[texts.withText(code) { Array($0) }] = .corrected }
      for code in candidate.inflected { words[texts.withText(code) { Array($0) }] = .inflected }
      return (isKnown, words)
    }
  }
}

/// The words of a dictionary that match a term or are near to it, as codes.
private struct CorrectionCandidates {
  private(set) var same: [UInt32]
  private(set) var inflected: [UInt32]
  /// Whole words of distance 1, words with a beginning of distance 1, whole words of distance 2, and words with a beginning
  /// of distance 2.
  private var corrected: [[UInt32]] = []

  init(of term: SearchTerm, in texts: StringTable) {
    same = texts.codes(matching: term)
    inflected = Inflection.forms(of: term.word).filter { term.match($0) == nil }
      .compactMap { texts.find($0) }
    guard let distance = EditDistance(from: term.word) else { return }
    let known = Set(same)
    var found = Array(repeating: [UInt32](), count: 2 * distance.limit)
    texts.forEach { code, text in
      let (whole, beginning) = distance.distances(to: text)
      let nearest = term.isPrefix ? beginning : whole
      guard 1...distance.limit ~= nearest, !known.contains(UInt32(code)) else { return }
      found[2 * nearest - (whole == nearest ? 2 : 1)].append(UInt32(code))
    }
    corrected = found
  }

  var codes: [UInt32] { same + inflected + corrected.joined() }

  /// The words at the least distance.
  var nearest: [UInt32] { corrected.first { !$0.isEmpty } ?? [] }

  /// Whether the numbers of their items decide which words count.
  var needsCounts: Bool { nearest.count > 1 || !nearest.isEmpty && !same.isEmpty }

  mutating func retain(_ isUsed: (UInt32) -> Bool) {
    same = same.filter(isUsed)
    inflected = inflected.filter(isUsed)
    corrected = corrected.map { $0.filter(isUsed) }
  }
}
