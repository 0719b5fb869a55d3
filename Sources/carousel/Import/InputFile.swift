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
