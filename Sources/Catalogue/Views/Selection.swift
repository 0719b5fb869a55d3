import Windowing

/// Selects items by a filter or a search. Scans the columns.
extension ItemColumns {
  /// The items that match a filter.
  ///
  /// - Parameter ids: the items of the ids in the filter.
  /// - Precondition: Each field of the filter except `id` has a column.
  /// - Complexity: O(*n* + texts of the field) for each comparison; O(*n* / 64 + ids) for one of `id`.
  func select(_ filter: Filter, _ ids: FilteredIDs) -> Bitmap {
    switch filter {
    case .comparison("id", let test):
      var bits = Bitmap(repeating: test == .exists, count: count)
      for id in test.texts { if let index = ids.index(of: id) { bits.insert(index) } }
      return bits
    case .comparison(let field, let test):
      return select(column(field), test)
    case .not(let filter):
      var bits = select(filter, ids)
      bits.invert()
      return bits
    case .and(let filters):
      var bits = select(filters[0], ids)
      for filter in filters.dropFirst() { bits.formIntersection(select(filter, ids)) }
      return bits
    case .or(let filters):
      var bits = select(filters[0], ids)
      for filter in filters.dropFirst() { bits.formUnion(select(filter, ids)) }
      return bits
    }
  }

  package func column(_ field: FieldName) -> Column {
    guard let column = columns[field] else {
      preconditionFailure("Columns are built before they are read.")
    }
    return column
  }

  private func select(_ column: Column, _ test: Filter.Test) -> Bitmap {
    let table = test.table(of: column.dictionary.snapshot)
    return table.withUnsafeBufferPointer { table in
      var loop = Comparison(table: table, bits: Bitmap(repeating: false, count: count))
      for (number, piece) in column.pieces.enumerated() {
        loop.start = starts[number]
        piece.codes.read(&loop)
      }
      return loop.bits
    }
  }

  /// The items that match a search.
  ///
  /// - Precondition: The columns include the words, unless the search is empty.
  /// - Complexity: O(words of all items).
  func select(_ search: Search) -> Bitmap {
    guard !search.isEmpty else { return Bitmap(repeating: true, count: count) }
    var found = Bitmap(repeating: false, count: count)
    guard let words, let terms = search.terms(in: words.dictionary.snapshot) else { return found }
    for (piece, words) in words.pieces.enumerated() {
      words.ends.withUnsafeBufferPointer { ends in
        var items = WordItems(ends)
        if terms.codes.isEmpty {
          terms.prefixed.words.withUnsafeBufferPointer { isMarked in
            var loop = PrefixSearch(isMarked: isMarked, items: items)
            words.codes.read(&loop)
            items = loop.items
          }
        } else {
          var loop = WordSearch(terms: terms, items: items)
          words.codes.read(&loop)
          items = loop.items
        }
        for item in items.found { found.insert(starts[piece] + item) }
      }
    }
    return found
  }
}

/// Looks up each code in a table of matching codes. Writes one bit for each item.
private struct Comparison: CodeLoop {
  let table: UnsafeBufferPointer<UInt8>
  /// The index of the first item of the piece.
  var start = 0
  var bits: Bitmap

  init(table: UnsafeBufferPointer<UInt8>, bits: Bitmap) {
    self.table = table
    self.bits = bits
  }

  mutating func run<Code: FixedWidthInteger & UnsignedInteger>(
    _ codes: UnsafeBufferPointer<Code>
  ) {
    guard let first = codes.baseAddress, let table = table.baseAddress else { return }
    var index = 0
    while index < codes.count {
      let here = first + index
      let count = min(64, codes.count - index)
      var word: UInt64 = 0
      if count == 64 {
        // The compiler unrolls a loop of constant length.
        for byte in 0..<8 {
          var eight: UInt64 = 0
          for bit in 0..<8 {
            eight |= UInt64(table[Int(truncatingIfNeeded: here[byte &* 8 &+ bit])]) &<< UInt64(bit)
          }
          word |= eight &<< UInt64(byte &* 8)
        }
      } else {
        for bit in 0..<count {
          word |= UInt64(table[Int(truncatingIfNeeded: here[bit])]) &<< UInt64(bit)
        }
      }
      bits.add(word, at: start + index)
      index += count
    }
  }
}

/// The words of a search as codes.
private struct SearchTerms {
  /// The codes that an item needs, the rarest first.
  var codes: [UInt32] = []
  /// The codes that match the prefix, one bit for each code; nil if the search has no prefix. A matching item
  /// has at least one of these codes.
  var prefix: Bitmap?

  var prefixed: Bitmap { prefix ?? Bitmap(repeating: false, count: 0) }

  /// Whether an item with these words matches.
  func match(_ words: some Collection<UInt32>) -> Bool {
    codes.allSatisfy { words.contains($0) }
      && (prefix.map { prefix in words.contains { prefix[Int($0)] } } ?? true)
  }
}

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
    item = itemEnding(after: index, from: item + 1)
    if matches((item == 0 ? 0 : Int(ends[item - 1]))..<Int(ends[item])) { found.append(item) }
  }

  /// The first item from `item` on whose words end after `index`. Uses exponential search.
  private func itemEnding(after index: Int, from item: Int) -> Int {
    var (low, step) = (item, 1)
    while low + step <= ends.count, Int(ends[low + step - 1]) <= index {
      low += step
      step *= 2
    }
    return ends[low..<min(low + step, ends.count)].partitioningIndex { $0 > index }
  }
}

/// Compares each word with the rarest word of a search. Checks only the items that contain the rarest word.
private struct WordSearch: CodeLoop {
  let terms: SearchTerms
  var items: WordItems

  mutating func run<Code: FixedWidthInteger & UnsignedInteger>(
    _ codes: UnsafeBufferPointer<Code>
  ) {
    guard let first = codes.baseAddress, let rarest = Code(exactly: terms.codes[0]) else { return }
    var index = 0
    while index < codes.count {
      let end = min(index + 64, codes.count)
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
          terms.match(codes[range].lazy.map { UInt32(truncatingIfNeeded: $0) })
        }
      }
      index = end
    }
  }
}

/// Looks up each word among the words that begin with a prefix. Usually few words match. Therefore the loop
/// skips eight words at a time.
private struct PrefixSearch: CodeLoop {
  /// One bit for each code. The bits fit in the L1 cache.
  let isMarked: UnsafeBufferPointer<UInt64>
  var items: WordItems

  mutating func run<Code: FixedWidthInteger & UnsignedInteger>(
    _ codes: UnsafeBufferPointer<Code>
  ) {
    guard let first = codes.baseAddress, let isMarked = isMarked.baseAddress else { return }
    func mark(_ index: Int) -> UInt64 {
      let code = Int(truncatingIfNeeded: first[index])
      return isMarked[code &>> 6] &>> UInt64(truncatingIfNeeded: code)
    }
    var index = 0
    while index < codes.count {
      let end = min(index + 8, codes.count)
      if end - index == 8 {
        var any: UInt64 = 0
        for word in 0..<8 { any |= mark(index &+ word) }
        guard any & 1 != 0 else {
          index = end
          continue
        }
      }
      for index in index..<end where mark(index) & 1 != 0 { items.add(at: index) { _ in true } }
      index = end
    }
  }
}

// MARK: - One item

extension ItemColumns {
  /// The values of an item in the columns of these fields.
  package func values(of fields: some Sequence<FieldName>, at index: Int) -> [FieldName: FieldValue]
  {
    let location = location(of: index)
    var values: [FieldName: FieldValue] = [:]
    for field in fields {
      let column = column(field)
      let code = column.code(at: location)
      guard code > 0 else { continue }
      values[field] = column.dictionary.withTexts { $0.withText(code) { FieldValue($0) } }
    }
    return values
  }

  /// The words of an item.
  package func words(at index: Int) -> [[UInt8]] {
    guard let words else { return [] }
    let location = location(of: index)
    let codes = words.pieces[location.piece].words(at: location.index)
    return words.dictionary.withTexts { texts in
      codes.map { texts.withText($0) { Array($0) } }
    }
  }
}

// MARK: - Tables

extension Filter.Test {
  /// A table with 1 for each code whose text passes, otherwise 0.
  fileprivate func table(of texts: StringTable) -> [UInt8] {
    var table = [UInt8](repeating: 0, count: texts.count)
    switch self {
    case .exists:
      for code in table.indices.dropFirst() { table[code] = 1 }
    case .order(let orders, let operand): operand.mark(texts, &table, orders)
    case .oneOf(let operands): for operand in operands { operand.mark(texts, &table, .equal) }
    case .between(let low, let high):
      var other = table
      low.mark(texts, &table, [.equal, .greater])
      high.mark(texts, &other, [.less, .equal])
      for code in table.indices { table[code] &= other[code] }
    }
    return table
  }
}

extension Filter.Operand {
  /// Marks each text whose order relative to this operand is accepted.
  fileprivate func mark(_ texts: StringTable, _ table: inout [UInt8], _ orders: Filter.Orders) {
    switch self {
    case .number(let operand, _):
      let (low, equal, high) = (orders.accept(-1), orders.accept(0), orders.accept(1))
      // NaN represents a text that is not a number. Comparisons with NaN are false.
      for (code, number) in texts.numbers.enumerated()
      where low && number < operand || equal && number == operand || high && number > operand {
        table[code] = 1
      }
    case .text(let operand) where orders == .equal:
      if let code = operand.withUnsafeBytes({ texts.find($0) }) { table[Int(code)] = 1 }
    case .text(let operand):
      operand.withUnsafeBytes { operand in
        texts.forEach { code, text in
          let order = text.isSame(as: operand) ? 0 : text.precedes(operand) ? -1 : 1
          if orders.accept(order) { table[code] = 1 }
        }
      }
    }
  }
}

extension Search {
  /// Whether the search has neither words nor a prefix. An empty search selects all items.
  var isEmpty: Bool { words.isEmpty && prefix == nil }

  /// The words as codes; nil if a word has no code, so that no item matches.
  ///
  /// - Complexity: O(texts) for a prefix.
  fileprivate func terms(in texts: StringTable) -> SearchTerms? {
    var terms = SearchTerms()
    for word in words {
      guard let code = word.withUnsafeBytes({ texts.find($0) }) else { return nil }
      terms.codes.append(code)
    }
    // Codes are numbered in order of first use. Therefore a word with a high code is usually rare.
    terms.codes.sort(by: >)
    guard let prefix else { return terms }
    var marked = Bitmap(repeating: false, count: texts.count)
    prefix.withUnsafeBytes { prefix in
      texts.forEach { code, text in
        guard text.count >= prefix.count,
          UnsafeRawBufferPointer(rebasing: text[..<prefix.count]).isSame(as: prefix)
        else { return }
        marked.insert(code)
      }
    }
    terms.prefix = marked
    return terms
  }
}
