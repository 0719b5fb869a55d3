import Windowing

/// Builds columns from all items of an edition.
///
/// - Complexity: one pass over the items.
struct ColumnReader {
  private let edition: Edition
  private let fields: [FieldName]
  private let searched: [FieldName]
  private var columns: [ColumnBuilder]
  private var words: WordBuilder

  /// - Parameters:
  ///   - fields: the columns to build.
  ///   - searched: the fields to build the words of; empty for no words.
  init(_ edition: Edition, fields: [FieldName], searched: [FieldName]) {
    self.edition = edition
    self.fields = fields
    self.searched = searched
    columns = fields.map { _ in ColumnBuilder() }
    words = WordBuilder()
  }

  /// - Parameter starts: the pieces of the columns.
  consuming func read(pieces starts: [Int]) throws(CatalogueError) -> ItemColumns {
    var result = ItemColumns(starts: starts)
    var stored: [Int] = []
    for (place, field) in fields.enumerated() {
      switch field {
      case "kind": readKinds(place, starts)
      case "group": readGroups(place, starts)
      default: stored.append(place)
      }
    }
    if stored.contains(where: { fields[$0] == "aspect" || fields[$0] == "width" }) {
      try readItems(stored, starts)
    } else if !stored.isEmpty || !searched.isEmpty {
      try readBytes(stored, starts)
    }
    for (field, column) in zip(fields, columns) { result.add(column.column(), of: field) }
    if !searched.isEmpty { result.add(words.column(of: searched)) }
    return result
  }

  private mutating func readKinds(_ place: Int, _ starts: [Int]) {
    let strip = edition.strip
    var builder = columns[place]
    let codes = strip.kinds.map { builder.texts.code(of: $0) }
    var (index, piece) = (0, 0)
    strip.forEachKind { kind in
      builder.append(codes[kind])
      index += 1
      while piece + 1 < starts.count, index == starts[piece + 1] {
        builder.endPiece()
        piece += 1
      }
    }
    while piece + 1 < starts.count {
      builder.endPiece()
      piece += 1
    }
    columns[place] = builder
  }

  private mutating func readGroups(_ place: Int, _ starts: [Int]) {
    var builder = columns[place]
    var runs = edition.strip.groupRuns(from: 0)
    var run = runs.next()
    var code = run.map { builder.texts.code(of: $0.title) } ?? 0
    for piece in 0..<starts.count - 1 {
      for index in starts[piece]..<starts[piece + 1] {
        while let known = run, index >= known.range.upperBound {
          run = runs.next()
          code = run.map { builder.texts.code(of: $0.title) } ?? 0
        }
        builder.append(run.map { $0.range.contains(index) } ?? false ? code : 0)
      }
      builder.endPiece()
    }
    columns[place] = builder
  }

  private mutating func readItems(_ stored: [Int], _ starts: [Int]) throws(CatalogueError) {
    for piece in 0..<starts.count - 1 {
      for item in try edition.source.items(in: starts[piece]..<starts[piece + 1]) {
        for place in stored {
          if let value = item.value(of: fields[place]) {
            columns[place].append(value.text.withUnsafeBytes { columns[place].texts.code(of: $0) })
          } else {
            columns[place].append(0)
          }
        }
        for field in searched {
          if let value = item.fields[field.text] { words.append(wordsOf: value.text) }
        }
        if !searched.isEmpty { words.endItem() }
      }
      for place in stored { columns[place].endPiece() }
      if !searched.isEmpty { words.endPiece() }
    }
  }

  /// Reads ids and fields as bytes.
  private mutating func readBytes(_ stored: [Int], _ starts: [Int]) throws(CatalogueError) {
    let ids = stored.filter { fields[$0] == "id" }
    let wanted = stored.filter { fields[$0] != "id" }
    var names: [(name: [UInt8], column: Int?, isSearched: Bool)] = []
    for place in wanted {
      names.append((fields[place].quoted, place, searched.contains(fields[place])))
    }
    for field in searched where !wanted.contains(where: { fields[$0] == field }) {
      names.append((field.quoted, nil, true))
    }
    let scanner = FieldScanner(names.map(\.name))
    var (columns, words) = (columns, words)
    self.columns = []
    self.words = WordBuilder()
    let hasWords = !searched.isEmpty
    for piece in 0..<starts.count - 1 {
      let range = starts[piece]..<starts[piece + 1]
      guard !range.isEmpty else {
        for place in stored { columns[place].endPiece() }
        if hasWords { words.endPiece() }
        continue
      }
      try edition.source.read(range) { item in
        for place in ids { columns[place].append(columns[place].texts.code(of: item.id)) }
        for place in wanted { columns[place].append(0) }
        scanner.scan(item.fields) { name, text in
          let (_, column, isSearched) = names[name]
          if let column { columns[column].setLast(columns[column].texts.code(of: text)) }
          if isSearched { words.append(wordsOf: text) }
        }
        if hasWords { words.endItem() }
      }
      for place in stored { columns[place].endPiece() }
      if hasWords { words.endPiece() }
    }
    self.columns = columns
    self.words = words
  }
}

extension FieldName {
  /// The name as JSON has it.
  fileprivate var quoted: [UInt8] {
    var json = JSONText()
    json.string(text)
    return json.bytes
  }
}

/// Gathers the codes of one column, while no other thread uses its dictionary.
private struct ColumnBuilder {
  var texts = Texts()
  private var pieces: [[UInt32]] = []
  private var piece: [UInt32] = []

  mutating func append(_ code: UInt32) { piece.append(code) }

  mutating func setLast(_ code: UInt32) { piece[piece.count - 1] = code }

  mutating func endPiece() {
    // A copy has no spare capacity.
    pieces.append(Array(piece[...]))
    piece.removeAll(keepingCapacity: true)
  }

  consuming func column() -> Column {
    Column(dictionary: ValueDictionary(texts), pieces: pieces)
  }
}

/// Gathers the words of all items.
private struct WordBuilder {
  private var texts = Texts()
  private var pieces: [WordPiece] = []
  private var piece = WordPiece()
  private var codes: [UInt32] = []
  private var word: [UInt8] = []

  mutating func append(wordsOf text: UnsafeRawBufferPointer) {
    guard text.allSatisfy({ $0 < 0x80 }) else {
      for word in Words.folded(of: text) {
        codes.append(word.withUnsafeBytes { texts.code(of: $0) })
      }
      return
    }
    // ASCII needs no decomposition.
    for byte in text {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        word.append(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 0x20)
      default: endWord()
      }
    }
    endWord()
  }

  mutating func append(wordsOf text: String) {
    var text = text
    text.withUTF8 { append(wordsOf: UnsafeRawBufferPointer($0)) }
  }

  private mutating func endWord() {
    guard !word.isEmpty else { return }
    codes.append(word.withUnsafeBytes { texts.code(of: $0) })
    word.removeAll(keepingCapacity: true)
  }

  mutating func endItem() {
    piece.append(codes)
    codes.removeAll(keepingCapacity: true)
  }

  mutating func endPiece() {
    pieces.append(WordPiece(ends: Array(piece.ends[...]), codes: Array(piece.codes[...])))
    piece = WordPiece()
  }

  consuming func column(of fields: [FieldName]) -> WordColumn {
    WordColumn(fields: fields, dictionary: ValueDictionary(texts), pieces: pieces)
  }
}

extension Texts {
  mutating func code(of text: String) -> UInt32 {
    var text = text
    return text.withUTF8 { code(of: UnsafeRawBufferPointer($0)) }
  }
}

/// Finds the values of some fields in stored JSON, without parsing the others.
struct FieldScanner {
  private let names: [[UInt8]]

  /// - Parameter names: each in quotes, as `JSONText` writes it.
  init(_ names: [[UInt8]]) { self.names = names }

  /// Calls `take` with the place of each name that the object has, and the text of its value.
  ///
  /// - Parameter json: the bytes of an item's fields. Damaged bytes give wrong texts, and nothing worse.
  func scan(_ json: UnsafeRawBufferPointer, _ take: (Int, UnsafeRawBufferPointer) -> Void) {
    let end = json.count - 1
    var place = 1
    while place < end {
      let name = UnsafeRawBufferPointer(rebasing: json[place..<endOfString(json, place, end)])
      place += name.count + 1
      guard place < end else { return }
      let start = place
      let isString = json[place] == UInt8(ascii: "\"")
      if isString {
        place = endOfString(json, place, end)
      } else {
        while place < end, json[place] != UInt8(ascii: ",") { place += 1 }
      }
      if let found = names.firstIndex(where: { $0.withUnsafeBytes { $0.isSame(as: name) } }) {
        let value = UnsafeRawBufferPointer(rebasing: json[start..<place])
        if isString { unquote(value) { take(found, $0) } } else { take(found, value) }
      }
      place += 1
    }
  }

  /// The place behind the string that begins at `start`.
  private func endOfString(_ json: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Int {
    var place = start + 1
    while place < end, json[place] != UInt8(ascii: "\"") {
      place += json[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(place + 1, end)
  }

  private func unquote(
    _ value: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Void
  ) {
    guard value.count >= 2 else { return }
    guard value.contains(UInt8(ascii: "\\")) else {
      return take(UnsafeRawBufferPointer(rebasing: value[1..<value.count - 1]))
    }
    guard var scanner = try? JSONScanner(Array(value)), let text = try? scanner.string(of: "")
    else { return }
    var bytes = text
    bytes.withUTF8 { take(UnsafeRawBufferPointer($0)) }
  }
}
