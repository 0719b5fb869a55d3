import Catalogue
import Compression
import Foundation
import Items

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
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      throw .invalid("the text is UTF-16: add --encoding utf-16")
    }
    if head[0] == 0 || head[1] == 0 {
      throw .invalid("the text is UTF-16: add --encoding \(head[0] == 0 ? "utf-16be" : "utf-16le")")
    }
  }
}
