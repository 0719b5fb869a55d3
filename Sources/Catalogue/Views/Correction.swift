import Windowing

// A search that finds no item of the strip is tried again with near words of the strip. The words depend on the whole
// strip at this revision, not on the filter or the list of a view. So all views of a page have the same words.
extension ItemColumns {
  /// The items that a search finds, and the search with the other words that it needed.
  ///
  /// 1. The exact search.
  /// 2. Each term that no word of the strip matches also matches the words near to its own.
  /// 3. Each term does.
  ///
  /// The first of these searches that finds an item counts. If none does, it is the exact search.
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
        wider.terms[number].others = near.words
      }
      guard wider != before else { continue }
      let items = select(wider)
      if !items.isEmpty { return (naming(wider, in: items), items) }
    }
    return exact
  }
}

extension Column {
  /// For each term, whether a word of an item matches it, and the words of items near to it: those that share a singular
  /// with its word, and the nearest.
  fileprivate func near(
    to terms: [SearchTerm], in texts: StringTable
  ) -> [(isKnown: Bool, words: [[UInt8]: SearchTerm.Match])] {
    let candidates = terms.map { NearWords(of: $0, in: texts) }
    let used = used(of: Bitmap(candidates.flatMap(\.codes), count: texts.count))
    func isUsed(_ code: UInt32) -> Bool { used[Int(code)] }
    return candidates.map { candidate in
      let nearest = candidate.corrected.lazy.map { $0.filter(isUsed) }.first { !$0.isEmpty } ?? []
      var words: [[UInt8]: SearchTerm.Match] = [:]
      for code in nearest { words[texts.withText(code) { Array($0) }] = .corrected }
      for code in candidate.inflected where isUsed(code) {
        words[texts.withText(code) { Array($0) }] = .inflected
      }
      return (candidate.same.contains(where: isUsed), words)
    }
  }
}

/// The words of a dictionary that match a term or are near to it, as codes.
private struct NearWords {
  let same: [UInt32]
  let inflected: [UInt32]
  /// Whole words of distance 1, words that begin so, and the same of distance 2.
  private(set) var corrected: [[UInt32]] = []

  init(of term: SearchTerm, in texts: StringTable) {
    same = texts.codes(matching: term)
    inflected = Inflection.forms(of: term.word).filter { term.match($0) == nil }
      .compactMap { texts.find($0) }
    guard let distance = EditDistance(from: term.word) else { return }
    var found = Array(repeating: [UInt32](), count: 2 * distance.limit)
    texts.forEach { code, text in
      let (whole, beginning) = distance.distances(to: text)
      let nearest = term.isPrefix ? beginning : whole
      guard 1...distance.limit ~= nearest else { return }
      found[2 * nearest - (whole == nearest ? 2 : 1)].append(UInt32(code))
    }
    corrected = found
  }

  var codes: [UInt32] { same + inflected + corrected.joined() }
}
