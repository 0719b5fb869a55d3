import ArgumentParser
import Catalogue
import Foundation

/// A file of items, and how to read it.
struct ImportSource {
  let file: String
  let format: ImportFormat
  /// Nil if the file is in UTF-8.
  let encoding: TextEncoding?
  let mapping: ImportMapping
  let options: ReadingOptions
  let cancellation: CancellationSignal

  /// Opens the file. Reads the header if it is CSV.
  ///
  /// - Throws: `.failed` if it cannot be read; `.invalid` if it is no table or JSON Lines, or if the
  ///   mapping does not fit the header.
  func open() throws(CatalogueError) -> (input: InputFile, reader: any ItemReader) {
    let input = try InputFile(file, cancellation: cancellation)
    do throws(CatalogueError) {
      let decoding = try InputDecoding(input, encoding: encoding)
      let stream = ByteStream { () throws(CatalogueError) in try decoding.read() }
      switch format {
      case .csv: return (input, try CSVItems(stream, mapping: mapping, options: options))
      case .jsonl: return (input, JSONLinesItems(stream, options: options))
      }
    } catch {
      throw error.at(line: 1, of: file)
    }
  }
}

extension CatalogueError {
  /// Adds `FILE:LINE: ` to an error in the data. Other errors stay as they are.
  func at(line: Int, of file: String) -> CatalogueError {
    guard case .invalid(let sentence) = self else { return self }
    return .invalid("\(file):\(line): \(sentence)")
  }
}

enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
  case csv, jsonl

  /// The format that belongs to the end of a file's name, with or without `.gz`; nil if it is unknown.
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
  private let cancellation: CancellationSignal

  /// The file offset of standard input at the start; negative if it is a pipe.
  private static let start = lseek(STDIN_FILENO, 0, SEEK_CUR)

  /// - Throws: `.failed` if the file does not exist or cannot be read.
  init(_ name: String, cancellation: CancellationSignal) throws(CatalogueError) {
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

  /// The next bytes, at most 256 KiB; empty at the end.
  ///
  /// - Throws: `.failed` if the read fails; `.interrupted` after a signal.
  func read() throws(CatalogueError) -> [UInt8] {
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // A read from a pipe can block. The timeout lets a signal end the wait.
    while poll(&waited, 1, 100) == 0 {
      guard !cancellation.isCancelled else { throw .interrupted }
    }
    guard !cancellation.isCancelled else { throw .interrupted }
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
