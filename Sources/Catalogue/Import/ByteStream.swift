package import Items

/// The bytes of a file, which come in chunks: read byte by byte, or line by line.
///
/// A byte order mark (U+FEFF) at the start is skipped.
package struct ByteStream {
  /// The largest record of an import in bytes, so that an unclosed quote cannot fill the memory.
  static let maximumRecord = 8 << 20

  private let source: ByteSource
  private var chunk: [UInt8] = []
  private var position = 0
  private var isAtStart = true
  /// The number of the current line, from 1.
  private(set) var line = 1

  package init(_ source: @escaping ByteSource) { self.source = source }

  package init(_ bytes: [UInt8]) {
    var rest = bytes
    self.init {
      defer { rest = [] }
      return rest
    }
  }

  /// Whether there is a next byte: `chunk[position]`. Gets the next chunk if need be.
  private mutating func hasByte() throws(CatalogueError) -> Bool {
    if position < chunk.count { return true }
    chunk = try source()
    position = 0
    if isAtStart { try skipByteOrderMark() }
    return position < chunk.count
  }

  private mutating func skipByteOrderMark() throws(CatalogueError) {
    isAtStart = false
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    // The mark can come in several chunks. Bytes that only begin like it are the file's.
    while chunk.count < mark.count, mark.starts(with: chunk) {
      let next = try source()
      if next.isEmpty { return }
      chunk += next
    }
    guard chunk.starts(with: mark) else { return }
    position = mark.count
    _ = try hasByte()
  }

  mutating func peek() throws(CatalogueError) -> UInt8? {
    try hasByte() ? chunk[position] : nil
  }

  mutating func next() throws(CatalogueError) -> UInt8? {
    guard try hasByte() else { return nil }
    let byte = chunk[position]
    position += 1
    if byte == UInt8(ascii: "\n") {
      line += 1
    } else if byte == UInt8(ascii: "\r"), try peek() != UInt8(ascii: "\n") {
      line += 1
    }
    return byte
  }

  /// Appends bytes to `bytes` up to one that `stops`, or to the end of the chunk.
  ///
  /// - Precondition: `stops` is true for LF and CR, which `next()` counts.
  @inline(__always)
  mutating func append(
    to bytes: inout [UInt8], until stops: (UInt8) -> Bool
  ) throws(CatalogueError) {
    guard try hasByte() else { return }
    position = chunk.withUnsafeBufferPointer { chunk in
      var end = position
      while end < chunk.count, !stops(chunk[end]) { end += 1 }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: chunk[position..<end]))
      return end
    }
  }

  private mutating func skipLine() throws(CatalogueError) {
    while let byte = try next(), byte != UInt8(ascii: "\n") {}
  }

  /// The next line without its end, LF or CRLF; nil at the end of the file.
  ///
  /// - Throws: `.invalid` for a line longer than 8 MiB; the next call returns the line after it.
  mutating func nextLine() throws(CatalogueError) -> [UInt8]? {
    guard try hasByte() else { return nil }
    var text: [UInt8] = []
    while try hasByte() {
      let end = chunk[position...].firstIndex(of: UInt8(ascii: "\n"))
      text += chunk[position..<(end ?? chunk.count)]
      position = end.map { $0 + 1 } ?? chunk.count
      if end != nil {
        line += 1
        break
      }
      guard text.count <= Self.maximumRecord else {
        try skipLine()
        throw .invalid("the line is longer than 8 MiB")
      }
    }
    if text.last == UInt8(ascii: "\r") { text.removeLast() }
    return text
  }
}
