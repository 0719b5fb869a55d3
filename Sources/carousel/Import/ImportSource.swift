import ArgumentParser
import Catalogue
import Compression
import Foundation
import Items

struct ImportSource {
  let file: String
  let format: ImportFormat
  /// Nil if the file is in UTF-8.
  let encoding: TextEncoding?
  let mapping: ImportMapping
  let options: ReadingOptions
  let cancellation: CancellationSignal

  /// - Throws: `.failed` if the file cannot be read; `.invalid` if it is no table or JSON Lines, or if
  ///   the mapping does not fit the header.
  func open() throws(CatalogueError) -> (input: InputFile, reader: any ItemReader) {
    let input = try InputFile(file, cancellation: cancellation)
    do throws(CatalogueError) {
      let decoding = try InputDecoding(input, encoding: encoding)
      let stream = ByteStream { () throws(CatalogueError) in try decoding.read() }
      switch format {
      case .csv: return (input, try CSVItems(stream, mapping: mapping, options: options))
      case .jsonl: return (input, try JSONLinesItems(stream, options: options))
      }
    } catch {
      throw error.at(line: 1, of: file)
    }
  }
}

extension CatalogueError {
  /// Adds `FILE:LINE: ` to an error in the data only.
  func at(line: Int, of file: String) -> CatalogueError {
    guard case .invalid(let sentence) = self else { return self }
    return .invalid("\(file):\(line): \(sentence)")
  }

  /// Adds the first line as well, and says which lines the record takes if it takes several.
  func at(_ lines: ClosedRange<Int>, of file: String) -> CatalogueError {
    let (first, last) = (lines.lowerBound, lines.upperBound)
    guard case .invalid(let sentence) = self, last > first else { return at(line: first, of: file) }
    return .invalid("\(file):\(first): \(sentence); the record takes lines \(first) to \(last)")
  }
}

enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
  case csv, jsonl

  /// By the end of the name, with or without `.gz`; nil if it is unknown.
  init?(fileName: String) {
    var name = fileName.lowercased()[...]
    if name.hasSuffix(".gz") { name = name.dropLast(3) }
    // The messages of the CSV reader name what to do with a spreadsheet or another delimiter.
    if [".csv", ".tsv", ".xlsx", ".xls", ".ods"].contains(where: name.hasSuffix) {
      self = .csv
    } else if [".jsonl", ".ndjson"].contains(where: name.hasSuffix) {
      self = .jsonl
    } else {
      return nil
    }
  }
}

/// The character between two cells of a CSV file: one ASCII character, or `tab`.
struct Delimiter: ExpressibleByArgument {
  let byte: UInt8

  init?(argument: String) {
    let text = ["tab", "\\t"].contains(argument) ? "\t" : argument
    guard text.utf8.count == 1, let byte = text.utf8.first, byte == 0x09 || 0x20..<0x7F ~= byte,
      byte != UInt8(ascii: "\"")
    else { return nil }
    self.byte = byte
  }
}

/// `MIN:MAX`, two decimals from 0 to 1000.
struct AspectRange: ExpressibleByArgument {
  let range: ClosedRange<Double>

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let low = Double(parts[0]), let high = Double(parts[1]),
      0...1000 ~= low, low...max(low, 1000) ~= high
    else { return nil }
    range = low...high
  }
}

/// A file that is read once from start to end; `-` is standard input.
///
/// A second `InputFile` for standard input starts at the same offset, if standard input is a file.
final class InputFile {
  let name: String
  private(set) var position = 0
  /// The size in bytes; nil for a pipe or a device.
  let size: Int?
  private let descriptor: Int32
  private let cancellation: CancellationSignal?

  /// The offset of standard input at the start; negative if it is a pipe.
  private static let start = lseek(STDIN_FILENO, 0, SEEK_CUR)

  /// - Parameter cancellation: nil if a signal ends the process.
  init(_ name: String, cancellation: CancellationSignal? = nil) throws(CatalogueError) {
    self.name = name
    self.cancellation = cancellation
    descriptor = name == "-" ? dup(STDIN_FILENO) : open(name, O_RDONLY | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw Self.readError(name) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      size = nil
      return
    }
    let start = name == "-" ? Self.start : 0
    size = max(0, Int(status.st_size) - start)
    guard lseek(descriptor, off_t(start), SEEK_SET) >= 0 else { throw Self.readError(name) }
  }

  deinit { close(descriptor) }

  /// At most 256 KiB; empty at the end. Throws `.failed` if the read fails; `.interrupted` after a
  /// signal.
  func read() throws(CatalogueError) -> [UInt8] {
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // The timeout lets a signal end the wait.
    while poll(&waited, 1, 100) == 0 {
      guard cancellation?.isCancelled != true else { throw .interrupted }
    }
    guard cancellation?.isCancelled != true else { throw .interrupted }
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, filled in
      repeat {
        count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      } while count < 0 && errno == EINTR
      filled = max(count, 0)
    }
    guard count >= 0 else { throw Self.readError(name) }
    position += count
    return bytes
  }

  private static func readError(_ name: String) -> CatalogueError {
    .failed("cannot read \(name): \(String(cString: strerror(errno)))")
  }
}

/// Turns the bytes of a file into text in UTF-8: decompresses gzip, and converts the encoding.
final class InputDecoding {
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

  fileprivate var unitSize: Int {
    let name = name.lowercased()
    if name.hasPrefix("utf-16") || name.hasPrefix("utf16") || name.hasPrefix("ucs-2") { return 2 }
    return name.hasPrefix("utf-32") || name.hasPrefix("utf32") || name.hasPrefix("ucs-4") ? 4 : 1
  }
}

/// Converts text to UTF-8 with iconv of the C library.
///
/// A code unit that the encoding does not allow becomes the byte FF, which UTF-8 does not allow either.
/// So the reader rejects the record with its line.
final class CharacterDecoder {
  private let handle: iconv_t
  private let unitSize: Int
  /// The bytes of an incomplete character.
  private var rest: [UInt8] = []

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
      return pendingOutput() + (rest.isEmpty ? [] : [0xFF])
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

  /// The character that iconv holds until it knows whether an accent follows.
  private func pendingOutput() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16) { output, filled in
      var target = UnsafeMutableRawPointer(output.baseAddress)?.assumingMemoryBound(to: CChar.self)
      var room = output.count
      iconv(handle, nil, nil, &target, &room)
      filled = output.count - room
    }
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
