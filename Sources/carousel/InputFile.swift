import Foundation
import Items

/// A file that is read from its beginning to its end, or standard input where its name is `-`.
final class InputFile {
  let name: String
  /// How many bytes have been read.
  private(set) var position = 0
  /// How many bytes there are; nil for what is no regular file.
  let size: Int?
  private let descriptor: Int32
  private let interruption: Interruption

  /// - Throws: `.failed` when there is no such file, or it may not be read.
  init(_ name: String, interruption: Interruption) throws(CatalogueError) {
    self.name = name
    self.interruption = interruption
    descriptor = name == "-" ? dup(STDIN_FILENO) : open(name, O_RDONLY | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw Self.unreadable(name) }
    size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
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
