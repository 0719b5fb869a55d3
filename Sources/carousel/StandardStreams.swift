import Catalogue
import Foundation

/// Where a command says what went wrong, and how far it is.
enum StandardError {
  static let isTerminal = isatty(STDERR_FILENO) == 1

  static func write(line: String) { write(line + "\n") }

  static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

/// Where a command says what it was asked for; gathers what is written into few writes.
struct StandardOutput: ~Copyable {
  private var buffer: [UInt8] = []
  private var isClosed = false

  /// Whether the other end of a pipe has been closed: nobody reads any more.
  var isAtEnd: Bool { isClosed }

  init() {
    // A closed pipe is to end the command quietly, not by a signal.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Writes a line at once.
  ///
  /// - Throws: `.failed` when it cannot be written.
  static func write(line: String) throws(CatalogueError) {
    var output = StandardOutput()
    try output.write(line: line)
    try output.flush()
  }

  /// - Throws: `.failed` when what is written cannot be.
  mutating func write(line: some Sequence<UInt8>) throws(CatalogueError) {
    buffer += line
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= 1 << 16 { try flush() }
  }

  mutating func write(line: String) throws(CatalogueError) { try write(line: line.utf8) }

  /// Writes what is still held back; to be called last.
  mutating func flush() throws(CatalogueError) {
    var rest = buffer[...]
    while !rest.isEmpty && !isClosed {
      let written = rest.withUnsafeBytes {
        Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno == EPIPE {
        isClosed = true
      } else if errno != EINTR {
        throw .failed("standard output cannot be written: \(String(cString: strerror(errno)))")
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
