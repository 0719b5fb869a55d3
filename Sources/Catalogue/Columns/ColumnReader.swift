import Windowing

/// Builds columns from all items of an edition.
///
/// - Complexity: one pass over the items.
package struct ColumnReader {
  private let edition: Edition
  private let fields: [FieldName]
  private let searched: [FieldName]
  /// Of the fields.
  private var columns: [ColumnBuilder]
  private var words: ColumnBuilder

  /// - Parameters:
  ///   - fields: the columns to build. `id` has none.
  ///   - searched: the fields to build the words of; empty for no words.
  package init(_ edition: Edition, fields: [FieldName], searched: [FieldName]) {
    precondition(!fields.contains("id"), "A column of ids would take more memory than all others.")
    self.edition = edition
    self.fields = fields
    self.searched = searched
    let memory = edition.columns.memory
    columns = fields.map { ColumnBuilder(.values(of: $0), of: memory) }
    words = ColumnBuilder(.words(of: searched), of: memory)
  }

  /// - Parameter starts: the pieces of the columns.
  package consuming func read(pieces starts: [Int]) throws(CatalogueError) -> ItemColumns {
    var result = ItemColumns(starts: starts)
    var stored: [Int] = []
    for (column, field) in fields.enumerated() {
      switch field {
      case "kind": readKinds(column, starts)
      case "group": readGroups(column, starts)
      default: stored.append(column)
      }
    }
    if stored.contains(where: { fields[$0] == "aspect" || fields[$0] == "width" }) {
      try readItems(stored, starts)
    } else if !stored.isEmpty || !searched.isEmpty {
      try readBytes(stored, starts)
    }
    for column in columns { result.add(column.column()) }
    if !searched.isEmpty { result.add(words.column()) }
    return result
  }

  private mutating func readKinds(_ column: Int, _ starts: [Int]) {
    let strip = edition.strip
    var builder = columns[column]
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
    columns[column] = builder
  }

  private mutating func readGroups(_ column: Int, _ starts: [Int]) {
    var builder = columns[column]
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
    columns[column] = builder
  }

  private mutating func readItems(_ stored: [Int], _ starts: [Int]) throws(CatalogueError) {
    for piece in 0..<starts.count - 1 {
      for item in try edition.source.items(in: starts[piece]..<starts[piece + 1]) {
        for column in stored {
          if let value = item.value(of: fields[column]) {
            columns[column].append(
              value.text.withUnsafeBytes { columns[column].texts.code(of: $0) })
          } else {
            columns[column].append(0)
          }
        }
        for field in searched {
          if let value = item.fields[field.text] { words.append(wordsOf: value.text) }
        }
        if !searched.isEmpty { words.endItem() }
      }
      for column in stored { columns[column].endPiece() }
      if !searched.isEmpty { words.endPiece() }
    }
  }

  /// Reads fields as bytes.
  private mutating func readBytes(_ stored: [Int], _ starts: [Int]) throws(CatalogueError) {
    var names: [(name: [UInt8], column: Int?, isSearched: Bool)] = []
    for column in stored {
      names.append((fields[column].quoted, column, searched.contains(fields[column])))
    }
    for field in searched where !stored.contains(where: { fields[$0] == field }) {
      names.append((field.quoted, nil, true))
    }
    let scanner = FieldScanner(names.map(\.name))
    let targets = names.map { (column: $0.column, isSearched: $0.isSearched) }
    var (columns, words) = (columns, words)
    // The closure changes these alone, without copies.
    self.columns = []
    self.words = ColumnBuilder(.words(of: searched), of: edition.columns.memory)
    let hasWords = !searched.isEmpty
    for piece in 0..<starts.count - 1 {
      let range = starts[piece]..<starts[piece + 1]
      guard !range.isEmpty else {
        for column in stored { columns[column].endPiece() }
        if hasWords { words.endPiece() }
        continue
      }
      try edition.source.read(range) { item in
        for column in stored { columns[column].append(0) }
        scanner.scan(item.fields) { name, text in
          if let column = targets[name].column {
            columns[column].setLast(columns[column].texts.code(of: text))
          }
          if targets[name].isSearched { words.append(wordsOf: text) }
        }
        if hasWords { words.endItem() }
      }
      for column in stored { columns[column].endPiece() }
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
  var texts = StringTable()
  private let content: Column.Content
  private let memory: MemoryBudget
  private var pieces: [ColumnPiece] = []
  private var piece: ColumnPiece.Builder

  init(_ content: Column.Content, of memory: MemoryBudget) {
    (self.content, self.memory) = (content, memory)
    piece = ColumnPiece.Builder(content)
  }

  mutating func append(_ code: UInt32) { piece.append(code) }

  mutating func setLast(_ code: UInt32) { piece.setLast(code) }

  mutating func endItem() { piece.endItem() }

  mutating func endPiece() { pieces.append(piece.endPiece(of: memory)) }

  consuming func column() -> Column {
    Column(content, ValueDictionary(texts, of: memory), pieces, of: memory)
  }

  mutating func append(wordsOf text: UnsafeRawBufferPointer) {
    Words.forEach(in: text) { piece.append(texts.code(of: $0)) }
  }

  mutating func append(wordsOf text: String) {
    var text = text
    text.withUTF8 { append(wordsOf: UnsafeRawBufferPointer($0)) }
  }
}

extension StringTable {
  mutating func code(of text: String) -> UInt32 {
    var text = text
    return text.withUTF8 { code(of: UnsafeRawBufferPointer($0)) }
  }
}
