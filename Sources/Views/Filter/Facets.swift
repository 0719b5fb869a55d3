package import Items
import Windowing

/// The values of one field over the items of a view, with their counts.
package struct Facet: Sendable {
  package struct Value: Sendable {
    package let text: String
    package let count: Int
  }

  package let field: FieldName
  /// The most frequent first, then by the bytes of their UTF-8.
  package let values: [Value]
  package let distinct: Int
  /// The number of items without the field.
  package let absent: Int
  /// The least and the greatest number as spelled; nil if no value is a number.
  package let numbers: (least: String, greatest: String)?
}

package final class Facets: Sendable {
  /// The query of the view, with its search as it was corrected.
  package let query: ViewQuery
  package let count: Int
  package let facets: [Facet]
  private let memory: MemoryReservation

  /// Counts values. May block.
  ///
  /// - Parameters:
  ///   - unit: counts the years or months of dates; nil counts their texts.
  ///   - list: the ids of the query's list; nil if it has none.
  ///   - limit: the most values of each field.
  ///   - valueSearch: counts only values that have, for each word of this text, a word that begins with it.
  /// - Throws: `.tooLarge` if the facets do not fit in memory.
  /// - Complexity: O(*n*) for each comparison and each field, and O(*d* log *d*) for *d* values.
  package init(
    of fields: [FieldName], by unit: DateUnit? = nil, limit: Int, valueSearch: String? = nil,
    _ query: ViewQuery, of base: Snapshot, list ids: [String]?,
    memory: MemoryBudget = MemoryBudget()
  ) throws(CatalogueError) {
    // A view with a sort groups its items by the first sort field. So the facet `group` counts that field. A sort by
    // relevance has no groups.
    let read = fields.map { field in
      guard field == "group", let sort = query.sort.first else { return field as FieldName? }
      return sort.isRelevance ? nil : sort.field
    }
    let need = query.requiredColumns
    let columns = try base.columns.columns(
      of: base, RequiredColumns(fields: need.fields + read.compactMap(\.self), words: need.words))
    var query = query
    var (bits, _) = query.select(
      in: columns, try FilteredIDs(of: query, in: base), count: base.strip.count)
    self.query = query
    if let ids {
      var listed = Bitmap(repeating: false, count: base.strip.count)
      for case let index? in try base.source.indices(of: ids) { listed.insert(index) }
      bits.formIntersection(listed)
    }
    let count = bits.selectedCount
    self.count = count
    let fixed = 300 + (query.search?.cost ?? 0)
    let expected = read.compactMap { $0.map(columns.column) }.reduce(fixed) {
      $0 + Facet.cost(of: $1, limit: limit)
    }
    guard let reservation = memory.reserve(expected) else { throw .tooLarge }
    let words = valueSearch.map { WordTokenizer.folded(of: $0.utf8) } ?? []
    facets = zip(fields, read).map { field, read in
      guard let column = read.map(columns.column) else { return Facet(absentFrom: count, field) }
      let counts = column.counts(where: bits, in: columns)
      let texts = column.dictionary.snapshot
      guard let unit else { return Facet(field, counts, texts, limit: limit, words: words) }
      let grouped = texts.grouped(by: unit, counts)
      return Facet(field, grouped.counts, grouped.texts, limit: limit, words: words)
    }
    guard reservation.grow(to: facets.reduce(fixed) { $0 + $1.cost }) else { throw .tooLarge }
    self.memory = reservation
  }
}

extension DictionaryEncodedColumn {
  /// For each code, the number of items that have it and whose bits are set.
  func counts(where bits: Bitmap, in columns: ColumnStore) -> [Int] {
    var counts = [Int](repeating: 0, count: dictionary.withTexts(\.count))
    counts.withUnsafeMutableBufferPointer { counts in
      for (number, segment) in segments.enumerated() {
        var visitor = CountVisitor(bits: bits, range: columns.range(of: number), counts: counts)
        segment.codes.visit(&visitor)
      }
    }
    return counts
  }
}

private struct CountVisitor: CodeVisitor {
  let bits: Bitmap
  let range: Range<Int>
  let counts: UnsafeMutableBufferPointer<Int>

  mutating func visit<Code: FixedWidthInteger & UnsignedInteger>(
    _ codes: UnsafeBufferPointer<Code>
  ) {
    bits.forEach(in: range) { index in
      counts[Int(truncatingIfNeeded: codes[index &- range.lowerBound])] &+= 1
    }
  }
}

extension Facet {
  /// The memory in bytes. A text of more than 15 bytes is an allocation.
  fileprivate var cost: Int {
    values.reduce(150 + 24 * values.capacity) {
      $0 + ($1.text.utf8.count > 15 ? 48 + $1.text.utf8.count : 0)
    }
  }

  fileprivate init(absentFrom count: Int, _ field: FieldName) {
    self.field = field
    (values, distinct, absent, numbers) = ([], 0, count, nil)
  }

  /// An upper estimate of the memory of a facet of a column.
  fileprivate static func cost(of column: DictionaryEncodedColumn, limit: Int) -> Int {
    column.dictionary.withTexts { 150 + min(limit, $0.count) * (24 + $0.stringCost) }
  }

  /// - Parameter counts: the number of items with each of the texts, by code.
  fileprivate init(
    _ field: FieldName, _ counts: [Int], _ texts: StringTable, limit: Int, words: [[UInt8]]
  ) {
    self.field = field
    absent = counts[0]
    let present = counts.indices.dropFirst().filter { code in
      guard counts[code] > 0 else { return false }
      guard !words.isEmpty else { return true }
      let own = texts.withText(UInt32(code)) { WordTokenizer.folded(of: $0) }
      return words.allSatisfy { word in own.contains { $0.starts(with: word) } }
    }
    distinct = present.count
    // Only values that are frequent enough are sorted by their bytes.
    let least = present.count > limit ? present.map { counts[$0] }.sorted(by: >)[limit] : 0
    let frequent = present.filter { counts[$0] >= max(1, least) }.sorted { a, b in
      if counts[a] != counts[b] { return counts[a] > counts[b] }
      return texts.withText(UInt32(a)) { left in
        texts.withText(UInt32(b)) { left.precedes($0) }
      }
    }
    values = frequent.prefix(limit).map { Value(text: texts.text(UInt32($0)), count: counts[$0]) }
    var ends: (least: Int, greatest: Int)?
    for code in present where !texts.numbers[code].isNaN {
      guard let known = ends else {
        ends = (code, code)
        continue
      }
      if texts.isSpelledBefore(code, known.least) { ends?.least = code }
      if texts.isSpelledBefore(known.greatest, code) { ends?.greatest = code }
    }
    numbers = ends.map { (texts.text(UInt32($0.least)), texts.text(UInt32($0.greatest))) }
  }
}

/// The unit by which facets count dates.
package enum DateUnit: String, CaseIterable, Sendable {
  case year, month

  /// The bytes of its text, which are the beginning of a date: `2019`, `2019-04`.
  fileprivate var length: Int { self == .year ? 4 : 7 }
}

extension StringTable {
  /// The years or months of dates in place of their texts, with the sums of their counts. Other texts stay.
  ///
  /// - Complexity: O(texts).
  fileprivate func grouped(
    by unit: DateUnit, _ counts: [Int]
  ) -> (
    texts: StringTable, counts: [Int]
  ) {
    var (texts, sums) = (StringTable(), [counts[0]])
    for code in counts.indices.dropFirst() where counts[code] > 0 {
      let group = withText(UInt32(code)) { text in
        let length = DateInterval(text) == nil ? text.count : min(text.count, unit.length)
        return texts.code(of: UnsafeRawBufferPointer(rebasing: text[..<length]))
      }
      if Int(group) == sums.count { sums.append(0) }
      sums[Int(group)] += counts[code]
    }
    return (texts, sums)
  }

  /// Orders numbers by size, and equal ones by their bytes, so that every server names the same.
  fileprivate func isSpelledBefore(_ a: Int, _ b: Int) -> Bool {
    if numbers[a] != numbers[b] { return numbers[a] < numbers[b] }
    return withText(UInt32(a)) { left in withText(UInt32(b)) { left.precedes($0) } }
  }
}
