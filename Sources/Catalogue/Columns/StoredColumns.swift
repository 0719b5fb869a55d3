/// The stored columns of a strip at an earlier revision.
///
///     row     │ checksum, bytes │ checksum, bytes │ ...        a stream of bytes, cut into rows
///     stream  version, strip and revision, fields, counts of the pieces
///             of each field: its texts, then the codes of each piece
///             of the words: their texts, then the number of words of each item and the codes
///
/// Numbers are little-endian. The stream has only texts that items have.
///
/// - Complexity: O(bytes) both ways.
package struct StoredColumns: Sendable {
  let columns: ItemColumns
  let keys: ItemKeys
  /// The keys of the items that differ at the present revision, ascending.
  let changed: [Int64]

  /// The version of the stream.
  static let version = 2

  /// In bytes.
  static let rowSize = 1 << 20

  /// Reads the columns that a strip declares.
  ///
  /// - Parameters:
  ///   - identity: the name of the strip and the revision of the columns.
  ///   - settings: the settings of the strip at the current revision.
  ///   - keys: the keys of the items at the revision of the columns.
  ///   - changed: the keys of the items that differ at the present revision, ascending.
  ///   - memory: of the strip.
  ///   - next: returns the next row; nil after the last row.
  /// - Returns: nil if the rows are damaged, have another version, or contain other columns.
  package init?(
    _ identity: String, of settings: StripSettings, keys: ItemKeys, changed: [Int64],
    memory: MemoryBudget, _ next: () throws -> [UInt8]?
  ) throws {
    var reader = ColumnStreamReader(memory: memory)
    guard
      let columns = try reader.columns(
        settings.filterable, settings.searchable, as: identity, count: keys.count, next)
    else { return nil }
    self.columns = columns
    self.keys = keys
    self.changed = changed
  }
}

extension ItemColumns {
  /// Writes the columns of these fields as rows of a store.
  ///
  /// - Precondition: All of them are there.
  func write(
    _ fields: [FieldName], _ searched: [FieldName], as identity: String,
    _ body: ([UInt8]) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    var stream = ColumnStreamWriter()
    stream.append(StoredColumns.version)
    for text in [identity, FieldName.json(fields), FieldName.json(searched)] {
      stream.append(text.utf8.count)
      stream.append(Array(text.utf8))
    }
    stream.append(pieceCount)
    for piece in 0..<pieceCount { stream.append(range(of: piece).count) }
    for column in fields.map(column) + (searched.isEmpty ? [] : [words].compactMap(\.self)) {
      let live = LiveStrings(of: column.dictionary.snapshot, in: column.pieces.map(\.codes))
      try stream.append(live.texts, body)
      for piece in column.pieces {
        if case .words = column.content {
          let counts = piece.ends.indices.map {
            piece.ends[$0] - ($0 > 0 ? piece.ends[$0 - 1] : 0)
          }
          try stream.append(CodeArray(counts), body)
        }
        try stream.append(live.renumbered(piece.codes), body)
      }
    }
    try stream.finish(body)
  }
}

// MARK: - The stream

private struct ColumnStreamWriter {
  private var bytes: [UInt8] = []

  mutating func append(_ number: Int) {
    withUnsafeBytes(of: UInt32(number).littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ more: [UInt8]) { bytes += more }

  mutating func append(
    _ texts: StringTable, _ body: ([UInt8]) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    append(texts.count - 1)
    for code in 1..<max(1, texts.count) {
      texts.withText(UInt32(code)) { text in
        append(text.count)
        bytes.append(contentsOf: text)
      }
      try passFullRows(body)
    }
  }

  mutating func append(
    _ codes: CodeArray, _ body: ([UInt8]) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    switch codes {
    case .one(let codes): append(1, codes)
    case .two(let codes): append(2, codes)
    case .four(let codes): append(4, codes)
    }
    try passFullRows(body)
  }

  private mutating func append<Code>(_ width: UInt8, _ codes: [Code]) {
    bytes.append(width)
    codes.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  private mutating func passFullRows(
    _ body: ([UInt8]) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    guard bytes.count >= StoredColumns.rowSize else { return }
    try finish(body)
  }

  mutating func finish(
    _ body: ([UInt8]) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    let checksum = bytes.withUnsafeBytes(\.hash32)
    let head = withUnsafeBytes(of: checksum.littleEndian) { Array($0) }
    try body(head + bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}

private struct ColumnStreamReader {
  let memory: MemoryBudget
  private var bytes: [UInt8] = []
  private var offset = 0

  init(memory: MemoryBudget) { self.memory = memory }

  /// A text has fewer bytes.
  private static let longestText = 1 << 17

  typealias Next = () throws -> [UInt8]?

  mutating func columns(
    _ fields: [FieldName], _ searched: [FieldName], as identity: String, count: Int, _ next: Next
  ) throws -> ItemColumns? {
    guard try number(next) == StoredColumns.version else { return nil }
    for text in [identity, FieldName.json(fields), FieldName.json(searched)] {
      guard try number(next) == text.utf8.count, try fill(text.utf8.count, next),
        nextBytes(text.utf8.count).elementsEqual(text.utf8)
      else { return nil }
    }
    guard let pieces = try number(next), 1...max(1, count + 1) ~= pieces else { return nil }
    var starts = [0]
    for _ in 0..<pieces {
      guard let count = try number(next), count <= ItemColumns.pieceLimit else { return nil }
      starts.append(starts[starts.count - 1] + count)
    }
    guard starts[pieces] == count else { return nil }
    var columns = ItemColumns(starts: starts)
    let contents =
      fields.map(Column.Content.values) + (searched.isEmpty ? [] : [.words(of: searched)])
    for content in contents {
      guard let column = try column(content, of: columns, next) else { return nil }
      columns.add(column)
    }
    return try offset == bytes.count && next() == nil ? columns : nil
  }

  private mutating func column(
    _ content: Column.Content, of columns: ItemColumns, _ next: Next
  ) throws -> Column? {
    guard let texts = try texts(next) else { return nil }
    var pieces: [ColumnPiece] = []
    for piece in 0..<columns.pieceCount {
      var count = columns.range(of: piece).count
      var ends: [UInt32] = []
      if case .words = content {
        guard let counts = try codes(count, below: 1 << 20, next) else { return nil }
        ends.reserveCapacity(count)
        var end: UInt32 = 0
        for index in 0..<counts.count {
          let (sum, isTooLarge) = end.addingReportingOverflow(counts[index])
          guard !isTooLarge else { return nil }
          end = sum
          ends.append(end)
        }
        count = Int(end)
      }
      guard let codes = try codes(count, below: texts.count, next) else { return nil }
      pieces.append(ColumnPiece(codes, ends: ends, of: memory))
    }
    return Column(content, ValueDictionary(texts, of: memory), pieces, of: memory)
  }

  private mutating func texts(_ next: Next) throws -> StringTable? {
    guard let count = try number(next) else { return nil }
    var texts = StringTable()
    for code in 0..<count {
      guard let length = try number(next), length < Self.longestText, try fill(length, next)
      else { return nil }
      let found = nextBytes(length).withUnsafeBytes { texts.code(of: $0) }
      guard found == code + 1 else { return nil }
    }
    return texts
  }

  private mutating func codes(_ count: Int, below limit: Int, _ next: Next) throws -> CodeArray? {
    guard try fill(1, next) else { return nil }
    let width = Int(nextBytes(1).first ?? 0)
    guard [1, 2, 4].contains(width), try fill(width * count, next) else { return nil }
    let bytes = nextBytes(width * count)
    let codes: CodeArray =
      switch width {
      case 1: .one(Self.array(bytes))
      case 2: .two(Self.array(bytes))
      default: .four(Self.array(bytes))
      }
    var largest = LargestCode()
    codes.read(&largest)
    return largest.code < limit ? codes : nil
  }

  private static func array<Code: FixedWidthInteger>(_ bytes: ArraySlice<UInt8>) -> [Code] {
    let count = bytes.count / MemoryLayout<Code>.size
    return Array(unsafeUninitializedCapacity: count) { codes, filled in
      UnsafeMutableRawBufferPointer(codes).copyBytes(from: bytes)
      filled = count
    }
  }

  private mutating func number(_ next: Next) throws -> Int? {
    guard try fill(4, next) else { return nil }
    return nextBytes(4).withUnsafeBytes {
      Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)))
    }
  }

  private mutating func nextBytes(_ count: Int) -> ArraySlice<UInt8> {
    defer { offset += count }
    return bytes[offset..<offset + count]
  }

  /// Reads rows until `count` bytes are available.
  ///
  /// - Returns: false if the rows end, or one is damaged.
  private mutating func fill(_ count: Int, _ next: Next) throws -> Bool {
    while bytes.count - offset < count {
      guard let row = try next(), row.count > 4 else { return false }
      let checksum = row.withUnsafeBytes {
        UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))
      }
      let isWhole = row.withUnsafeBytes {
        UnsafeRawBufferPointer(rebasing: $0[4...]).hash32 == checksum
      }
      guard isWhole else { return false }
      bytes.removeFirst(offset)
      bytes += row[4...]
      offset = 0
    }
    return true
  }
}

private struct LargestCode: CodeLoop {
  var code = 0

  mutating func run<Code: FixedWidthInteger & UnsignedInteger>(
    _ codes: UnsafeBufferPointer<Code>
  ) {
    var largest: Code = 0
    for code in codes { largest = max(largest, code) }
    code = Int(largest)
  }
}
