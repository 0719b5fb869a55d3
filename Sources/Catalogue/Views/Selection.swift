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
    var bits = Bitmap(repeating: false, count: count)
    table.withUnsafeBufferPointer { table in
      for (piece, codes) in column.pieces.enumerated() {
        codes.withUnsafeBufferPointer { codes in
          bits.addAll(codes.count, at: starts[piece]) { UInt64(table[Int(codes[$0])]) }
        }
      }
    }
    return bits
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
        for (piece, words) in words.pieces.enumerated() {
          words.codes.withUnsafeBufferPointer { codes in
            words.ends.withUnsafeBufferPointer { ends in
              var place = 0
              found.addAll(ends.count, at: starts[piece]) { item in
                var marks: UInt8 = 0
                let end = Int(ends[item])
                while place < end {
                  marks |= table[Int(codes[place])]
                  place &+= 1
                }
                return marks == wanted ? 1 : 0
              }
            }
          }
        }
      }
      bits.formIntersection(found)
    }
    return bits
  }
}

extension Bitmap {
  /// Sets the bits of `count` items from `start` on. `bit` is called once for each, in order.
  @inline(__always)
  fileprivate mutating func addAll(_ count: Int, at start: Int, _ bit: (Int) -> UInt64) {
    var place = 0
    while place < count {
      let end = min(count, place + 64)
      var word: UInt64 = 0
      var shift: UInt64 = 0
      for item in place..<end {
        word |= bit(item) &<< shift
        shift &+= 1
      }
      add(word, at: start + place)
      place = end
    }
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
