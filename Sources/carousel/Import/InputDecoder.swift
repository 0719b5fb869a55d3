import Catalogue
import Compression
import Foundation
import Items

/// Turns the bytes of a file into text in UTF-8: decompresses gzip, and converts the encoding.
final class InputDecoder {
  private let input: InputFile
  private let decoder: CharacterDecoder?
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

  func read() throws(CatalogueError) -> [UInt8] {
    while true {
      let bytes = try nextBytes()
      guard let decoder else { return bytes }
      let text = decoder.decode(bytes)
      if !text.isEmpty || bytes.isEmpty { return text }
    }
  }

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
    if [[0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF]].contains(where: head.starts(with:)) {
      throw .invalid("the text is UTF-32: save it as UTF-8")
    }
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      throw .invalid("the text is UTF-16: add --encoding utf-16")
    }
    if head[0] == 0 || head[1] == 0 {
      throw .invalid("the text is UTF-16: add --encoding \(head[0] == 0 ? "utf-16be" : "utf-16le")")
    }
  }
}
