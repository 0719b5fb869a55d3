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
  let keys: OrderKeys
  /// The keys of the items that differ at the present revision, ascending.
  let changed: [Int64]

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
    _ identity: String, of settings: StripSettings, keys: OrderKeys, changed: [Int64],
    memory: MemoryBudget, _ next: @escaping () throws -> [UInt8]?
  ) throws {
    var stream = ColumnStreamReader(next)
    do {
      columns = try stream.columns(settings, as: identity, count: keys.count, memory)
    } catch is ColumnStreamReader.Damaged {
      return nil
    }
    self.keys = keys
    self.changed = changed
  }
}

extension ItemColumns {
  /// Writes the columns that settings declare as rows of a store.
  ///
  /// - Precondition: All of them are there.
  func write(
    _ settings: StripSettings, as identity: String,
    _ body: @escaping ([UInt8]) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    var stream = ColumnStreamWriter(settings, identity, self, body)
    let words = settings.searchable.isEmpty ? nil : words
    for column in settings.filterable.map(column) + [words].compactMap(\.self) {
      let live = LiveStrings(of: column.dictionary.snapshot, in: column.pieces.map(\.codes))
      try stream.append(live.texts)
      for piece in column.pieces {
        if case .words = column.content {
          try stream.append(CodeArray(zip(piece.ends, [0] + piece.ends).map { $0 - $1 }))
        }
        try stream.append(live.renumbered(piece.codes))
      }
    }
    try stream.endRow()
  }
}

// MARK: - The stream

/// The first bytes of a stream, which say what it contains.
private func head(_ settings: StripSettings, _ identity: String) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.append(littleEndian: UInt32(4))
  for text in [
    identity, FieldName.json(settings.filterable), FieldName.json(settings.searchable),
  ] {
    bytes.append(littleEndian: UInt32(text.utf8.count))
    bytes += text.utf8
  }
  return bytes
}

private struct ColumnStreamWriter {
  private var bytes: [UInt8]
  private let write: ([UInt8]) throws(CatalogueError) -> Void

  init(
    _ settings: StripSettings, _ identity: String, _ columns: ItemColumns,
    _ write: @escaping ([UInt8]) throws(CatalogueError) -> Void
  ) {
    self.write = write
    bytes = head(settings, identity)
    bytes.append(littleEndian: UInt32(columns.pieceCount))
    for piece in 0..<columns.pieceCount {
      bytes.append(littleEndian: UInt32(columns.range(of: piece).count))
    }
  }

  mutating func append(_ texts: StringTable) throws(CatalogueError) {
    bytes.append(littleEndian: UInt32(texts.count - 1))
    for code in 1..<max(1, texts.count) {
      texts.withText(UInt32(code)) { text in
        bytes.append(littleEndian: UInt32(text.count))
        bytes.append(contentsOf: text)
      }
      try endRowIfFull()
    }
  }

  mutating func append(_ codes: CodeArray) throws(CatalogueError) {
    switch codes {
    case .one(let codes): bytes += [1] + codes
    case .two(let codes): bytes += [2] + [UInt8](littleEndian: codes)
    case .four(let codes): bytes += [4] + [UInt8](littleEndian: codes)
    }
    try endRowIfFull()
  }

  private mutating func endRowIfFull() throws(CatalogueError) {
    if bytes.count >= 1 << 20 { try endRow() }
  }

  mutating func endRow() throws(CatalogueError) {
    guard !bytes.isEmpty else { return }
    var row: [UInt8] = []
    row.append(littleEndian: bytes.withUnsafeBytes(\.hash32))
    try write(row + bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}

private struct ColumnStreamReader {
  private let next: () throws -> [UInt8]?
  private var bytes: [UInt8] = []
  private var offset = 0

  /// The rows do not contain what they should.
  struct Damaged: Error {}

  init(_ next: @escaping () throws -> [UInt8]?) { self.next = next }

  mutating func columns(
    _ settings: StripSettings, as identity: String, count: Int, _ memory: MemoryBudget
  ) throws -> ItemColumns {
    let head = head(settings, identity)
    try require(take(head.count).elementsEqual(head))
    var starts = [0]
    let pieceCount = try number(1...count + 1)
    for piece in 0..<pieceCount {
      starts.append(try starts[piece] + number(0...ItemColumns.pieceLimit))
    }
    try require(starts[pieceCount] == count)
    var columns = ItemColumns(starts: starts)
    for field in settings.filterable {
      columns.add(try column(.values(of: field), of: columns, memory))
    }
    if !settings.searchable.isEmpty {
      columns.add(try column(.words(of: settings.searchable), of: columns, memory))
    }
    try require(offset == bytes.count && next() == nil)
    return columns
  }

  private mutating func column(
    _ content: Column.Content, of columns: ItemColumns, _ memory: MemoryBudget
  ) throws -> Column {
    let textMemory = MemoryReservation(0, of: memory)
    let texts = try texts(textMemory)
    var pieces: [ColumnPiece] = []
    for piece in 0..<columns.pieceCount {
      var count = columns.range(of: piece).count
      var ends: [UInt32] = []
      if case .words = content {
        let counts = try codes(count, below: 1 << 20)
        ends.reserveCapacity(count)
        count = 0
        for index in 0..<counts.count {
          count += Int(counts[index])
          try require(count <= UInt32.max)
          ends.append(UInt32(count))
        }
      }
      pieces.append(ColumnPiece(try codes(count, below: texts.count), ends: ends, of: memory))
    }
    return Column(content, ValueDictionary(texts, memory: textMemory), pieces, of: memory)
  }

  private mutating func texts(_ memory: MemoryReservation) throws -> StringTable {
    var texts = StringTable()
    let count = try number(0...Int(UInt32.max))
    for code in 0..<count {
      if code % 4096 == 0 {
        memory.resize(to: texts.cost)
        memory.budget.evict()
      }
      let text = try take(number(0...1 << 20))
      try require(text.withUnsafeBytes { texts.code(of: $0) } == code + 1)
    }
    return texts
  }

  private mutating func codes(_ count: Int, below limit: Int) throws -> CodeArray {
    switch try take(1).first {
    case 1: .one(try numbers(count, below: limit))
    case 2: .two(try numbers(count, below: limit))
    case 4: .four(try numbers(count, below: limit))
    default: throw Damaged()
    }
  }

  private mutating func numbers<Code: FixedWidthInteger & UnsignedInteger>(
    _ count: Int, below limit: Int
  ) throws -> [Code] {
    let bytes = try take(MemoryLayout<Code>.size * count)
    let codes = [Code](unsafeUninitializedCapacity: count) { codes, filled in
      UnsafeMutableRawBufferPointer(codes).copyBytes(from: bytes)
      filled = count
    }
    try require(codes.reduce(0, max) < limit)
    return codes
  }

  private mutating func number(_ range: ClosedRange<Int>) throws -> Int {
    let number = try take(4).withUnsafeBytes {
      Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)))
    }
    try require(range ~= number)
    return number
  }

  /// The next bytes, from as many rows as they need.
  private mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
    while bytes.count - offset < count {
      guard let row = try next(), row.count > 4 else { throw Damaged() }
      try row.withUnsafeBytes {
        let checksum = UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))
        try require(UnsafeRawBufferPointer(rebasing: $0[4...]).hash32 == checksum)
      }
      bytes.removeFirst(offset)
      bytes += row[4...]
      offset = 0
    }
    defer { offset += count }
    return bytes[offset..<offset + count]
  }

}

private func require(_ condition: Bool) throws {
  guard condition else { throw ColumnStreamReader.Damaged() }
}
