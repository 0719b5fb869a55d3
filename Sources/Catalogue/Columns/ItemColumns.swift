/// The values of some fields of all items of an edition, as columns of codes. Filters, sorts, searches and
/// facets read the columns.
///
///     starts      0                4096             8192 ...       the index of each piece's first item
///     "artist"    │ 1 2 1 1 0 ...  │ 3 1 4 ...      │ ...          a code for each item, 0 for absent
///     "year"      │ 7 7 9 2 2 ...  │ ...            │ ...
///     words       │ 1 2 │ 3 │ ...  │ ...            │ ...          the codes of all words of each item
///
/// A value. Editions share pieces. An edit makes new pieces only for touched items.
///
/// - Complexity: one, two or four bytes per item and column, depending on the codes. Words take the same per
///   word, plus four bytes per item.
package struct ItemColumns: Sendable {
  /// The index of the first item of each piece, and the count of all items.
  package private(set) var starts: [Int] = [0, 0]
  private(set) var columns: [FieldName: Column] = [:]
  package private(set) var words: WordColumn?

  /// The number of items in a new piece, and the maximum.
  package static let (pieceCount, pieceLimit) = (4096, 6144)

  package var count: Int { starts[starts.count - 1] }

  package var pieceCount: Int { starts.count - 1 }

  /// The approximate size of the columns in bytes.
  package var cost: Int {
    columns.values.reduce(500 + 8 * starts.count + (words?.cost ?? 0)) { $0 + $1.cost }
  }

  /// The approximate bytes that the columns do not share with those that they were derived from. An edit
  /// replaces about as many.
  package var addedCost: Int {
    columns.values.reduce(500 + 8 * starts.count + (words?.addedCost ?? 0)) { $0 + $1.addedCost }
  }

  /// The piece that holds an item, and the index of the item in the piece.
  func location(of index: Int) -> (piece: Int, index: Int) {
    let piece = starts.indexOfLast { $0 <= index }
    return (piece, index - starts[piece])
  }

  package func range(of piece: Int) -> Range<Int> { starts[piece]..<starts[piece + 1] }
}

/// The codes of one field.
package struct Column: Sendable {
  package let dictionary: ValueDictionary
  package var pieces: [CodeArray]
  /// See `ItemColumns.addedCost`.
  var addedCost = 0

  var cost: Int {
    pieces.reduce(dictionary.cost) { $0 + $1.cost + MemoryLayout<CodeArray>.stride }
  }

  @inline(__always)
  func code(at location: (piece: Int, index: Int)) -> UInt32 {
    pieces[location.piece][location.index]
  }
}

/// The words of the searchable fields.
package struct WordColumn: Sendable {
  /// The fields that contain the words.
  let fields: [FieldName]
  package let dictionary: ValueDictionary
  package var pieces: [WordPiece]
  /// See `ItemColumns.addedCost`.
  var addedCost = 0

  var cost: Int {
    pieces.reduce(dictionary.cost) { $0 + $1.cost + MemoryLayout<WordPiece>.stride }
  }
}

/// The words of neighbouring items.
package struct WordPiece: Sendable {
  /// The end of each item's words in `codes`.
  package let ends: [UInt32]
  let codes: CodeArray

  var cost: Int { 48 + 4 * ends.count + codes.cost }

  func words(at index: Int) -> [UInt32] {
    range(of: index..<index + 1).map { codes[$0] }
  }

  /// Appends the words of `items`, and the end of each item's words.
  func append(_ items: Range<Int>, to words: inout [UInt32], _ ends: inout [UInt32]) {
    let range = range(of: items)
    let shift = words.count - range.lowerBound
    codes.append(range, to: &words)
    ends += self.ends[items].lazy.map { UInt32(Int($0) + shift) }
  }

  /// The range in `codes` of the items at `items`.
  private func range(of items: Range<Int>) -> Range<Int> {
    func end(before index: Int) -> Int { index == 0 ? 0 : Int(ends[index - 1]) }
    return end(before: items.lowerBound)..<end(before: items.upperBound)
  }

  /// Gathers the words of items in order.
  struct Builder {
    private var ends: [UInt32] = []
    private var codes: [UInt32] = []

    mutating func append(_ code: UInt32) { codes.append(code) }

    mutating func endItem() { ends.append(UInt32(codes.count)) }

    /// The words of the items since the last call.
    mutating func endPiece() -> WordPiece {
      defer {
        ends.removeAll(keepingCapacity: true)
        codes.removeAll(keepingCapacity: true)
      }
      return WordPiece(ends: Array(ends[...]), codes: CodeArray(codes))
    }
  }
}

// MARK: - Building

extension ItemColumns {
  /// Columns for `count` items, without fields and words.
  package init(count: Int) {
    let pieces = max(1, (count + Self.pieceCount - 1) / Self.pieceCount)
    starts = (0..<pieces).map { $0 * Self.pieceCount } + [count]
  }

  /// Columns with neither fields nor words, in pieces that begin at `starts`.
  init(starts: [Int]) { self.starts = starts }

  mutating func add(_ column: Column, of field: FieldName) { columns[field] = column }

  mutating func add(_ words: WordColumn) { self.words = words }

  /// Columns of no items.
  package static let empty = ItemColumns(count: 0)

  /// Only the columns of these fields.
  func retaining(_ fields: [FieldName]) -> ItemColumns {
    guard !fields.isEmpty else { return .empty }
    var result = ItemColumns(starts: starts)
    for field in fields { result.columns[field] = columns[field] }
    return result
  }

  /// The same columns, with words only if they are those of these fields.
  func withWords(of fields: [FieldName]) -> ItemColumns {
    guard words?.fields != fields else { return self }
    var columns = self
    columns.words = nil
    return columns
  }

  /// - Parameter searched: the fields whose words are needed; nil for no words.
  func has(_ fields: [FieldName], _ searched: [FieldName]?) -> Bool {
    fields.allSatisfy { columns[$0] != nil }
      && (searched.map { $0.isEmpty || words?.fields == $0 } ?? true)
  }

  /// The columns that both have, and those of `other`. Both have the same pieces.
  mutating func merge(_ other: ItemColumns) {
    columns.merge(other.columns) { $1 }
    words = other.words ?? words
  }
}

// MARK: - Following edits

/// An item that an edit touched: its previous index, and its new values.
package struct ItemChange {
  /// The index of the item before the edit, or the index at which it is inserted.
  var index: Int
  /// Whether the item existed before the edit.
  var isThere: Bool
  /// The new item; nil if the edit removed it.
  var item: Item?

  package init(index: Int, isThere: Bool, item: Item?) {
    self.index = index
    self.isThere = isThere
    self.item = item
  }
}

/// Neighbouring pieces of columns after changes.
private enum Part {
  /// Unchanged pieces.
  case same(Range<Int>)
  /// New pieces, of one old piece and of new items.
  ///
  /// - lengths: the numbers of items of the new pieces.
  case new(of: Int, [Run], lengths: [Int])
}

private enum Run {
  /// The items at these indices of the old piece.
  case old(Range<Int>)
  case new(Item)
}

extension ItemColumns {
  /// The columns after changes, which ascend by index.
  ///
  /// - Complexity: O(pieces + items of the pieces that change); O(*n*) if most texts of a dictionary are dead.
  package func applying(_ changes: [ItemChange]) -> ItemColumns {
    guard !changes.isEmpty else { return self }
    var parts: [Part] = []
    var result = self
    result.starts = [0]
    func append(_ lengths: some Sequence<Int>) {
      for length in lengths { result.starts.append(result.count + length) }
    }
    var (next, same) = (0, 0)
    while same < pieceCount {
      let piece =
        next < changes.count
        ? min(location(of: changes[next].index).piece, pieceCount - 1) : pieceCount
      parts.append(.same(same..<piece))
      append((same..<piece).lazy.map { range(of: $0).count })
      same = piece + 1
      guard piece < pieceCount else { break }
      let first = next
      while next < changes.count, same == pieceCount || changes[next].index < starts[same] {
        next += 1
      }
      let (runs, lengths) = Self.runs(range(of: piece), after: changes[first..<next])
      parts.append(.new(of: piece, runs, lengths: lengths))
      append(lengths)
    }
    if result.pieceCount == 0 {
      parts = [.new(of: 0, [], lengths: [0])]
      append([0])
    }
    for (field, column) in columns { result.columns[field] = column.applying(parts, of: field) }
    result.words = words?.applying(parts)
    return result
  }

  /// The items of a piece after changes, and the numbers of items of the pieces that they need.
  private static func runs(
    _ range: Range<Int>, after changes: ArraySlice<ItemChange>
  ) -> ([Run], lengths: [Int]) {
    var runs: [Run] = []
    var index = range.lowerBound
    var count = range.count
    func appendOld(to end: Int) {
      if index < end { runs.append(.old(index - range.lowerBound..<end - range.lowerBound)) }
      index = end
    }
    for change in changes {
      appendOld(to: change.index)
      if change.isThere {
        index += 1
        count -= 1
      }
      if let item = change.item {
        runs.append(.new(item))
        count += 1
      }
    }
    appendOld(to: range.upperBound)
    let pieces = count > pieceLimit ? (count + pieceCount - 1) / pieceCount : min(count, 1)
    return (runs, (0..<pieces).map { ($0 + 1) * count / pieces - $0 * count / pieces })
  }
}

extension Column {
  fileprivate func applying(_ parts: [Part], of field: FieldName) -> Column {
    var new: [CodeArray] = []
    var added = pieces.count * MemoryLayout<CodeArray>.stride
    new.reserveCapacity(pieces.count + parts.count)
    for part in parts {
      switch part {
      case .same(let range): new += pieces[range]
      case .new(let piece, let runs, let lengths):
        var codes: [UInt32] = []
        for run in runs {
          switch run {
          case .old(let indices): pieces[piece].append(indices, to: &codes)
          case .new(let item):
            codes.append(item.value(of: field).map { dictionary.code(of: $0) } ?? 0)
          }
        }
        var start = 0
        for length in lengths {
          new.append(CodeArray(codes[start..<start + length]))
          added += new[new.count - 1].cost
          start += length
        }
      }
    }
    guard let live = LiveStrings(ofMostlyDead: dictionary, in: new) else {
      return Column(dictionary: dictionary, pieces: new, addedCost: added)
    }
    var column = Column(
      dictionary: ValueDictionary(live.texts), pieces: new.map(live.renumbered))
    column.addedCost = column.cost
    return column
  }
}

extension WordColumn {
  fileprivate func applying(_ parts: [Part]) -> WordColumn {
    var new: [WordPiece] = []
    var added = pieces.count * MemoryLayout<WordPiece>.stride
    new.reserveCapacity(pieces.count + parts.count)
    for part in parts {
      switch part {
      case .same(let range): new += pieces[range]
      case .new(let piece, let runs, let lengths):
        var codes: [UInt32] = []
        // The end of each item's words, after that of no item.
        var ends: [UInt32] = [0]
        for run in runs {
          switch run {
          case .old(let indices): pieces[piece].append(indices, to: &codes, &ends)
          case .new(let item):
            codes += self.codes(of: item)
            ends.append(UInt32(codes.count))
          }
        }
        var start = 0
        for length in lengths {
          let (first, last) = (ends[start], ends[start + length])
          new.append(
            WordPiece(
              ends: ends[start + 1..<start + length + 1].map { $0 - first },
              codes: CodeArray(codes[Int(first)..<Int(last)])))
          added += new[new.count - 1].cost
          start += length
        }
      }
    }
    guard let live = LiveStrings(ofMostlyDead: dictionary, in: new.map(\.codes)) else {
      return WordColumn(fields: fields, dictionary: dictionary, pieces: new, addedCost: added)
    }
    var words = WordColumn(
      fields: fields, dictionary: ValueDictionary(live.texts),
      pieces: new.map { WordPiece(ends: $0.ends, codes: live.renumbered($0.codes)) })
    words.addedCost = words.cost
    return words
  }
}

extension ValueDictionary {
  func code(of value: FieldValue) -> UInt32 {
    value.text.withUnsafeBytes { text in withTexts { $0.code(of: text) } }
  }
}

extension WordColumn {
  /// The codes of all words of an item's searchable fields.
  func codes(of item: Item) -> [UInt32] {
    var codes: [UInt32] = []
    for field in fields {
      guard let value = item.fields[field.text] else { continue }
      for word in Words.folded(of: value.text.utf8) {
        codes.append(word.withUnsafeBytes { word in dictionary.withTexts { $0.code(of: word) } })
      }
    }
    return codes
  }
}
