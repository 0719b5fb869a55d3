package import Items
import Windowing

extension ColumnStore {
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

  package func column(_ field: FieldName) -> DictionaryEncodedColumn {
    guard let column = columns[field] else {
      preconditionFailure("Columns are built before they are read.")
    }
    return column
  }

  private func select(_ column: DictionaryEncodedColumn, _ test: Filter.Test) -> Bitmap {
    let table = test.table(of: column.dictionary.snapshot)
    return table.withUnsafeBufferPointer { table in
      var visitor = ComparisonVisitor(table: table, bits: Bitmap(repeating: false, count: count))
      for (number, segment) in column.segments.enumerated() {
        visitor.start = starts[number]
        segment.codes.visit(&visitor)
      }
      return visitor.bits
    }
  }
}

/// Looks up each code in a table of matching codes. Writes one bit for each item.
private struct ComparisonVisitor: CodeVisitor {
  let table: UnsafeBufferPointer<UInt8>
  /// The index of the first item of the segment.
  var start = 0
  var bits: Bitmap

  mutating func visit<Code: FixedWidthInteger & UnsignedInteger>(
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

// MARK: - One item

extension ColumnStore {
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

  package func words(at index: Int) -> [[UInt8]] {
    guard let words else { return [] }
    let location = location(of: index)
    let codes = words.segments[location.segment].words(at: location.index)
    return words.dictionary.withTexts { texts in
      codes.filter { $0 > 0 }.map { texts.withText($0) { Array($0) } }
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
    if case .text(let operand) = self, orders == .equal {
      if let code = texts.find(operand) { table[Int(code)] = 1 }
      return
    }
    texts.forEach { code, text in
      if accepts(text, texts.numbers[code], orders) { table[code] = 1 }
    }
  }
}
