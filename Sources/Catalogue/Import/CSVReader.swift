/// Reads a CSV file (RFC 4180) record by record.
///
///     var reader = CSVReader(ByteStream(Array("id,title\r\na6,\"Blue,\nwith a break\"\r\n".utf8)))
///     try reader.next()      // true
///     reader.record.texts()  // ["id", "title"]
///
/// Records end at CRLF, LF or CR. Blank lines are skipped. A quoted cell can contain delimiters, line
/// breaks, and doubled quotes.
///
/// - Complexity: one pass over the bytes; one record in memory.
package struct CSVReader {
  /// The last record that `next()` has read.
  package private(set) var record = CSVRecord()
  /// Whether the file has ended inside quotes, so that the last record may contain others.
  package private(set) var endsOpen = false
  private var stream: ByteStream
  private let delimiter: UInt8

  /// - Parameter delimiter: the ASCII character between two cells.
  package init(_ stream: ByteStream, delimiter: UInt8 = UInt8(ascii: ",")) {
    self.stream = stream
    self.delimiter = delimiter
  }

  /// - Returns: false at the end.
  /// - Throws: `.invalid` for a malformed record, which begins at `record.line`. The next call reads
  ///   the line after the fault.
  package mutating func next() throws(CatalogueError) -> Bool {
    while let byte = try stream.peek(), byte == Self.lf || byte == Self.cr { _ = try stream.next() }
    record.begin(line: stream.line)
    guard try stream.peek() != nil else { return false }
    while try cell() {}
    return true
  }

  /// Reads a cell and its end; returns whether the record has another.
  private mutating func cell() throws(CatalogueError) -> Bool {
    let isQuoted = try stream.peek() == Self.quote
    if isQuoted { try quotedText() } else { try appendPlainText() }
    while let byte = try stream.next() {
      switch byte {
      case delimiter:
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
        throw try malformed("there is a quote in a cell that does not begin with one")
      default:
        guard !isQuoted else {
          throw try malformed("there is text between a closing quote and the end of the cell")
        }
        // The text continues in the next chunk.
        record.bytes.append(byte)
        try appendPlainText()
      }
    }
    record.endCell()
    return false
  }

  /// Reads from the opening quote to the closing one.
  private mutating func quotedText() throws(CatalogueError) {
    _ = try stream.next()
    try appendText { $0 == Self.quote || $0 == Self.lf }
    while let byte = try stream.next() {
      if byte == Self.quote {
        guard try stream.peek() == Self.quote else { return }
        _ = try stream.next()
      }
      record.bytes.append(byte)
      try appendText { $0 == Self.quote || $0 == Self.lf }
    }
    endsOpen = true
    throw .invalid("a quote is never closed")
  }

  /// Appends text up to a byte that `stops`, or to the end of the chunk.
  @inline(__always)
  private mutating func appendText(until stops: (UInt8) -> Bool) throws(CatalogueError) {
    try stream.append(to: &record.bytes, until: stops)
    guard record.bytes.count <= ByteStream.maximumRecord else {
      throw try malformed("the record is longer than 8 MiB: a quote may be missing")
    }
  }

  private mutating func appendPlainText() throws(CatalogueError) {
    let delimiter = delimiter
    try appendText {
      $0 == delimiter || $0 == Self.quote || $0 == Self.lf || $0 == Self.cr
    }
  }

  private mutating func malformed(_ sentence: String) throws(CatalogueError) -> CatalogueError {
    try stream.skipLine()
    return .invalid("\(sentence), in cell \(record.count + 1)")
  }

  private static let quote = UInt8(ascii: "\"")
  private static let cr = UInt8(ascii: "\r")
  private static let lf = UInt8(ascii: "\n")
}

/// One record of a CSV file: its cells, and the line at which it begins.
package struct CSVRecord {
  /// From 1; 0 before the first record.
  package private(set) var line = 0
  fileprivate var bytes: [UInt8] = []
  private var ends: [Int] = []

  fileprivate mutating func begin(line: Int) {
    self.line = line
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  fileprivate mutating func endCell() { ends.append(bytes.count) }

  package var count: Int { ends.count }

  /// The cell at `index`, without its quotes.
  package subscript(index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// All cells as text. Throws `.invalid` for a cell that is not valid UTF-8.
  package func texts() throws(CatalogueError) -> [String] {
    try (0..<count).map { index throws(CatalogueError) in
      try text(index, of: "cell \(index + 1)")
    }
  }

  /// - Parameter cell: what the cell is called in errors.
  func text(_ index: Int, of cell: @autoclosure () -> String) throws(CatalogueError) -> String {
    guard let text = String(validating: self[index], as: UTF8.self) else {
      throw Self.notUTF8(cell())
    }
    return text
  }

  static func notUTF8(_ cell: String) -> CatalogueError {
    .invalid(
      "\(cell) is not valid UTF-8: if the file has another encoding, add --encoding windows-1252, "
        + "for example")
  }
}
