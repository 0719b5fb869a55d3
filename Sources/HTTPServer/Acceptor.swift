import Glibc
import HTTP
import Synchronization

/// The thread that accepts connections. It assigns each one to the worker with the fewest. Once a
/// second it closes overdue connections.
final class Acceptor: Sendable {
  let port: Int
  // The socket stays open until the thread has ended.
  private let listener: Mutex<Listener?>
  private let socket: Int32
  private let workers: [Worker]
  private let context: ServerContext
  let limit: Int
  private let wakeup: WakeupPipe
  private let thread = Mutex<pthread_t?>(nil)

  init(
    _ listener: consuming Listener, workers: [Worker], in context: ServerContext
  ) throws(ServerError) {
    port = listener.port
    socket = listener.descriptor
    self.listener = Mutex(consume listener)
    self.workers = workers
    self.context = context
    wakeup = try WakeupPipe()
    limit = min(context.options.connectionLimit, Acceptor.spareDescriptors())
    try start()
  }

  /// Accepts the connections in the queue of the listening socket, and ends the thread.
  func stop() {
    guard let running = thread.withLock({ $0.take() }) else { return }
    wakeup.wake()
    pthread_join(running, nil)
    listener.withLock { $0 = nil }
  }

  private func start() throws(ServerError) {
    // `stop` joins the thread before the acceptor is released.
    let context = Unmanaged.passUnretained(self).toOpaque()
    var identifier = pthread_t()
    let outcome = withSignalsBlocked {
      pthread_create(
        &identifier, nil,
        { context in
          if let context { Unmanaged<Acceptor>.fromOpaque(context).takeUnretainedValue().run() }
          return nil
        }, context)
    }
    guard outcome == 0 else { throw .cannotStart(reason: String(cString: strerror(outcome))) }
    thread.withLock { $0 = identifier }
  }

  private func run() {
    var isPaused = false
    var lastCheck = ContinuousClock.now
    while true {
      var sources = [
        pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isPaused ? -1 : socket, events: Int16(POLLIN), revents: 0),
      ]
      poll(&sources, nfds_t(sources.count), isPaused ? 100 : 1000)
      isPaused = false
      if sources[0].revents != 0 {
        acceptAll(atMost: Int(SOMAXCONN))
        return
      }
      // A limit, so that deadlines are checked however many clients connect.
      if sources[1].revents != 0 { isPaused = !acceptAll(atMost: 64) }
      let now = ContinuousClock.now
      if now - lastCheck >= .seconds(1) {
        lastCheck = now
        for worker in workers {
          worker.closeOverdue()
          worker.checkStreams()
        }
      }
    }
  }

  /// Accepts the pending connections. False if the process has no free file descriptor.
  @discardableResult
  private func acceptAll(atMost count: Int) -> Bool {
    for _ in 0..<count {
      var address = SocketAddress()
      let accepted = address.accept(from: socket)
      if accepted >= 0 {
        prepare(accepted)
        assign(accepted, from: address)
        continue
      }
      switch errno {
      case EAGAIN: return true
      case EINTR, ECONNABORTED: continue
      default:
        context.logger.log(
          .error, "Cannot accept connections: \(String(cString: strerror(errno))).")
        return false
      }
    }
    return true
  }

  private func prepare(_ socket: Int32) {
    let size = socklen_t(MemoryLayout<Int32>.size)
    var yes: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, size)
    // Without this limit the kernel could buffer megabytes for each client that does not read.
    var unsent: Int32 = 128 * 1024
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &unsent, size)
  }

  /// Gives `socket` to a worker, or rejects it with 503.
  private func assign(_ socket: Int32, from address: SocketAddress) {
    let least = workers.min { $0.connectionCount < $1.connectionCount }
    guard let least, workers.reduce(0, { $0 + $1.connectionCount }) < limit,
      context.options.proxies.contains(address.peer) || context.addresses.add(address.peer)
    else {
      let rejected = RejectedRequest(.tooManyConnections, from: address.peer)
      context.send(rejected, to: socket)
      context.report(rejected)
      // `close` with unread bytes resets the connection, and the client loses the response.
      var received = [UInt8](repeating: 0, count: 4096)
      recv(socket, &received, received.count, Int32(MSG_DONTWAIT))
      close(socket)
      return
    }
    least.add(socket, from: address)
  }

  /// The number of connections that the limit of open files allows. Half of the limit, but at most
  /// 96 files, is reserved for the database and other files.
  private static func spareDescriptors() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 256 }
    let files = Int(min(limit.rlim_cur, 1 << 20))
    return files - min(files / 2, 96)
  }
}

/// An IPv4 or IPv6 address and a port, in the form of system calls.
package struct SocketAddress {
  private var storage = sockaddr_storage()
  private(set) var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

  init() {}

  package init(boundTo socket: Int32) {
    withPointer { getsockname(socket, $0, $1) }
  }

  @discardableResult
  mutating func withPointer<Result>(
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
    }
  }

  /// 0 for a socket without a port.
  package var port: Int {
    guard [AF_INET, AF_INET6].contains(Int32(storage.ss_family)) else { return 0 }
    // The addresses of IPv4 and IPv6 have the port at the same offset.
    let offset = MemoryLayout<sockaddr_in>.offset(of: \.sin_port) ?? 0
    return withUnsafeBytes(of: storage) {
      Int(UInt16(bigEndian: $0.load(fromByteOffset: offset, as: UInt16.self)))
    }
  }

  var peer: Peer {
    var copy = self
    return copy.withPointer { address, _ in Peer(address) }
  }
}

extension Peer {
  init(_ address: UnsafePointer<sockaddr>) {
    let bytes = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      let offset = MemoryLayout<sockaddr_in>.offset(of: \.sin_addr) ?? 0
      self.init(ipv4: UInt32(bigEndian: bytes.load(fromByteOffset: offset, as: UInt32.self)))
    case AF_INET6:
      let offset = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 0
      self.init(
        high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
        low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)))
    default:
      self = .unknown
    }
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
