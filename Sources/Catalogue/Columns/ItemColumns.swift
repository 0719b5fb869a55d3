/// The values of some fields of all items of an edition, as columns of codes: what filters, sorts, searches
/// and facets read.
///
///     starts      0                4096             8192 ...       the index of each piece's first item
///     "artist"    │ 1 2 1 1 0 ...  │ 3 1 4 ...      │ ...          a code for each item, 0 for absent
///     "year"      │ 7 7 9 2 2 ...  │ ...            │ ...
///     words       │ 1 2 │ 3 │ ...  │ ...            │ ...          the codes of all words of each item
///
/// A value. Editions share pieces: an edit makes new pieces only where it touches items.
///
/// - Complexity: one, two or four bytes an item and column, as its codes need; as many a word, and four an
///   item, for the words.
struct ItemColumns: Sendable {
  /// The index of the first item of each piece, and the count of all items.
  private(set) var starts: [Int] = [0, 0]
  private(set) var columns: [FieldName: Column] = [:]
  private(set) var words: WordColumn?

  /// How many items a new piece has, and how many at most.
  static let (pieceCount, pieceLimit) = (4096, 6144)

  var count: Int { starts[starts.count - 1] }

  var pieceCount: Int { starts.count - 1 }

  /// About how many bytes the columns take.
  var cost: Int {
    columns.values.reduce(words?.cost ?? 0) { $0 + $1.cost }
  }

  /// The piece that holds an item, and the place of the item in it.
  func place(of index: Int) -> (piece: Int, place: Int) {
    let piece = starts.indexOfLast { $0 <= index }
    return (piece, index - starts[piece])
  }

  func range(of piece: Int) -> Range<Int> { starts[piece]..<starts[piece + 1] }
}

/// The codes of one field.
struct Column: Sendable {
  let dictionary: ValueDictionary
  var pieces: [Codes]

  var cost: Int { pieces.reduce(dictionary.cost) { $0 + $1.cost } }

  @inline(__always)
  func code(at place: (piece: Int, place: Int)) -> UInt32 { pieces[place.piece][place.place] }
}

/// The words of the searchable fields.
struct WordColumn: Sendable {
  /// The fields that the words are of.
  let fields: [FieldName]
  let dictionary: ValueDictionary
  var pieces: [WordPiece]

  var cost: Int {
    pieces.reduce(dictionary.cost) { $0 + 4 * $1.ends.count + $1.codes.cost }
  }
}

/// The words of neighbouring items.
struct WordPiece: Sendable {
  /// The end of each item's words in `codes`.
  let ends: [UInt32]
  let codes: Codes

  func words(at place: Int) -> [UInt32] {
    ((place == 0 ? 0 : Int(ends[place - 1]))..<Int(ends[place])).map { codes[$0] }
  }

  /// Gathers the words of items in order.
  struct Builder {
    private var ends: [UInt32] = []
    private var codes: [UInt32] = []

    mutating func append(_ code: UInt32) { codes.append(code) }

    mutating func append(_ words: [UInt32]) {
      codes += words
      endItem()
    }

    mutating func endItem() { ends.append(UInt32(codes.count)) }

    /// The words of the items since the last call.
    mutating func endPiece() -> WordPiece {
      defer {
        ends.removeAll(keepingCapacity: true)
        codes.removeAll(keepingCapacity: true)
      }
      return WordPiece(ends: Array(ends[...]), codes: Codes(codes))
    }
  }
}

// MARK: - Building

extension ItemColumns {
  /// Columns with neither fields nor words, for so many items.
  init(count: Int) {
    let pieces = max(1, (count + Self.pieceCount - 1) / Self.pieceCount)
    starts = (0..<pieces).map { $0 * Self.pieceCount } + [count]
  }

  /// Columns with neither fields nor words, in pieces that begin at `starts`.
  init(starts: [Int]) { self.starts = starts }

  mutating func add(_ column: Column, of field: FieldName) { columns[field] = column }

  mutating func add(_ words: WordColumn) { self.words = words }

  /// Columns of no items.
  static let empty = ItemColumns(count: 0)

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

/// An item that an edit touched: its former index, and its new values.
struct ItemChange {
  /// The index of the item before the edit, or the index at which it is inserted.
  var index: Int
  /// Whether an item was there.
  var isThere: Bool
  /// Nil if the item is gone.
  var item: Item?
}

extension ItemColumns {
  /// The columns after changes, which ascend by index.
  ///
  /// - Complexity: O(pieces + items of the pieces that change).
  func applying(_ changes: [ItemChange]) -> ItemColumns {
    guard !changes.isEmpty else { return self }
    var result = self
    result.starts = [0]
    for field in columns.keys { result.columns[field]?.pieces = [] }
    result.words?.pieces = []
    var next = 0
    for piece in 0..<pieceCount {
      let isLast = piece == pieceCount - 1
      let first = next
      while next < changes.count, isLast || changes[next].index < starts[piece + 1] { next += 1 }
      let changed = changes[first..<next]
      if changed.isEmpty {
        result.append(piece, of: self)
      } else {
        result.append(piece, of: self, after: changed)
      }
    }
    if result.starts.count == 1 { result.appendEmptyPiece() }
    return result
  }

  private mutating func appendEmptyPiece() {
    for field in columns.keys { columns[field]?.pieces.append(Codes([])) }
    words?.pieces.append(WordPiece(ends: [], codes: Codes([])))
    starts.append(count)
  }

  private mutating func append(_ piece: Int, of other: ItemColumns) {
    for (field, column) in other.columns { columns[field]?.pieces.append(column.pieces[piece]) }
    if let words = other.words { self.words?.pieces.append(words.pieces[piece]) }
    starts.append(count + other.range(of: piece).count)
  }

  private mutating func append(
    _ piece: Int, of other: ItemColumns, after changes: ArraySlice<ItemChange>
  ) {
    let range = other.range(of: piece)
    let rows = Self.rows(range, after: changes)
    guard !rows.isEmpty else { return }
    let isLong = rows.count > Self.pieceLimit
    let parts = isLong ? (rows.count + Self.pieceCount - 1) / Self.pieceCount : 1
    for part in 0..<parts {
      let rows = rows[part * rows.count / parts..<(part + 1) * rows.count / parts]
      for (field, column) in other.columns {
        let old = column.pieces[piece]
        let codes = rows.map { row in
          switch row {
          case .old(let place): old[place]
          case .new(let item): item.value(of: field).map { column.dictionary.code(of: $0) } ?? 0
          }
        }
        columns[field]?.pieces.append(Codes(codes))
      }
      if let words = other.words {
        let old = words.pieces[piece]
        var new = WordPiece.Builder()
        for row in rows {
          switch row {
          case .old(let place): new.append(old.words(at: place))
          case .new(let item): new.append(words.codes(of: item))
          }
        }
        self.words?.pieces.append(new.endPiece())
      }
      starts.append(count + rows.count)
    }
  }

  private enum Row {
    /// The item at this place of the piece before.
    case old(Int)
    case new(Item)
  }

  private static func rows(_ range: Range<Int>, after changes: ArraySlice<ItemChange>) -> [Row] {
    var rows: [Row] = []
    rows.reserveCapacity(range.count + changes.count)
    var index = range.lowerBound
    for change in changes {
      while index < change.index {
        rows.append(.old(index - range.lowerBound))
        index += 1
      }
      if change.isThere { index += 1 }
      if let item = change.item { rows.append(.new(item)) }
    }
    while index < range.upperBound {
      rows.append(.old(index - range.lowerBound))
      index += 1
    }
    return rows
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
