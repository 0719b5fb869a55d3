private import Glibc

/// A listening socket, which it closes.
struct Listener: ~Copyable {
  let descriptor: Int32
  let port: Int

  init(_ options: ServerOptions) throws(ServerError) {
    if let socket = options.listeningSocket {
      descriptor = socket
    } else {
      descriptor = try Listener.listeningSocket(host: options.host, port: options.port)
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    port = SocketAddress(boundTo: descriptor).port
  }

  deinit { close(descriptor) }

  private static func listeningSocket(host: String, port: Int) throws(ServerError) -> Int32 {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var addresses: UnsafeMutablePointer<addrinfo>?
    let outcome = getaddrinfo(host, String(port), &hints, &addresses)
    guard outcome == 0, let address = addresses?.pointee else {
      throw .unknownHost(host, reason: String(cString: gai_strerror(outcome)))
    }
    defer { freeaddrinfo(addresses) }
    let socket = Glibc.socket(address.ai_family, address.ai_socktype, 0)
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout.size(ofValue: yes))
    if socket >= 0, setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, size) == 0,
      bind(socket, address.ai_addr, address.ai_addrlen) == 0, listen(socket, SOMAXCONN) == 0
    {
      return socket
    }
    let reason = errno
    if socket >= 0 { close(socket) }
    switch reason {
    case EADDRINUSE: throw .portInUse(host: host, port: port)
    case EACCES: throw .portForbidden(host: host, port: port)
    default:
      throw .cannotListen(host: host, port: port, reason: String(cString: strerror(reason)))
    }
  }
}

/// Wakes a thread that polls a file descriptor.
package final class WakeupPipe: Sendable {
  /// The descriptor to poll for reading.
  package let descriptor: Int32
  private let writeEnd: Int32

  package init() throws(ServerError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .cannotStart(reason: String(cString: strerror(errno))) }
    descriptor = ends[0]
    writeEnd = ends[1]
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
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

/// Runs `body` with all signals blocked. A thread that it starts inherits the mask, so that the
/// command's main thread receives all signals.
func withSignalsBlocked<Result>(_ body: () -> Result) -> Result {
  var all = sigset_t()
  var before = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  return body()
}
