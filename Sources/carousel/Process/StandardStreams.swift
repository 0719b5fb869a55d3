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
    if !isClosed {
      let code = Self.write(buffer)
      isClosed = code == EPIPE
      guard code == 0 || isClosed else {
        throw .failed("cannot write to standard output: \(String(cString: strerror(code)))")
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes all bytes. Waits if the output is full, also if the parent process has made it non-blocking.
  ///
  /// - Returns: the error number of a write that failed; 0 if none did.
  static func write(_ bytes: [UInt8]) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&output, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
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
