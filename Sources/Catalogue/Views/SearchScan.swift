import Windowing

// MARK: - The words of items

extension ItemColumns {
  /// The items that match a search.
  ///
  /// - Precondition: The columns include the words, unless the search is empty.
  /// - Complexity: O(words of all items).
  func select(_ search: Search) -> Bitmap {
    guard !search.isEmpty else { return Bitmap(repeating: true, count: count) }
    var found = Bitmap(repeating: false, count: count)
    guard let words else { return found }
    let texts = words.dictionary.snapshot
    guard let codes = SearchCodes(search, in: texts) else { return found }
    for (piece, words) in words.pieces.enumerated() {
      words.ends.withUnsafeBufferPointer { ends in
        var items = WordItems(ends)
        if codes.single.isEmpty {
          codes.firstTerm.words.withUnsafeBufferPointer { isMarked in
            var loop = TermSearch(codes: codes, isMarked: isMarked, items: items)
            words.codes.read(&loop)
            items = loop.items
          }
        } else {
          var loop = WordSearch(codes: codes, items: items)
          words.codes.read(&loop)
          items = loop.items
        }
        for item in items.found { found.insert(starts[piece] + item) }
      }
    }
    return found
  }

  /// The relevance of items to a search that they match.
  ///
  /// - Complexity: O(words of the items * terms).
  func relevances(to search: Search, at indices: some Sequence<Int>) -> [UInt32] {
    guard let words else { return indices.map { _ in 0 } }
    let texts = words.dictionary.snapshot
    let terms = search.terms.map { TermCodes($0, in: texts) }
    var relevance = Relevance(of: search)
    return indices.map { index in
      let location = location(of: index)
      let piece = words.pieces[location.piece]
      let range = piece.range(of: location.index..<location.index + 1)
      return relevance.value(of: range.lazy.map { piece.codes[$0] }) { terms[$0].match($1) }
    }
  }

  /// The relevance of one item. The same as in `relevances`, but without a pass over the dictionary.
  func relevance(to search: Search, at location: (piece: Int, index: Int)) -> UInt32 {
    guard let words else { return 0 }
    var relevance = Relevance(of: search)
    return words.dictionary.withTexts { texts in
      relevance.value(of: words.pieces[location.piece].words(at: location.index)) { term, code in
        search.terms[term].match(texts.withText(code) { Array($0) })
      }
    }
  }

  /// The same search. If only variants of a term matched, the term lists the words found in the first thousand items.
  /// The term itself, or a word that begins with it, is first. The most frequent words follow.
  ///
  /// - Complexity: O(*n* / 64 + texts).
  func naming(_ search: Search, in found: Bitmap) -> Search {
    guard let words else { return search }
    let texts = words.dictionary.snapshot
    let terms = search.terms.map { TermCodes($0, in: texts) }
    // The numbers of words, by code. The term's own is 0.
    var counts = terms.map { _ in [UInt32: Int]() }
    var next = 0
    for _ in 0..<min(1000, found.selectedCount) {
      let index = found.index(ofSetBit: 0, from: next)
      next = index + 1
      let location = location(of: index)
      for code in words.pieces[location.piece].words(at: location.index) {
        for (number, term) in terms.enumerated() {
          guard let match = term.match(code) else { continue }
          let isOther = match == .inflected || match == .corrected
          counts[number][isOther ? code : 0, default: 0] += 1
        }
      }
    }
    var named = search
    for (number, var counts) in counts.enumerated() {
      let own = counts.removeValue(forKey: 0) == nil ? [] : [search.terms[number].word]
      guard !counts.isEmpty else { continue }
      let others = counts.map { code, count in
        (text: texts.withText(code) { Array($0) }, count: count)
      }
      .sorted {
        $0.count == $1.count
          ? $0.text.lexicographicallyPrecedes($1.text) : $0.count > $1.count
      }
      named.terms[number].named =
        Array((own + others.map(\.text)).prefix(SearchTerm.namedCount))
    }
    return named
  }
}

extension Column {
  /// Which of some codes items have. A dictionary also has the words of earlier revisions.
  ///
  /// - Complexity: O(words of all items). Ends early if all codes are found.
  func used(of codes: Bitmap) -> Bitmap {
    var loop = UsedWords(rest: codes.words, count: codes.selectedCount)
    for piece in pieces where loop.count > 0 { piece.codes.read(&loop) }
    return Bitmap(
      codes.indices.filter { loop.rest[Int($0) >> 6] >> UInt64($0 & 63) & 1 == 0 },
      count: codes.count)
  }
}

// MARK: - Codes

private struct TermCodes {
  /// The code of the word itself; 0 if the strip lacks it.
  let whole: UInt32
  /// The codes of the words that begin with a prefix, one bit for each; nil if the term is none.
  private let beginnings: Bitmap?
  /// The codes of the term's other words, ascending.
  private let others: [(code: UInt32, match: SearchTerm.Match)]

  /// - Complexity: O(texts) for a prefix.
  init(_ term: SearchTerm, in texts: StringTable) {
    whole = texts.find(term.word) ?? 0
    beginnings = term.isPrefix ? Bitmap(texts.codes(matching: term), count: texts.count) : nil
    others = term.others.compactMap { word, match in texts.find(word).map { ($0, match) } }
      .sorted { $0.code < $1.code }
  }

  /// Whether at most the word itself matches.
  var isSingle: Bool { beginnings == nil && others.isEmpty }

  var isEmpty: Bool { whole == 0 && others.isEmpty && beginnings?.isEmpty ?? true }

  /// All codes that match, one bit for each.
  func bits(count: Int) -> Bitmap {
    var bits = Bitmap(others.map(\.code) + (whole > 0 ? [whole] : []), count: count)
    if let beginnings { bits.formUnion(beginnings) }
    return bits
  }

  func match(_ code: UInt32) -> SearchTerm.Match? {
    // A 0 stands between the words of two fields.
    guard code > 0 else { return nil }
    if code == whole { return .whole }
    if let beginnings, beginnings[Int(code)] { return .beginning }
    let place = others.partitioningIndex { $0.code >= code }
    return place < others.count && others[place].code == code ? others[place].match : nil
  }
}

extension StringTable {
  /// The codes of the word of a term, and of words that begin with it. Ascending.
  ///
  /// - Complexity: O(texts) for a prefix.
  func codes(matching term: SearchTerm) -> [UInt32] {
    guard term.isPrefix else { return find(term.word).map { [$0] } ?? [] }
    var codes: [UInt32] = []
    term.word.withUnsafeBytes { word in
      forEach { code, text in
        guard text.count >= word.count,
          UnsafeRawBufferPointer(rebasing: text[..<word.count]).isSame(as: word)
        else { return }
        codes.append(UInt32(code))
      }
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

private struct SearchCodes {
  /// The codes that an item needs, the rarest first.
  private(set) var single: [UInt32] = []
  /// The other terms. An item needs a code of each.
  private(set) var terms: [TermCodes] = []
  /// The codes of the first term if there is no single code, else empty.
  let firstTerm: Bitmap

  /// Nil if the strip has no word for a term, so that no item matches.
  init?(_ search: Search, in texts: StringTable) {
    for codes in search.terms.lazy.map({ TermCodes($0, in: texts) }) {
      guard !codes.isEmpty else { return nil }
      if codes.isSingle { single.append(codes.whole) } else { terms.append(codes) }
    }
    firstTerm =
      single.isEmpty ? terms[0].bits(count: texts.count) : Bitmap(repeating: false, count: 0)
    // Codes are numbered in order of first use. Therefore a word with a high code is usually rare.
    single.sort(by: >)
  }

  /// Whether an item with these words matches.
  func match(_ words: some Collection<UInt32>) -> Bool {
    single.allSatisfy { words.contains($0) }
      && terms.allSatisfy { term in words.contains { term.match($0) != nil } }
  }
}

// MARK: - Loops

/// The items of a piece that a search finds, in order.
private struct WordItems {
  private let ends: UnsafeBufferPointer<UInt32>
  /// The most recently checked item.
  private var item = -1
  private(set) var found: [Int] = []

  init(_ ends: UnsafeBufferPointer<UInt32>) { self.ends = ends }

  /// Adds the item that contains the word at `index`, if it matches. Callers pass places in ascending order.
  mutating func add(at index: Int, where matches: (Range<Int>) -> Bool) {
    if item >= 0, index < Int(ends[item]) { return }
    item = (item + 1..<ends.count).partitioningIndexNearStart { Int(ends[$0]) > index }
    if matches((item == 0 ? 0 : Int(ends[item - 1]))..<Int(ends[item])) { found.append(item) }
  }
}

/// Compares each word with the rarest word of a search. Checks only the items that contain the rarest word.
private struct WordSearch: CodeLoop {
  let codes: SearchCodes
  var items: WordItems

  mutating func run<Code: FixedWidthInteger & UnsignedInteger>(
    _ words: UnsafeBufferPointer<Code>
  ) {
    guard let first = words.baseAddress, let rarest = Code(exactly: codes.single[0]) else { return }
    var index = 0
    while index < words.count {
      let end = min(index + 64, words.count)
      if end - index == 64 {
        // The compiler vectorizes a branch-free loop of constant length. Only a difference of 0 sets the
        // highest bit.
        let here = first + index
        var any = Code.zero
        for word in 0..<64 {
          let difference = here[word] ^ rarest
          any |= (difference &- 1) & ~difference
        }
        guard any.leadingZeroBitCount == 0 else {
          index = end
          continue
        }
      }
      for index in index..<end where first[index] == rarest {
        items.add(at: index) { range in
          codes.match(words[range].lazy.map { UInt32(truncatingIfNeeded: $0) })
        }
      }
      index = end
    }
  }
}

/// Looks up each word among the words of the first term. Checks only the items that contain one of them.
private struct TermSearch: CodeLoop {
  let codes: SearchCodes
  let isMarked: UnsafeBufferPointer<UInt64>
  var items: WordItems

  mutating func run<Code: FixedWidthInteger & UnsignedInteger>(
    _ words: UnsafeBufferPointer<Code>
  ) {
    let hasMore = codes.terms.count > 1
    words.forEach(markedIn: isMarked) { index in
      items.add(at: index) { range in
        !hasMore || codes.match(words[range].lazy.map { UInt32(truncatingIfNeeded: $0) })
      }
    }
  }
}

/// Finds which of some codes occur.
private struct UsedWords: CodeLoop {
  /// The codes that were not found yet, one bit for each, and their number.
  var rest: [UInt64]
  var count: Int

  mutating func run<Code: FixedWidthInteger & UnsignedInteger>(
    _ codes: UnsafeBufferPointer<Code>
  ) {
    var found = 0
    rest.withUnsafeMutableBufferPointer { rest in
      codes.forEach(markedIn: UnsafeBufferPointer(rest)) { index in
        let code = Int(truncatingIfNeeded: codes[index])
        rest[code >> 6] &= ~(1 << UInt64(code & 63))
        found += 1
      }
    }
    count -= found
  }
}

extension UnsafeBufferPointer where Element: FixedWidthInteger & UnsignedInteger {
  /// Calls `body` with the index of each code whose bit is set. Usually few are. Therefore the loop skips eight codes
  /// at a time. The bits of 200,000 words fit in the L1 cache.
  @inline(__always)
  fileprivate func forEach(markedIn isMarked: UnsafeBufferPointer<UInt64>, _ body: (Int) -> Void) {
    guard let first = baseAddress, let isMarked = isMarked.baseAddress else { return }
    func mark(_ index: Int) -> UInt64 {
      let code = Int(truncatingIfNeeded: first[index])
      return isMarked[code &>> 6] &>> UInt64(truncatingIfNeeded: code)
    }
    var index = 0
    while index < count {
      let end = Swift.min(index + 8, count)
      if end - index == 8 {
        var any: UInt64 = 0
        for place in 0..<8 { any |= mark(index &+ place) }
        guard any & 1 != 0 else {
          index = end
          continue
        }
      }
      for index in index..<end where mark(index) & 1 != 0 { body(index) }
      index = end
    }
  }
}
