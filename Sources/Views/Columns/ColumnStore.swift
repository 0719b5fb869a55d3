package import Items

/// The values of some fields of all items of a snapshot, as columns of codes, for views and facets.
///
///     starts      0                4096             8192 ...       the index of each segment's first item
///     "artist"    │ 1 2 1 1 0 ...  │ 3 1 4 ...      │ ...          a code for each item, 0 for absent
///     "year"      │ 7 7 9 2 2 ...  │ ...            │ ...
///     words       │ 1 2 │ 3 │ ...  │ ...            │ ...          the codes of all words of each item
///
/// Snapshots share segments. An edit makes new segments only where it touches items.
///
/// - Complexity: one, two or four bytes for each item and column, by the greatest code of a segment. Words take the
///   same for each word, plus four bytes for each item.
package struct ColumnStore: Sendable {
  /// The index of the first item of each segment, and the count of all items.
  package private(set) var starts: [Int] = [0, 0]
  private(set) var columns: [FieldName: DictionaryEncodedColumn] = [:]
  package private(set) var words: DictionaryEncodedColumn?

  /// The number of items in a new segment, and the most items of a segment.
  package static let (segmentCount, segmentLimit) = (4096, 6144)

  package var count: Int { starts[starts.count - 1] }

  package var segmentCount: Int { starts.count - 1 }

  /// The segment that holds an item, and the index of the item in the segment.
  func location(of index: Int) -> (segment: Int, index: Int) {
    let segment = starts.indexOfLast { $0 <= index }
    return (segment, index - starts[segment])
  }

  package func range(of segment: Int) -> Range<Int> { starts[segment]..<starts[segment + 1] }
}

// MARK: - Building

extension ColumnStore {
  /// Columns for `count` items, without fields and words.
  package init(count: Int) {
    let segments = max(1, (count + Self.segmentCount - 1) / Self.segmentCount)
    starts = (0..<segments).map { $0 * Self.segmentCount } + [count]
  }

  init(starts: [Int]) { self.starts = starts }

  mutating func add(_ column: DictionaryEncodedColumn) {
    switch column.content {
    case .values(let field): columns[field] = column
    case .words: words = column
    }
  }

  package static let empty = ColumnStore(count: 0)

  func retaining(_ fields: [FieldName], words hasWords: Bool) -> ColumnStore {
    guard !fields.isEmpty || hasWords else { return .empty }
    var result = ColumnStore(starts: starts)
    if hasWords { result.words = words }
    for field in fields { result.columns[field] = columns[field] }
    return result
  }

  /// These columns, without the words if they are of other fields than `fields`.
  func withWords(of fields: [FieldName]) -> ColumnStore {
    var columns = self
    if words?.content != .words(of: fields) { columns.words = nil }
    return columns
  }

  /// - Parameter searched: the fields whose words are needed; nil for no words.
  func has(_ fields: [FieldName], _ searched: [FieldName]?) -> Bool {
    fields.allSatisfy { columns[$0] != nil }
      && (searched.map { $0.isEmpty || words?.content == .words(of: $0) } ?? true)
  }

  /// Adds the columns of `other`. They replace columns of the same fields. Both stores have the same segments.
  mutating func merge(_ other: ColumnStore) {
    columns.merge(other.columns) { $1 }
    words = other.words ?? words
  }
}

// MARK: - Following edits

package struct ItemChange {
  /// The index of the item before the edit, or the index at which it is inserted.
  var index: Int
  /// Whether the item is at `index` before the edit.
  var existed: Bool
  /// The new item; nil if the edit removed it.
  var item: Item?

  package init(index: Int, existed: Bool, item: Item?) {
    (self.index, self.existed, self.item) = (index, existed, item)
  }
}

/// Neighbouring segments of columns after changes.
private enum RebuildStep {
  case keep(Range<Int>)
  /// New segments of these lengths: the items of one old segment after some changes.
  case rebuild(Int, Range<Int>, after: ArraySlice<ItemChange>, lengths: [Int])
}

extension ColumnStore {
  /// The columns after changes, which ascend by index.
  ///
  /// - Complexity: O(segments + items of the segments that change); O(*n*) if most texts of a dictionary are dead.
  package func applying(_ changes: [ItemChange]) -> ColumnStore {
    guard !changes.isEmpty else { return self }
    var steps: [RebuildStep] = []
    var result = self
    result.starts = [0]
    func append(_ lengths: some Sequence<Int>) {
      for length in lengths { result.starts.append(result.count + length) }
    }
    var (next, same) = (0, 0)
    while same < segmentCount {
      let segment =
        next < changes.count
        ? min(location(of: changes[next].index).segment, segmentCount - 1) : segmentCount
      steps.append(.keep(same..<segment))
      append((same..<segment).lazy.map { range(of: $0).count })
      same = segment + 1
      guard segment < segmentCount else { break }
      let first = next
      while next < changes.count, same == segmentCount || changes[next].index < starts[same] {
        next += 1
      }
      let lengths = Self.lengths(range(of: segment).count, after: changes[first..<next])
      steps.append(
        .rebuild(segment, range(of: segment), after: changes[first..<next], lengths: lengths))
      append(lengths)
    }
    if result.segmentCount == 0 {
      steps = [.rebuild(0, 0..<0, after: [], lengths: [0])]
      append([0])
    }
    result.columns = columns.mapValues { $0.applying(steps) }
    result.words = words?.applying(steps)
    return result
  }

  /// The number of items of each new segment, if changes split a segment.
  private static func lengths(_ count: Int, after changes: ArraySlice<ItemChange>) -> [Int] {
    let count = changes.reduce(count) { $0 + ($1.item == nil ? 0 : 1) - ($1.existed ? 1 : 0) }
    let segments = count > segmentLimit ? (count + segmentCount - 1) / segmentCount : min(count, 1)
    return (0..<segments).map { ($0 + 1) * count / segments - $0 * count / segments }
  }
}

extension DictionaryEncodedColumn {
  fileprivate func applying(_ steps: [RebuildStep]) -> DictionaryEncodedColumn {
    let budget = memory.budget
    var new: [ColumnSegment] = []
    new.reserveCapacity(segments.count + steps.count)
    for part in steps {
      switch part {
      case .keep(let range): new += segments[range]
      case .rebuild(let segment, let range, let changes, let lengths):
        var builder = ColumnSegment.Builder(content)
        var index = range.lowerBound
        func appendOld(to end: Int) {
          builder.append(index - range.lowerBound..<end - range.lowerBound, of: segments[segment])
        }
        for change in changes {
          appendOld(to: change.index)
          index = change.existed ? change.index + 1 : change.index
          if let item = change.item { append(item, to: &builder) }
        }
        appendOld(to: range.upperBound)
        var start = 0
        for length in lengths {
          new.append(builder.segment(start..<start + length, of: budget))
          start += length
        }
      }
    }
    guard let live = LiveStrings(ofMostlyDead: dictionary, in: new.map(\.codes)) else {
      return DictionaryEncodedColumn(content, dictionary, new, of: budget)
    }
    return DictionaryEncodedColumn(
      content, ValueDictionary(live.texts, of: budget),
      new.map { ColumnSegment(live.renumbered($0.codes), ends: $0.ends, of: budget) }, of: budget)
  }

  private func append(_ item: Item, to builder: inout ColumnSegment.Builder) {
    switch content {
    case .values(let field):
      builder.append(item.value(of: field).map { dictionary.code(of: $0.text) } ?? 0)
    case .words(let fields):
      builder.append(
        words: fields.map { field in
          item.fields[field.text].map { value in
            WordTokenizer.folded(of: value.text.utf8).map { dictionary.code(of: $0) }
          } ?? []
        })
    }
  }
}
