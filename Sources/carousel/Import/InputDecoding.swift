import ArgumentParser
import Catalogue
import Compression
import Foundation

/// Turns the bytes of a file into text in UTF-8: decompresses gzip, and converts the encoding.
///
/// gzip is recognized by its first two bytes.
final class InputDecoding {
  private let input: InputFile
  private let decoder: CharacterDecoder?
  /// The first bytes of the file, until they are passed on.
  private var head: [UInt8] = []
  private var gzip: GzipReader?

  /// - Throws: `.invalid` if the file is a spreadsheet, or UTF-16 without an option that says so.
  init(_ input: InputFile, encoding: TextEncoding?) throws(CatalogueError) {
    self.input = input
    decoder = try encoding.map { encoding throws(CatalogueError) in
      try CharacterDecoder(encoding)
    }
    // A pipe can give less than a file's signature at first.
    while head.count < 4 {
      let bytes = try input.read()
      if bytes.isEmpty { break }
      head += bytes
    }
    if GzipReader.matches(head) {
      gzip = GzipReader()
      head = try decompressed()
    }
    try checkFormat(isDecoded: encoding != nil)
  }

  /// The next bytes of the text; empty at the end.
  func read() throws(CatalogueError) -> [UInt8] {
    while true {
      let bytes = try nextBytes()
      guard let decoder else { return bytes }
      let text = decoder.decode(bytes)
      if !text.isEmpty || bytes.isEmpty { return text }
    }
  }

  /// The next bytes without gzip.
  private func nextBytes() throws(CatalogueError) -> [UInt8] {
    if !head.isEmpty {
      defer { head = [] }
      return head
    }
    return try gzip != nil ? decompressed() : input.read()
  }

  private func decompressed() throws(CatalogueError) -> [UInt8] {
    let bytes = try gzip?.next { () throws(CatalogueError) in
      if head.isEmpty { return try input.read() }
      defer { head = [] }
      return head
    }
    guard let bytes else {
      throw .failed("cannot read \(input.name): its gzip data is damaged or truncated")
    }
    return bytes
  }

  private func checkFormat(isDecoded: Bool) throws(CatalogueError) {
    // ZIP, which .xlsx and .ods are, and the container of .xls.
    if [[0x50, 0x4B, 0x03, 0x04], [0xD0, 0xCF, 0x11, 0xE0]].contains(where: head.starts(with:)) {
      throw .invalid(
        "this is a spreadsheet or a ZIP archive: save the table as CSV, and import that file")
    }
    guard !isDecoded, head.count >= 2 else { return }
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      throw .invalid("the text is UTF-16: add --encoding utf-16")
    }
    if head[0] == 0 || head[1] == 0 {
      throw .invalid("the text is UTF-16: add --encoding \(head[0] == 0 ? "utf-16be" : "utf-16le")")
    }
  }
}

/// The name of a character encoding that iconv of the C library knows: `utf-16`, `windows-1252`.
struct TextEncoding: ExpressibleByArgument {
  let name: String

  init?(argument: String) {
    // iconv takes a suffix such as //IGNORE for an instruction.
    guard !argument.isEmpty, argument.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2F })
    else { return nil }
    name = argument
  }

  var isUTF8: Bool { ["utf-8", "utf8"].contains(name.lowercased()) }

  /// The size of a code unit in bytes.
  fileprivate var unitSize: Int {
    let name = name.lowercased()
    if name.hasPrefix("utf-16") || name.hasPrefix("utf16") || name.hasPrefix("ucs-2") { return 2 }
    return name.hasPrefix("utf-32") || name.hasPrefix("utf32") || name.hasPrefix("ucs-4") ? 4 : 1
  }
}

/// Converts text to UTF-8 with iconv of the C library.
///
/// A code unit that the encoding does not allow becomes the byte FF. UTF-8 does not allow it either, so
/// that the reader rejects the record with its line.
final class CharacterDecoder {
  private let handle: iconv_t
  private let unitSize: Int
  /// The bytes of an incomplete character.
  private var rest: [UInt8] = []

  /// - Throws: `.invalid` if the C library does not know the encoding.
  init(_ encoding: TextEncoding) throws(CatalogueError) {
    let failed = iconv_t(bitPattern: -1)
    guard let handle = iconv_open("UTF-8", encoding.name), handle != failed else {
      throw .invalid(
        "--encoding: this system does not know \(encoding.name); \"iconv --list\" lists its encodings"
      )
    }
    self.handle = handle
    unitSize = encoding.unitSize
  }

  deinit { iconv_close(handle) }

  /// - Parameter bytes: empty at the end.
  func decode(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else {
      defer { rest = [] }
      return rest.isEmpty ? [] : [0xFF]
    }
    rest += bytes
    var text: [UInt8] = []
    var position = 0
    while position < rest.count {
      let error = convert(from: &position, to: &text)
      if error == EILSEQ {
        text.append(0xFF)
        position = min(position + unitSize, rest.count)
      } else if error == EINVAL {
        break
      }
    }
    rest.removeFirst(position)
    return text
  }

  /// Converts as many bytes as possible; returns why it stopped, 0 at the end.
  private func convert(from position: inout Int, to text: inout [UInt8]) -> Int32 {
    var error: Int32 = 0
    let count = rest.count - position
    text += [UInt8](unsafeUninitializedCapacity: 3 * count + 16) { output, filled in
      rest.withUnsafeMutableBytes { input in
        var source = input.baseAddress.map { ($0 + position).assumingMemoryBound(to: CChar.self) }
        var target = UnsafeMutableRawPointer(output.baseAddress)?
          .assumingMemoryBound(to: CChar.self)
        var (left, room) = (count, output.count)
        if iconv(handle, &source, &left, &target, &room) == -1 { error = errno }
        position += count - left
        filled = output.count - room
      }
    }
    return error
  }
}
