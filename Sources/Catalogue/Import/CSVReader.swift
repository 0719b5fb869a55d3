package import Items

/// Reads a CSV file (RFC 4180) record by record.
///
///     var reader = CSVReader(ByteStream(Array("id,title\r\na6,\"Blue,\nwith a break\"\r\n".utf8)))
///     try reader.next()      // true
///     reader.record.texts()  // ["id", "title"]
///
/// Records end at CRLF, LF or CR. A record is skipped if all its cells are empty, quoted or not. A quoted
/// cell can contain delimiters, line breaks, and doubled quotes. Spaces and tabs can follow its closing
/// quote. In a cell that does not begin with a quote, a quote is a character like others.
///
/// - Complexity: one pass over the bytes; one record in memory.
package struct CSVReader {
  /// The last record that `next()` has read.
  package private(set) var record = CSVRecord()
  /// Whether the file has ended inside quotes, so that the last record may contain others.
  package private(set) var endsOpen = false
  /// The last line that the last record takes.
  package private(set) var lastLine = 0
  private var stream: ByteStream
  private var delimiter: UInt8
  /// Where the quotes of the cell open.
  private var quoteLine: Int?
  /// The error of a record that is too long. Its rest is read to its end, and not kept.
  private var excess: CatalogueError?

  /// - Parameters:
  ///   - delimiter: the ASCII character between two cells.
  ///   - encoding: the encoding that the text had, for errors; nil for UTF-8.
  package init(
    _ stream: ByteStream, delimiter: UInt8 = UInt8(ascii: ","), encoding: String? = nil
  ) {
    self.stream = stream
    record.encoding = encoding
    self.delimiter = delimiter
  }

  /// - Returns: false at the end.
  /// - Throws: `.invalid` for a malformed record, which begins at `record.line`. The next call reads
  ///   the line after the fault, or the record after one that is too long.
  package mutating func next() throws(CatalogueError) -> Bool {
    repeat {
      while let byte = try stream.peek(), byte == Self.lf || byte == Self.cr {
        _ = try stream.next()
      }
      record.begin(line: stream.line)
      excess = nil
      guard try stream.peek() != nil else { return false }
      while try cell() {}
      if let excess { throw excess }
    } while record.bytes.isEmpty
    return true
  }

  /// Reads the header: the first record, or the second one if the first is a line such as `sep=;`, which
  /// spreadsheets write. Such a line sets the delimiter.
  ///
  /// - Returns: nil at the end, else whether the file names its delimiter.
  mutating func header() throws(CatalogueError) -> Bool? {
    guard try next() else { return nil }
    guard let named = record.namedDelimiter(delimiter) else { return false }
    delimiter = named
    return try next() ? true : nil
  }

  /// Reads a cell and its end; returns whether the record has another.
  private mutating func cell() throws(CatalogueError) -> Bool {
    let isQuoted = try stream.peek() == Self.quote
    quoteLine = isQuoted ? stream.line : nil
    if isQuoted { try quotedText() } else { try appendPlainText() }
    lastLine = stream.line
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
      default:
        if isQuoted {
          if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { continue }
          try skipLine()
          throw excess
            ?? malformed("there is text between a closing quote and the end of the cell")
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
    try appendQuotedText()
    while let byte = try stream.next() {
      if byte == Self.quote {
        guard try stream.peek() == Self.quote else { return }
        _ = try stream.next()
      }
      record.bytes.append(byte)
      try appendQuotedText()
    }
    endsOpen = true
    let endsLine = record.bytes.last == Self.lf || record.bytes.last == Self.cr
    lastLine = endsLine ? stream.line - 1 : stream.line
    throw .invalid("a quote is never closed: it opens in line \(quoteLine ?? lastLine)")
  }

  /// Appends text up to a byte that `stops`, or to the end of the chunk.
  @inline(__always)
  private mutating func appendText(until stops: (UInt8) -> Bool) throws(CatalogueError) {
    try stream.append(to: &record.bytes, until: stops)
    // Each cell keeps its end, so that a record of delimiters takes memory, too.
    guard record.bytes.count + record.count > ByteStream.maximumRecord else { return }
    lastLine = stream.line
    excess = excess ?? malformed("the record is longer than 8 MiB: a quote may be missing")
    record.begin(line: record.line)
  }

  private mutating func appendQuotedText() throws(CatalogueError) {
    try appendText { $0 == Self.quote || $0 == Self.lf || $0 == Self.cr }
  }

  private mutating func appendPlainText() throws(CatalogueError) {
    let delimiter = delimiter
    try appendText { $0 == delimiter || $0 == Self.lf || $0 == Self.cr }
  }

  private mutating func skipLine() throws(CatalogueError) {
    while let byte = try stream.next(), byte != Self.lf {
      if byte == Self.cr, try stream.peek() != Self.lf { break }
    }
  }

  private func malformed(_ sentence: String) -> CatalogueError {
    var location = "in cell \(record.count + 1)"
    if let quoteLine, quoteLine < lastLine {
      location += ", whose quote opens in line \(quoteLine)"
    }
    return .invalid("\(sentence), \(location)")
  }

  private static let quote = UInt8(ascii: "\"")
  private static let cr = UInt8(ascii: "\r")
  private static let lf = UInt8(ascii: "\n")
}

/// One record of a CSV file: its cells, and the line at which it begins.
package struct CSVRecord {
  /// The line on which the record begins, from 1; 0 before the first record.
  package private(set) var line = 0
  fileprivate var encoding: String?
  fileprivate var bytes: [UInt8] = []
  private var ends: [Int] = []

  fileprivate mutating func begin(line: Int) {
    self.line = line
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  fileprivate mutating func endCell() { ends.append(bytes.count) }

  package var count: Int { ends.count }

  /// The delimiter that a record such as `sep=;` names. If that is `delimiter` itself, the record has two cells.
  fileprivate func namedDelimiter(_ delimiter: UInt8) -> UInt8? {
    guard bytes.count <= 5, String(decoding: bytes.prefix(4), as: UTF8.self).lowercased() == "sep="
    else { return nil }
    if bytes.count == 4 { return count == 2 && self[1].isEmpty ? delimiter : nil }
    let named = bytes[4]
    let isDelimiter = named == 0x09 || 0x20..<0x7F ~= named && named != UInt8(ascii: "\"")
    return count == 1 && isDelimiter ? named : nil
  }

  /// The cell at `index`, without its quotes. It is empty if the record ends before it.
  package subscript(index: Int) -> ArraySlice<UInt8> {
    guard index < count else { return [] }
    return bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// All cells as text. Throws `.invalid` for a cell that is not valid UTF-8.
  package func texts() throws(CatalogueError) -> [String] {
    try (0..<count).map { index throws(CatalogueError) in
      try text(index, of: "cell \(index + 1)")
    }
  }

  /// - Parameter cell: the name of the cell in errors.
  func text(_ index: Int, of cell: @autoclosure () -> String) throws(CatalogueError) -> String {
    guard let text = String(validating: self[index], as: UTF8.self) else {
      throw invalidText(cell())
    }
    return text
  }

  func invalidText(_ cell: String) -> CatalogueError {
    guard let encoding else {
      return .invalid(
        "\(cell) is not valid UTF-8: if the file has another encoding, add --encoding windows-1252, "
          + "for example")
    }
    return .invalid("\(cell) is not valid \(encoding)")
  }
}
