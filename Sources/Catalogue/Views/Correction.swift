import Windowing

// A search that finds no item of the strip is tried again with other words of the strip. The words depend on the whole
// strip at this revision, not on the filter or the list of a view. So all views of a page have the same words.
extension ItemColumns {
  /// The items that a search finds, and the search with the other words that it needed.
  ///
  /// 1. The exact search.
  /// 2. Each term also matches the words that share a singular with its word.
  /// 3. A term that no word of the strip matches then matches the nearest words of the strip.
  ///
  /// The first of these searches that finds an item counts. If none does, it is the exact search.
  ///
  /// - Complexity: that of `select`, and O(words of all items + texts * terms) if the exact search finds nothing.
  func find(_ search: Search) -> (search: Search, items: Bitmap) {
    let exact = (search: search, items: select(search))
    guard exact.items.isEmpty, let words, !search.isEmpty else { return exact }
    let texts = words.dictionary.snapshot
    let known = words.inflections(of: search, in: texts)
    var inflected = search
    for (number, codes) in known.enumerated() {
      inflected.terms[number].others = texts.sorted(codes ?? [])
    }
    if inflected != search {
      let items = select(inflected)
      if !items.isEmpty { return (inflected, items) }
    }
    let unknown = known.indices.filter { known[$0] == nil }
    guard !unknown.isEmpty,
      let nearest = words.nearest(to: unknown.map { search.terms[$0] }, in: texts)
    else { return exact }
    for (number, codes) in zip(unknown, nearest) {
      inflected.terms[number].others = texts.sorted(codes)
    }
    let items = select(inflected)
    return items.isEmpty ? exact : (inflected, items)
  }
}

extension Column {
  /// The words of items that share a singular with each term, as codes. Nil for a term that matches no word at all.
  fileprivate func inflections(of search: Search, in texts: StringTable) -> [[UInt32]?] {
    let found = search.terms.map { term in
      let forms = Inflection.forms(of: term.word).filter { term.match($0) == nil }
      return (same: texts.codes(matching: term), others: forms.compactMap { texts.find($0) })
    }
    let used = used(of: Bitmap(found.flatMap { $0.same + $0.others }, count: texts.count))
    return found.map { same, others in
      let others = others.filter { used[Int($0)] }
      return others.isEmpty && !same.contains { used[Int($0)] } ? nil : others
    }
  }

  /// The words of items that are nearest to each term, as codes; nil if a term has none. Of equally near words, whole
  /// ones come before those that only begin so.
  fileprivate func nearest(to terms: [SearchTerm], in texts: StringTable) -> [[UInt32]]? {
    var candidates: [[[UInt32]]] = []
    for term in terms {
      guard let distance = EditDistance(from: term.word) else { return nil }
      // Whole words of distance 1, words that begin so, and the same of distance 2.
      var found = Array(repeating: [UInt32](), count: 2 * distance.limit)
      texts.forEach { code, text in
        let (whole, beginning) = distance.distances(to: text)
        let nearest = term.isPrefix ? beginning : whole
        guard 1...distance.limit ~= nearest else { return }
        found[2 * nearest - (whole == nearest ? 2 : 1)].append(UInt32(code))
      }
      guard found.contains(where: { !$0.isEmpty }) else { return nil }
      candidates.append(found)
    }
    let used = used(of: Bitmap(candidates.flatMap { $0.joined() }, count: texts.count))
    let nearest = candidates.compactMap { found in
      found.lazy.map { $0.filter { used[Int($0)] } }.first(where: { !$0.isEmpty })
    }
    return nearest.count == terms.count ? nearest : nil
  }
}

extension StringTable {
  /// The texts of codes, in the order of their bytes.
  fileprivate func sorted(_ codes: [UInt32]) -> [[UInt8]] {
    codes.map { withText($0) { Array($0) } }.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
