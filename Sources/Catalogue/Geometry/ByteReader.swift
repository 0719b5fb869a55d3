import Items

/// Reads little-endian numbers and texts from the bytes of a row.
struct ByteReader {
  private let bytes: [UInt8]
  private let damaged: CatalogueError
  private var offset = 0

  /// - Parameter damaged: the error if a read passes the end, or a text is not UTF-8.
  init(_ bytes: [UInt8], of damaged: CatalogueError) {
    self.bytes = bytes
    self.damaged = damaged
  }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type
  ) throws(CatalogueError) -> Number {
    let start = try skip(MemoryLayout<Number>.size)
    return Number(
      littleEndian: bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: type))
  }

  mutating func numbers<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type, _ count: Int
  ) throws(CatalogueError) -> [Number] {
    let size = MemoryLayout<Number>.size
    guard count <= bytes.count / size else { throw damaged }
    let start = try skip(size * count)
    let bytes = bytes.span.bytes
    return (0..<count).map {
      Number(
        littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: start + size * $0, as: type))
    }
  }

  mutating func text(_ length: Int) throws(CatalogueError) -> String {
    let start = try skip(length)
    guard let text = try? UTF8Span(validating: bytes.span.extracting(start..<start + length)) else {
      throw damaged
    }
    return String(copying: text)
  }

  /// Skips bytes, and returns where they begin.
  private mutating func skip(_ count: Int) throws(CatalogueError) -> Int {
    guard count <= bytes.count - offset else { throw damaged }
    defer { offset += count }
    return offset
  }
}

extension [UInt8] {
  init(littleEndian numbers: [some FixedWidthInteger]) {
    self = numbers.map(\.littleEndian).withUnsafeBytes { Array($0) }
  }

  mutating func append(littleEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
