/// Which items a filter and a search select, by scans of columns.
extension ItemColumns {
  /// The items that match a filter.
  ///
  /// - Precondition: There is a column of each field of the filter.
  /// - Complexity: O(*n* + texts of the field) for each comparison.
  func select(_ filter: Filter) -> Bitmap {
    switch filter {
    case .comparison(let field, let test):
      return select(column(field), test)
    case .not(let filter):
      var bits = select(filter)
      bits.invert()
      return bits
    case .and(let filters):
      var bits = select(filters[0])
      for filter in filters.dropFirst() { bits.formIntersection(select(filter)) }
      return bits
    case .or(let filters):
      var bits = select(filters[0])
      for filter in filters.dropFirst() { bits.formUnion(select(filter)) }
      return bits
    }
  }

  func column(_ field: FieldName) -> Column {
    guard let column = columns[field] else {
      preconditionFailure("Columns are built before they are read.")
    }
    return column
  }

  private func select(_ column: Column, _ test: Filter.Test) -> Bitmap {
    let table = test.table(of: column.dictionary.snapshot)
    return table.withUnsafeBufferPointer { table in
      var loop = Comparison(table: table, bits: Bitmap(repeating: false, count: count))
      for (piece, codes) in column.pieces.enumerated() {
        loop.start = starts[piece]
        codes.read(&loop)
      }
      return loop.bits
    }
  }

  /// The items that match a search.
  ///
  /// - Precondition: The words are there.
  /// - Complexity: O(words of all items) for each eight words of the search.
  func select(_ search: Search) -> Bitmap {
    var bits = Bitmap(repeating: true, count: count)
    guard !search.isEmpty else { return bits }
    guard let words else { return Bitmap(repeating: false, count: count) }
    for (table, wanted) in search.tables(of: words.dictionary.snapshot) {
      var found = Bitmap(repeating: false, count: count)
      table.withUnsafeBufferPointer { table in
        Bitmap(table).words.withUnsafeBufferPointer { isMarked in
          for (piece, words) in words.pieces.enumerated() {
            words.ends.withUnsafeBufferPointer { ends in
              var loop = WordSearch(
                table: table, isMarked: isMarked, wanted: wanted, ends: ends)
              words.codes.read(&loop)
              for item in loop.found { found.insert(starts[piece] + item) }
            }
          }
        }
      }
      bits.formIntersection(found)
    }
    return bits
  }
}

/// Looks up each code in a table of the codes that pass: one bit for each item.
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
    var place = 0
    while place < codes.count {
      let here = first + place
      let count = min(64, codes.count - place)
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
      bits.add(word, at: start + place)
      place += count
    }
  }
}

/// Looks up each word in a table of the words of a search. Few words match, as a rule: items without one
/// are passed eight words at a time.
private struct WordSearch: CodeLoop {
  let table: UnsafeBufferPointer<UInt8>
  /// One bit for each entry of the table: it fits in the processor's first cache.
  let isMarked: UnsafeBufferPointer<UInt64>
  /// The marks that an item needs.
  let wanted: UInt8
  let ends: UnsafeBufferPointer<UInt32>
  /// The places of the items that match.
  var found: [Int] = []

  init(
    table: UnsafeBufferPointer<UInt8>, isMarked: UnsafeBufferPointer<UInt64>, wanted: UInt8,
    ends: UnsafeBufferPointer<UInt32>
  ) {
    (self.table, self.isMarked, self.wanted, self.ends) = (table, isMarked, wanted, ends)
  }

  mutating func run<Code: FixedWidthInteger & UnsignedInteger>(
    _ codes: UnsafeBufferPointer<Code>
  ) {
    guard let first = codes.baseAddress, let table = table.baseAddress,
      let isMarked = isMarked.baseAddress
    else { return }
    var place = 0
    var item = 0
    var marks: UInt8 = 0
    while place < codes.count {
      if codes.count - place >= 8 {
        var any: UInt64 = 0
        for word in 0..<8 {
          let code = Int(truncatingIfNeeded: first[place &+ word])
          any |= isMarked[code &>> 6] &>> UInt64(truncatingIfNeeded: code)
        }
        guard any & 1 != 0 else {
          place &+= 8
          continue
        }
      }
      for place in place..<min(place + 8, codes.count) {
        let mark = table[Int(truncatingIfNeeded: first[place])]
        guard mark != 0 else { continue }
        if place >= Int(ends[item]) {
          marks = 0
          item = itemEnding(behind: place, from: item + 1)
        }
        guard marks != wanted else { continue }
        marks |= mark
        if marks == wanted { found.append(item) }
      }
      place = min(place + 8, codes.count)
    }
  }

  /// The first item from `item` on whose words end behind `place`. The steps double, then halve.
  private func itemEnding(behind place: Int, from item: Int) -> Int {
    var (low, step) = (item, 1)
    while low + step <= ends.count, Int(ends[low + step - 1]) <= place {
      low += step
      step *= 2
    }
    var high = min(low + step, ends.count) - 1
    while low < high {
      let middle = (low + high) / 2
      if Int(ends[middle]) <= place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Bitmap {
  /// The entries of a table that are not 0.
  fileprivate init(_ table: UnsafeBufferPointer<UInt8>) {
    self.init(repeating: false, count: table.count)
    for place in table.indices where table[place] != 0 { insert(place) }
  }
}

// MARK: - One item

extension ItemColumns {
  /// Whether one item matches. The same as its bit of `select`.
  func matches(_ query: ViewQuery, at index: Int) -> Bool {
    let place = place(of: index)
    if let filter = query.filter,
      !filter.matches({ field in
        let column = column(field)
        let code = column.code(at: place)
        guard code > 0 else { return nil }
        return column.dictionary.withTexts { $0.withText(code) { FieldValue($0) } }
      })
    {
      return false
    }
    guard let search = query.search, !search.isEmpty else { return true }
    guard let words else { return false }
    let codes = words.pieces[place.piece].words(at: place.place)
    return words.dictionary.withTexts { texts in
      search.matches(codes.map { texts.withText($0) { Array($0) } })
    }
  }
}

// MARK: - Tables

extension Filter.Test {
  /// For each code 1 if its text passes, else 0.
  fileprivate func table(of texts: Texts) -> [UInt8] {
    var table = [UInt8](repeating: 0, count: texts.count)
    switch self {
    case .exists:
      for code in table.indices.dropFirst() { table[code] = 1 }
    case .equal(let operand): operand.markEqual(texts, &table)
    case .oneOf(let operands): for operand in operands { operand.markEqual(texts, &table) }
    case .less(let operand): operand.mark(texts, &table) { $0 < 0 }
    case .lessOrEqual(let operand): operand.mark(texts, &table) { $0 <= 0 }
    case .greater(let operand): operand.mark(texts, &table) { $0 > 0 }
    case .greaterOrEqual(let operand): operand.mark(texts, &table) { $0 >= 0 }
    case .between(let low, let high):
      var other = table
      low.mark(texts, &table) { $0 >= 0 }
      high.mark(texts, &other) { $0 <= 0 }
      for code in table.indices { table[code] &= other[code] }
    }
    return table
  }
}

extension Filter.Operand {
  fileprivate func markEqual(_ texts: Texts, _ table: inout [UInt8]) {
    switch self {
    case .number: mark(texts, &table) { $0 == 0 }
    case .text(let text):
      if let code = text.withUnsafeBytes({ texts.find($0) }) { table[Int(code)] = 1 }
    }
  }

  /// Marks the texts whose order to this operand is allowed: below 0, 0, or above 0.
  @inline(__always)
  fileprivate func mark(_ texts: Texts, _ table: inout [UInt8], _ isAllowed: (Int) -> Bool) {
    switch self {
    case .number(let operand, _):
      let (low, equal, high) = (isAllowed(-1), isAllowed(0), isAllowed(1))
      // Comparisons with NaN, which stands for no number, are false.
      for (code, number) in texts.numbers.enumerated()
      where low && number < operand || equal && number == operand || high && number > operand {
        table[code] = 1
      }
    case .text(let operand):
      operand.withUnsafeBytes { operand in
        texts.forEach { code, text in
          let order = text.isSame(as: operand) ? 0 : text.precedes(operand) ? -1 : 1
          if isAllowed(order) { table[code] = 1 }
        }
      }
    }
  }
}

extension Search {
  /// Whether it has no words, so that it selects all items.
  var isEmpty: Bool { words.isEmpty && prefix == nil }

  /// For each eight words of the search: which of them each text is, one bit for each, and all bits.
  fileprivate func tables(of texts: Texts) -> [(table: [UInt8], wanted: UInt8)] {
    var tables: [(table: [UInt8], wanted: UInt8)] = []
    func newTable(_ word: Int) {
      if word % 8 == 0 { tables.append((Array(repeating: 0, count: texts.count), 0)) }
      tables[tables.count - 1].wanted |= 1 << UInt8(word % 8)
    }
    for (number, word) in words.enumerated() {
      newTable(number)
      guard let code = word.withUnsafeBytes({ texts.find($0) }) else { continue }
      tables[tables.count - 1].table[Int(code)] |= 1 << UInt8(number % 8)
    }
    guard let prefix else { return tables }
    newTable(words.count)
    prefix.withUnsafeBytes { prefix in
      texts.forEach { code, text in
        guard text.count >= prefix.count,
          UnsafeRawBufferPointer(rebasing: text[..<prefix.count]).isSame(as: prefix)
        else { return }
        tables[tables.count - 1].table[code] |= 1 << UInt8(words.count % 8)
      }
    }
    return tables
  }
}
