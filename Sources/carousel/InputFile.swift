import Catalogue
import Foundation

/// A file that is read from its beginning to its end, or standard input where its name is `-`.
///
/// Standard input begins where it stood when the program was started: who reads it again has the same.
final class InputFile {
  let name: String
  /// How many bytes have been read.
  private(set) var position = 0
  /// How many bytes there are; nil for what is no regular file.
  let size: Int?
  private let descriptor: Int32
  private let interruption: CancellationSignal

  /// Where standard input stood before anything was read; negative where there are no places in it.
  private static let start = lseek(STDIN_FILENO, 0, SEEK_CUR)

  /// - Throws: `.failed` when there is no such file, or it may not be read.
  init(_ name: String, interruption: CancellationSignal) throws(CatalogueError) {
    self.name = name
    self.interruption = interruption
    descriptor = name == "-" ? dup(STDIN_FILENO) : open(name, O_RDONLY | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw Self.unreadable(name) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      size = nil
      return
    }
    let start = name == "-" ? Self.start : 0
    size = max(0, Int(status.st_size) - start)
    guard lseek(descriptor, off_t(start), SEEK_SET) >= 0 else { throw Self.unreadable(name) }
  }

  deinit { close(descriptor) }

  /// The next bytes; none at the end.
  ///
  /// - Throws: `.failed` when reading fails, `.interrupted` when a signal has come.
  func read() throws(CatalogueError) -> [UInt8] {
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // A pipe may give nothing for long; a signal is to be seen meanwhile.
    while poll(&waited, 1, 100) == 0 {
      guard !interruption.hasCome else { throw .interrupted }
    }
    guard !interruption.hasCome else { throw .interrupted }
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, filled in
      repeat {
        count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      } while count < 0 && errno == EINTR
      filled = max(count, 0)
    }
    guard count >= 0 else { throw Self.unreadable(name) }
    position += count
    return bytes
  }

  private static func unreadable(_ name: String) -> CatalogueError {
    .failed("\(name) cannot be read: \(String(cString: strerror(errno)))")
  }
}
