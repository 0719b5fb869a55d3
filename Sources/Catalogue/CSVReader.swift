/// Reads a table of comma-separated values by RFC 4180, record by record.
///
///     var reader = CSVReader(ByteStream(Array("id,title\r\na6,\"Blue,\nwith a break\"\r\n".utf8)))
///     try reader.next()      // true
///     reader.record.cells    // ["id", "title"]
///
/// Records end at CRLF, LF or CR; blank lines are no records. A quoted cell may hold commas, line
/// breaks, and quotes written twice.
///
/// - Complexity: one pass over the bytes; holds one record.
package struct CSVReader {
  /// The record that `next()` has read.
  package private(set) var record = CSVRecord()
  /// Whether the file has ended within quotes: then nobody knows what the record has swallowed.
  package private(set) var endsOpen = false
  private var stream: ByteStream

  package init(_ stream: ByteStream) { self.stream = stream }

  /// Reads the next record; false at the end.
  ///
  /// - Throws: `.invalid` for one that is malformed; `record.line` says where it begins, and the
  ///   next call goes on with the line behind the fault.
  package mutating func next() throws(CatalogueError) -> Bool {
    if record.line == 0 { try stream.skipByteOrderMark() }
    while let byte = try stream.peek(), byte == Self.lf || byte == Self.cr { _ = try stream.next() }
    record.begin(line: stream.line)
    guard try stream.peek() != nil else { return false }
    while try cell() {}
    return true
  }

  /// Reads a cell and what ends it; whether another follows in the record.
  private mutating func cell() throws(CatalogueError) -> Bool {
    let isQuoted = try stream.peek() == Self.quote
    if isQuoted { try quotedText() } else { try take(until: Self.endsText) }
    while let byte = try stream.next() {
      switch byte {
      case Self.comma:
        record.endCell()
        return true
      case Self.lf:
        record.endCell()
        return false
      case Self.cr:
        if try stream.peek() == Self.lf { _ = try stream.next() }
        record.endCell()
        return false
      case Self.quote:
        throw try malformed("a quote within a cell that is not quoted")
      default:
        guard !isQuoted else {
          throw try malformed("something between a closing quote and the comma")
        }
        // The text went on beyond what was at hand.
        try append(byte)
        try take(until: Self.endsText)
      }
    }
    record.endCell()
    return false
  }

  /// Reads from the opening quote to the closing one.
  private mutating func quotedText() throws(CatalogueError) {
    _ = try stream.next()
    try take { $0 == Self.quote || $0 == Self.lf }
    while let byte = try stream.next() {
      if byte == Self.quote {
        guard try stream.peek() == Self.quote else { return }
        _ = try stream.next()
      }
      try append(byte)
      try take { $0 == Self.quote || $0 == Self.lf }
    }
    endsOpen = true
    throw .invalid("a quote is opened and never closed")
  }

  private mutating func append(_ byte: UInt8) throws(CatalogueError) {
    record.append(byte)
    try checkSize()
  }

  /// Takes text up to a byte that has a meaning, or to the end of what is at hand.
  @inline(__always)
  private mutating func take(until stops: (UInt8) -> Bool) throws(CatalogueError) {
    try stream.take(into: &record.bytes, until: stops)
    try checkSize()
  }

  private mutating func checkSize() throws(CatalogueError) {
    guard record.size <= ByteStream.maximumRecord else {
      throw try malformed("the record is longer than 8 MiB: a quote may not be closed")
    }
  }

  private mutating func malformed(_ sentence: String) throws(CatalogueError) -> CatalogueError {
    try stream.skipLine()
    return .invalid("\(sentence), in cell \(record.count + 1)")
  }

  /// Whether the text of a cell without quotes ends before this byte.
  private static func endsText(_ byte: UInt8) -> Bool {
    byte == comma || byte == quote || byte == lf || byte == cr
  }

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let cr = UInt8(ascii: "\r")
  private static let lf = UInt8(ascii: "\n")
}

/// One record of a table: its cells, and the line it begins on.
package struct CSVRecord {
  /// From 1; 0 before the first record.
  package private(set) var line = 0
  fileprivate var bytes: [UInt8] = []
  private var ends: [Int] = []

  /// How many cells there are.
  package var count: Int { ends.count }

  /// The cell at `index`, as it is meant: without quotes around it.
  package subscript(index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// All cells as text.
  ///
  /// - Throws: `.invalid` for one that is not UTF-8.
  package func texts() throws(CatalogueError) -> [String] {
    var texts: [String] = []
    for index in 0..<count { texts.append(try text(index)) }
    return texts
  }

  /// - Throws: `.invalid` for a cell that is not UTF-8.
  package func text(_ index: Int) throws(CatalogueError) -> String {
    guard let text = String(validating: self[index], as: UTF8.self) else {
      throw .invalid("cell \(index + 1) is not valid UTF-8")
    }
    return text
  }

  fileprivate var size: Int { bytes.count }

  fileprivate mutating func begin(line: Int) {
    self.line = line
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  fileprivate mutating func append(_ byte: UInt8) { bytes.append(byte) }
  fileprivate mutating func endCell() { ends.append(bytes.count) }
}
