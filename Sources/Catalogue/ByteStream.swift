/// Bytes that come a chunk at a time, such as those of a file, one by one or a line at a time.
package struct ByteStream {
  /// Gives the next bytes; none at the end.
  package typealias Source = () throws(CatalogueError) -> [UInt8]

  /// No record of an import is longer, so that a quote never closed does not swallow the memory.
  static let maximumRecord = 8 << 20

  private let source: Source
  private var chunk: [UInt8] = []
  private var position = 0
  /// The line that the next byte stands on, from 1.
  private(set) var line = 1

  package init(_ source: @escaping Source) { self.source = source }

  /// A stream over these bytes.
  package init(_ bytes: [UInt8]) {
    var rest = bytes
    self.init {
      defer { rest = [] }
      return rest
    }
  }

  /// Whether a byte is left; `chunk[position]` is then the next.
  private mutating func isAtByte() throws(CatalogueError) -> Bool {
    if position < chunk.count { return true }
    chunk = try source()
    position = 0
    return !chunk.isEmpty
  }

  mutating func peek() throws(CatalogueError) -> UInt8? {
    try isAtByte() ? chunk[position] : nil
  }

  mutating func next() throws(CatalogueError) -> UInt8? {
    guard try isAtByte() else { return nil }
    let byte = chunk[position]
    position += 1
    if byte == UInt8(ascii: "\n") { line += 1 }
    return byte
  }

  /// Appends the bytes up to the next that `stops`, as far as they are at hand, to `bytes`; none of
  /// them may be a line's end.
  @inline(__always)
  mutating func take(
    into bytes: inout [UInt8], until stops: (UInt8) -> Bool
  ) throws(CatalogueError) {
    guard try isAtByte() else { return }
    let end = chunk.withUnsafeBufferPointer { chunk in
      var place = position
      while place < chunk.count, !stops(chunk[place]) { place += 1 }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: chunk[position..<place]))
      return place
    }
    position = end
  }

  /// Skips the mark that some programs put before UTF-8.
  mutating func skipByteOrderMark() throws(CatalogueError) {
    for byte: UInt8 in [0xEF, 0xBB, 0xBF] {
      guard try peek() == byte else { return }
      position += 1
    }
  }

  /// Skips the rest of the line, with its end.
  mutating func skipLine() throws(CatalogueError) {
    while let byte = try next(), byte != UInt8(ascii: "\n") {}
  }

  /// The next line without its end, LF or CRLF; nil at the end.
  ///
  /// - Throws: `.invalid` for one longer than 8 MiB; the next call goes on behind it.
  mutating func nextLine() throws(CatalogueError) -> [UInt8]? {
    guard try isAtByte() else { return nil }
    var text: [UInt8] = []
    while try isAtByte() {
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
