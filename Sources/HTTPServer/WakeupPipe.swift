private import Glibc

/// Wakes a thread that polls a file descriptor.
package final class WakeupPipe: Sendable {
  /// The descriptor to poll for reading.
  package let descriptor: Int32
  private let writeEnd: Int32

  package init() throws(ServerError) {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
      throw .cannotStart(reason: String(cString: strerror(errno)))
    }
    descriptor = ends[0]
    writeEnd = ends[1]
  }

  deinit {
    close(descriptor)
    close(writeEnd)
  }

  // A write to a full pipe fails, but a full pipe wakes the thread anyway.
  package func wake() {
    var byte: UInt8 = 1
    write(writeEnd, &byte, 1)
  }

  /// Waits until `wake` was called, or for at most `milliseconds`. Then empties the pipe.
  package func wait(milliseconds: Int32) {
    var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&source, 1, milliseconds)
    var bytes = [UInt8](repeating: 0, count: 512)
    read(descriptor, &bytes, bytes.count)
  }
}
