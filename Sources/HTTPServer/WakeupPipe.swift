private import Glibc

/// Wakes a thread that polls it.
final class WakeupPipe: Sendable {
  /// To be polled for reading.
  let descriptor: Int32
  private let bell: Int32

  init() throws(ServerError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .cannotStart(reason: String(cString: strerror(errno))) }
    descriptor = ends[0]
    bell = ends[1]
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  deinit {
    close(descriptor)
    close(bell)
  }

  /// A pipe that is full has been heard already.
  func ring() {
    var byte: UInt8 = 1
    write(bell, &byte, 1)
  }

  /// Waits until it has rung, `milliseconds` at most, and quietens it.
  func wait(milliseconds: Int32) {
    var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&source, 1, milliseconds)
    var bytes = [UInt8](repeating: 0, count: 512)
    read(descriptor, &bytes, bytes.count)
  }
}
