import Windowing

// MARK: - The words of items

extension ColumnStore {
  /// The items that match a search.
  ///
  /// - Precondition: The columns include the words, unless the search is empty.
  /// - Complexity: O(words of all items).
  func select(_ search: Search) -> Bitmap {
    guard !search.isEmpty else { return Bitmap(repeating: true, count: count) }
    var found = Bitmap(repeating: false, count: count)
    guard let words else { return found }
    let texts = words.dictionary.snapshot
    guard let codes = CompiledSearch(search, in: texts) else { return found }
    for (segment, words) in words.segments.enumerated() {
      words.ends.withUnsafeBufferPointer { ends in
        var items = FoundItems(ends)
        switch codes.driver {
        case .list(let driver):
          var visitor = RareWordVisitor(codes: codes, driver: driver, items: items)
          words.codes.visit(&visitor)
          items = visitor.items
        case .bitmap(let driver):
          driver.words.withUnsafeBufferPointer { isMarked in
            var visitor = MarkedWordVisitor(codes: codes, isMarked: isMarked, items: items)
            words.codes.visit(&visitor)
            items = visitor.items
          }
        }
        for item in items.found { found.insert(starts[segment] + item) }
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
    let terms = search.terms.map { CompiledTerm($0, in: texts) }
    var relevance = Relevance(of: search)
    return indices.map { index in
      let location = location(of: index)
      let segment = words.segments[location.segment]
      let range = segment.range(of: location.index..<location.index + 1)
      return relevance.value(of: range.lazy.map { segment.codes[$0] }) { terms[$0].match($1) }
    }
  }

  /// The relevance of one item. The same as in `relevances`, but without a pass over the dictionary.
  func relevance(to search: Search, at location: (segment: Int, index: Int)) -> UInt32 {
    guard let words else { return 0 }
    var relevance = Relevance(of: search)
    return words.dictionary.withTexts { texts in
      relevance.value(of: words.segments[location.segment].words(at: location.index)) {
        term, code in
        search.terms[term].match(texts.withText(code) { Array($0) })
      }
    }
  }

  /// The search with the words that it has found in the first thousand items. If a term has found other words than its
  /// own, it lists them, the most frequent first. Before them stands the term itself, if it has found its own word too.
  ///
  /// - Complexity: O(*n* / 64 + texts).
  func withMatchedWords(_ search: Search, in found: Bitmap) -> Search {
    guard let words else { return search }
    let texts = words.dictionary.snapshot
    let terms = search.terms.map { CompiledTerm($0, in: texts) }
    // The numbers of the words that each term has found, by code. Code 0 stands for its own word.
    var counts = terms.map { _ in [UInt32: Int]() }
    var next = 0
    for _ in 0..<min(1000, found.selectedCount) {
      let index = found.index(ofSetBit: 0, from: next)
      next = index + 1
      let location = location(of: index)
      for code in words.segments[location.segment].words(at: location.index) {
        for (number, term) in terms.enumerated() {
          guard let match = term.match(code) else { continue }
          let isOther = match == .inflected || match == .corrected
          counts[number][isOther ? code : 0, default: 0] += 1
        }
      }
    }
    var result = search
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
      result.terms[number].matchedWords =
        Array((own + others.map(\.text)).prefix(SearchTerm.matchedWordLimit))
    }
    return result
  }
}

extension DictionaryEncodedColumn {
  /// Those of `codes` that items have. A dictionary also has the words of earlier revisions.
  ///
  /// - Complexity: O(words of all items). Ends early if all codes are found.
  func used(of codes: Bitmap) -> Bitmap {
    var visitor = UsedCodeVisitor(rest: codes.words, count: codes.selectedCount)
    for segment in segments where visitor.count > 0 { segment.codes.visit(&visitor) }
    return Bitmap(
      codes.indices.filter { visitor.rest[Int($0) >> 6] >> UInt64($0 & 63) & 1 == 0 },
      count: codes.count)
  }
}

extension DictionaryEncodedColumn {
  /// The number of items that have each of some codes; 0 for other codes.
  ///
  /// - Complexity: O(words of all items).
  func itemCounts(of codes: Bitmap) -> [UInt32] {
    codes.words.withUnsafeBufferPointer { isMarked in
      var visitor = ItemCountVisitor(isMarked: isMarked, count: codes.count)
      for segment in segments {
        segment.ends.withUnsafeBufferPointer { ends in
          visitor.ends = ends
          segment.codes.visit(&visitor)
        }
      }
      return visitor.counts
    }
  }
}

// MARK: - Loops

/// The items of a segment that a search finds, in order.
private struct FoundItems {
  private let ends: UnsafeBufferPointer<UInt32>
  /// The most recently checked item.
  private var item = -1
  private(set) var found: [Int] = []

  init(_ ends: UnsafeBufferPointer<UInt32>) { self.ends = ends }

  /// Adds the item that contains the word at `index`, if it matches. Callers pass indices in ascending order.
  mutating func add(at index: Int, where matches: (Range<Int>) -> Bool) {
    if item >= 0, index < Int(ends[item]) { return }
    item = (item + 1..<ends.count).partitioningIndexNearStart { Int(ends[$0]) > index }
    if matches((item == 0 ? 0 : Int(ends[item - 1]))..<Int(ends[item])) { found.append(item) }
  }
}

/// Compares each word with the rarest words of a search. Checks only the items that contain one of them.
private struct RareWordVisitor: CodeVisitor {
  let codes: CompiledSearch
  /// The rarest words: one to four codes.
  let driver: [UInt32]
  var items: FoundItems

  mutating func visit<Code: FixedWidthInteger & UnsignedInteger>(
    _ words: UnsafeBufferPointer<Code>
  ) {
    let rarest = driver.compactMap { Code(exactly: $0) }
    guard let first = words.baseAddress, !rarest.isEmpty else { return }
    var index = 0
    while index < words.count {
      let end = min(index + 64, words.count)
      if end - index == 64 {
        var any = Code.zero
        for code in rarest { any |= Self.differences(of: first + index, from: code) }
        guard any.leadingZeroBitCount == 0 else {
          index = end
          continue
        }
      }
      for index in index..<end where rarest.contains(first[index]) {
        items.add(at: index) { codes.match(words[$0]) }
      }
      index = end
    }
  }

  /// A number with the highest bit set if one of 64 words has a code. Only a difference of 0 sets it. The compiler
  /// vectorizes a branch-free loop of constant length.
  @inline(__always)
  private static func differences<Code: FixedWidthInteger & UnsignedInteger>(
    of words: UnsafePointer<Code>, from code: Code
  ) -> Code {
    var any = Code.zero
    for word in 0..<64 {
      let difference = words[word] ^ code
      any |= (difference &- 1) & ~difference
    }
    return any
  }
}

/// Looks up each word among the words of a term. Checks only the items that contain one of them.
private struct MarkedWordVisitor: CodeVisitor {
  let codes: CompiledSearch
  let isMarked: UnsafeBufferPointer<UInt64>
  var items: FoundItems

  mutating func visit<Code: FixedWidthInteger & UnsignedInteger>(
    _ words: UnsafeBufferPointer<Code>
  ) {
    words.forEach(markedIn: isMarked) { index in
      items.add(at: index) { codes.match(words[$0]) }
    }
  }
}

/// Counts the items that have each of some codes.
private struct ItemCountVisitor: CodeVisitor {
  let isMarked: UnsafeBufferPointer<UInt64>
  private(set) var counts: [UInt32]
  /// The number of the last item that was counted for each code, from 1 in the first segment.
  private var last: [UInt32]
  private var count: UInt32 = 0
  /// The ends of the items of the segment.
  var ends = UnsafeBufferPointer<UInt32>(start: nil, count: 0)

  init(isMarked: UnsafeBufferPointer<UInt64>, count: Int) {
    self.isMarked = isMarked
    counts = Array(repeating: 0, count: count)
    last = counts
  }

  mutating func visit<Code: FixedWidthInteger & UnsignedInteger>(
    _ words: UnsafeBufferPointer<Code>
  ) {
    var item = 0
    counts.withUnsafeMutableBufferPointer { counts in
      last.withUnsafeMutableBufferPointer { last in
        words.forEach(markedIn: isMarked) { index in
          if Int(ends[item]) <= index {
            item = (item + 1..<ends.count).partitioningIndexNearStart { Int(ends[$0]) > index }
          }
          let code = Int(truncatingIfNeeded: words[index])
          let number = count + UInt32(item) + 1
          if last[code] != number { counts[code] += 1 }
          last[code] = number
        }
      }
    }
    count += UInt32(ends.count)
  }
}

/// Finds which of some codes occur.
private struct UsedCodeVisitor: CodeVisitor {
  /// The codes that were not found yet, one bit for each, and their number.
  var rest: [UInt64]
  var count: Int

  mutating func visit<Code: FixedWidthInteger & UnsignedInteger>(
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
        for lane in 0..<8 { any |= mark(index &+ lane) }
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
