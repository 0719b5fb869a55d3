package import Items
import Windowing

/// Builds columns from all items of a snapshot.
///
/// - Complexity: one pass over the items.
package struct ColumnReader {
  private let snapshot: Snapshot
  private let fields: [FieldName]
  private let searched: [FieldName]
  private var columns: [ColumnBuilder] = []
  private var words: ColumnBuilder?
  /// The columns with values from `source.read`.
  private var stored: [Int] = []
  /// The columns `aspect` and `width`, whose values `source.read` does not pass.
  private var members: [Int] = []

  /// - Parameters:
  ///   - fields: the columns to build. `id` has none.
  ///   - searched: the fields to build the words of; empty for no words.
  package init(_ snapshot: Snapshot, fields: [FieldName], searched: [FieldName]) {
    precondition(!fields.contains("id"), "A column of ids would take more memory than all others.")
    self.snapshot = snapshot
    self.fields = fields
    self.searched = searched
  }

  /// - Parameter starts: as `ColumnStore.starts`.
  package consuming func read(segments starts: [Int]) throws(CatalogueError) -> ColumnStore {
    var result = ColumnStore(starts: starts)
    let memory = snapshot.columns.memory
    columns = fields.map { ColumnBuilder(.values(of: $0), starts, of: memory) }
    if !searched.isEmpty { words = ColumnBuilder(.words(of: searched), starts, of: memory) }
    for (column, field) in fields.enumerated() {
      switch field {
      case "kind": readKinds(column)
      case "group": readGroups(column)
      case "aspect", "width": members.append(column)
      default: stored.append(column)
      }
    }
    if !stored.isEmpty || !members.isEmpty || words != nil {
      try readItems((0..<result.segmentCount).map(result.range(of:)))
    }
    for column in columns { result.add(column.column()) }
    if let words { result.add(words.column()) }
    return result
  }

  private mutating func readKinds(_ column: Int) {
    let codes = snapshot.strip.kinds.map { columns[column].texts.code(of: $0) }
    snapshot.strip.forEachKind { columns[column].append(codes[$0]) }
  }

  private mutating func readGroups(_ column: Int) {
    var index = 0
    for run in snapshot.strip.groupRuns(from: 0) {
      for _ in index..<run.range.lowerBound { columns[column].append(0) }
      let code = columns[column].texts.code(of: run.title)
      for _ in run.range { columns[column].append(code) }
      index = run.range.upperBound
    }
    for _ in index..<snapshot.strip.count { columns[column].append(0) }
  }

  private mutating func readItems(_ ranges: [Range<Int>]) throws(CatalogueError) {
    let others = searched.filter { field in !stored.contains { fields[$0] == field } }
    let scanner = FieldScanner(
      (stored.map { fields[$0] } + others).map { JSONText(string: $0.text).bytes })
    let targets: [(column: Int?, searched: Int?)] =
      stored.map { ($0, searched.firstIndex(of: fields[$0])) }
      + others.map { (nil, searched.firstIndex(of: $0)) }
    for range in ranges where !range.isEmpty {
      guard !members.isEmpty else {
        try snapshot.source.read(range) { append($0.fields, scanner, targets) }
        continue
      }
      for item in try snapshot.source.items(in: range) {
        if !targets.isEmpty { item.fields.json.withUnsafeBytes { append($0, scanner, targets) } }
        for column in members {
          columns[column].append(0)
          item.value(of: fields[column])?.text.withUnsafeBytes { columns[column].setLast($0) }
        }
      }
    }
  }

  @inline(__always)
  private mutating func append(
    _ json: UnsafeRawBufferPointer, _ scanner: FieldScanner,
    _ targets: [(column: Int?, searched: Int?)]
  ) {
    for column in stored { columns[column].append(0) }
    scanner.scan(json) { field, text in
      if let column = targets[field].column { columns[column].setLast(text) }
      if let searched = targets[field].searched { words?.append(wordsOf: text, field: searched) }
    }
    words?.endItem()
  }
}

/// Gathers the codes of one column, while no other thread uses its dictionary.
private struct ColumnBuilder {
  var texts = StringTable()
  private let content: DictionaryEncodedColumn.Content
  private let starts: [Int]
  private let memory: MemoryBudget
  private let textMemory: MemoryReservation
  private var segments: [ColumnSegment] = []
  private var segment: ColumnSegment.Builder
  /// The words of an item, by field. An item can have its fields in another order.
  private var words: [[UInt32]] = []

  init(_ content: DictionaryEncodedColumn.Content, _ starts: [Int], of memory: MemoryBudget) {
    (self.content, self.starts, self.memory) = (content, starts, memory)
    segment = ColumnSegment.Builder(content)
    textMemory = MemoryReservation(0, of: memory)
    if case .words(let fields) = content { words = fields.map { _ in [] } }
  }

  mutating func append(_ code: UInt32) {
    endSegmentIfFull()
    segment.append(code)
  }

  mutating func setLast(_ text: UnsafeRawBufferPointer) { segment.setLast(texts.code(of: text)) }

  mutating func append(wordsOf text: UnsafeRawBufferPointer, field: Int) {
    WordTokenizer.forEach(in: text) { words[field].append(texts.code(of: $0)) }
  }

  mutating func endItem() {
    segment.append(words: words)
    for field in words.indices { words[field].removeAll(keepingCapacity: true) }
    endSegmentIfFull()
  }

  private mutating func endSegmentIfFull() {
    if segment.count == starts[segments.count + 1] - starts[segments.count] { endSegment() }
  }

  private mutating func endSegment() {
    segments.append(segment.endSegment(of: memory))
    textMemory.resize(to: texts.cost)
    memory.evict()
  }

  consuming func column() -> DictionaryEncodedColumn {
    while segments.count < starts.count - 1 { endSegment() }
    return DictionaryEncodedColumn(
      content, ValueDictionary(texts, memory: textMemory), segments, of: memory)
  }
}

extension StringTable {
  fileprivate mutating func code(of text: String) -> UInt32 {
    var text = text
    return text.withUTF8 { code(of: UnsafeRawBufferPointer($0)) }
  }
}

/// Finds the values of some fields in stored JSON, without parsing the others.
///
///     let scanner = FieldScanner([Array(#""title""#.utf8)])
///     scanner.scan(json) { name, text in ... }   // 0, and the bytes of the title
///
/// - Complexity: one pass over the bytes, eight at a time within strings.
package struct FieldScanner {
  private let names: [[UInt8]]
  private let hashes: [UInt32]

  /// - Parameter names: each in quotes, as `JSONText` writes it.
  package init(_ names: [[UInt8]]) {
    self.names = names
    hashes = names.map { $0.withUnsafeBytes(\.hash32) }
  }

  /// Calls `body` with the index of each name that the object has, and the text of its value.
  ///
  /// - Parameter json: the bytes of an item's fields. If they are damaged, the texts are wrong.
  package func scan(_ json: UnsafeRawBufferPointer, _ body: (Int, UnsafeRawBufferPointer) -> Void) {
    var offset = 1
    while offset < json.count - 1 {
      let colon = json.endOfString(at: offset)
      guard colon < json.count - 1 else { return }
      let start = colon + 1
      let isString = json[start] == UInt8(ascii: "\"")
      let end = isString ? json.endOfString(at: start) : json.endOfScalar(at: start)
      guard end < json.count else { return }
      if let found = find(UnsafeRawBufferPointer(rebasing: json[offset..<colon])) {
        let value = UnsafeRawBufferPointer(rebasing: json[start..<end])
        if isString { unquote(value) { body(found, $0) } } else { body(found, value) }
      }
      offset = end + 1
    }
  }

  @inline(__always)
  private func find(_ name: UnsafeRawBufferPointer) -> Int? {
    let hash = name.hash32
    for index in hashes.indices
    where hashes[index] == hash && names[index].withUnsafeBytes({ $0.isSame(as: name) }) {
      return index
    }
    return nil
  }

  @inline(__always)
  private func unquote(_ value: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    let end = value.count - 1
    guard value.endOfPlainText(from: 1) < end else {
      return body(UnsafeRawBufferPointer(rebasing: value[1..<end]))
    }
    guard var scanner = try? JSONScanner(Array(value)), var text = try? scanner.string(of: "")
    else { return }
    text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
