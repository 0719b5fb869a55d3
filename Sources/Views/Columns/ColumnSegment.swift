import Items

/// The codes of neighbouring items.
package final class ColumnSegment: Sendable {
  package let codes: PackedIntegers
  /// The end of each item's words in `codes`. Empty if each item has one code.
  package let ends: [UInt32]
  private let memory: MemoryReservation

  init(_ codes: PackedIntegers, ends: [UInt32] = [], of budget: MemoryBudget) {
    (self.codes, self.ends) = (codes, ends)
    // Two objects of 48 bytes, and the arrays.
    memory = MemoryReservation(
      96 + codes.cost + (ends.isEmpty ? 0 : 32 + 4 * ends.count), of: budget)
  }

  func words(at index: Int) -> [UInt32] {
    range(of: index..<index + 1).map { codes[$0] }
  }

  /// The range in `codes` of the words of these items.
  func range(of items: Range<Int>) -> Range<Int> {
    func end(before index: Int) -> Int { index == 0 ? 0 : Int(ends[index - 1]) }
    return end(before: items.lowerBound)..<end(before: items.upperBound)
  }

  struct Builder {
    private var codes: [UInt32] = []
    private var ends: [UInt32] = []
    private let hasWords: Bool

    var count: Int { hasWords ? ends.count : codes.count }

    init(_ content: DictionaryEncodedColumn.Content) {
      if case .words = content { hasWords = true } else { hasWords = false }
    }

    mutating func append(_ code: UInt32) { codes.append(code) }

    mutating func setLast(_ code: UInt32) { codes[codes.count - 1] = code }

    /// Appends an item with the codes of its words, by field.
    mutating func append(words fields: [[UInt32]]) {
      var separators = 0
      for words in fields {
        if !words.isEmpty {
          codes.append(contentsOf: repeatElement(0, count: separators))
          codes += words
          separators = 0
        }
        separators += 1
      }
      ends.append(UInt32(codes.count))
    }

    mutating func append(_ items: Range<Int>, of segment: ColumnSegment) {
      guard hasWords else { return segment.codes.append(items, to: &codes) }
      let range = segment.range(of: items)
      let shift = codes.count - range.lowerBound
      segment.codes.append(range, to: &codes)
      ends += segment.ends[items].lazy.map { UInt32(Int($0) + shift) }
    }

    func segment(_ range: Range<Int>, of budget: MemoryBudget) -> ColumnSegment {
      guard hasWords else { return ColumnSegment(PackedIntegers(codes[range]), of: budget) }
      let first = range.lowerBound == 0 ? 0 : ends[range.lowerBound - 1]
      let last = range.isEmpty ? first : ends[range.upperBound - 1]
      return ColumnSegment(
        PackedIntegers(codes[Int(first)..<Int(last)]), ends: ends[range].map { $0 - first },
        of: budget)
    }

    /// Makes a segment of the items since the last call.
    mutating func endSegment(of budget: MemoryBudget) -> ColumnSegment {
      defer {
        codes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
      }
      return segment(0..<count, of: budget)
    }
  }
}
