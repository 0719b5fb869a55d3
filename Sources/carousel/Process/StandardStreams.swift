import Foundation
import Items

/// Standard error, for errors, progress and the address of a server. Failed writes are ignored.
enum StandardError {
  static let isTerminal = isatty(STDERR_FILENO) == 1

  /// Writes a sentence, which can have several lines. Other control characters are escaped.
  static func write(line: String) { write(line.escapingControls(except: "\n\t") + "\n") }

  static func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}

/// Standard output, with a buffer of 64 KiB. All functions throw `.failed` if a write fails.
struct StandardOutput: ~Copyable {
  private var buffer: [UInt8] = []
  /// Whether the reader of the pipe has closed it. Further output is discarded.
  private(set) var isClosed = false

  init() {
    // A write to a closed pipe then fails with EPIPE. The command ends without an error.
    signal(SIGPIPE, SIG_IGN)
  }

  static func write(line: String) throws(CatalogueError) {
    var output = StandardOutput()
    try output.write(line: line)
    try output.flush()
  }

  mutating func write(line: some Sequence<UInt8>) throws(CatalogueError) {
    buffer += line
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= 1 << 16 { try flush() }
  }

  mutating func write(line: String) throws(CatalogueError) { try write(line: line.utf8) }

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
      } else if errno == EAGAIN {
        // The parent process has made it non-blocking.
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&output, 1, -1)
      } else if errno != EINTR {
        throw .failed("cannot write to standard output: \(String(cString: strerror(errno)))")
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

extension String {
  /// Control characters become `\u001b`, so that data cannot control a terminal or forge a line.
  func escapingControls(except kept: String = "") -> String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isControl, !kept.unicodeScalars.contains(scalar) {
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}
