private import Glibc
import HTTP
import Synchronization

/// The thread that accepts connections, gives each to the worker that has fewest, and once a second
/// has the slow ones shut.
final class Acceptor: Sendable {
  let port: Int
  // Open until the thread has ended.
  private let listener: Mutex<Listener?>
  private let socket: Int32
  private let workers: [Worker]
  private let options: ServerOptions
  private let limit: Int
  private let addresses: AddressCounter
  private let alarm: WakeupPipe
  private let thread = Mutex<pthread_t?>(nil)
  private let log: LogLimiter

  init(
    _ listener: consuming Listener, workers: [Worker], options: ServerOptions,
    addresses: AddressCounter, alarm: WakeupPipe, log: LogLimiter
  ) throws(ServerError) {
    port = listener.port
    socket = listener.descriptor
    self.listener = Mutex(consume listener)
    self.workers = workers
    self.options = options
    self.addresses = addresses
    self.alarm = alarm
    self.log = log
    limit = min(options.connectionLimit, Acceptor.descriptorsToSpare())
    try start()
  }

  /// Accepts what has already connected, then no more; waits for the thread.
  func stop() {
    let running = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    guard let running else { return }
    alarm.ring()
    pthread_join(running, nil)
    listener.withLock { $0 = nil }
  }

  private func start() throws(ServerError) {
    // The thread is joined before its acceptor can go.
    let context = Unmanaged.passUnretained(self).toOpaque()
    var identifier = pthread_t()
    let outcome = SignalsBlocked.during {
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
    var watched = ContinuousClock.now
    while true {
      var sources = [
        pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isPaused ? -1 : socket, events: Int16(POLLIN), revents: 0),
      ]
      poll(&sources, 2, isPaused ? 100 : 1000)
      isPaused = false
      if sources[1].revents != 0 || sources[0].revents != 0 { isPaused = !acceptAll() }
      if sources[0].revents != 0 { return }
      let now = ContinuousClock.now
      if now - watched >= .seconds(1) {
        watched = now
        for worker in workers {
          worker.shutOverdue(by: options.deadlines)
          worker.tendStreams()
        }
      }
    }
  }

  /// Accepts until nobody waits; false where no descriptor is left.
  private func acceptAll() -> Bool {
    while true {
      var address = SocketAddress()
      let accepted = address.withPointer { accept(socket, $0, $1) }
      if accepted >= 0 {
        admit(accepted, from: address)
        continue
      }
      switch errno {
      case EAGAIN: return true
      case EINTR, ECONNABORTED: continue
      default:
        log.say("No connection can be accepted: \(String(cString: strerror(errno))).")
        return false
      }
    }
  }

  private func admit(_ socket: Int32, from address: SocketAddress) {
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    var yes: Int32 = 1
    setsockopt(
      socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
    let least = workers.min { $0.connectionCount < $1.connectionCount }
    guard let least, workers.reduce(0, { $0 + $1.connectionCount }) < limit,
      addresses.enter(address.peer)
    else {
      EarlyRejection.tooManyConnections.send(
        to: socket, adding: workers.first?.handler.fields(refusing: PartialHead()) ?? [])
      for observer in options.observers {
        observer.refused(RejectedRequest(.tooManyConnections, from: address.peer))
      }
      // What has arrived is read, or closing would throw the refusal away with it.
      var arrived = [UInt8](repeating: 0, count: 4096)
      recv(socket, &arrived, arrived.count, Int32(MSG_DONTWAIT))
      close(socket)
      return
    }
    least.add(socket, from: address)
  }

  /// Connections that the process's limit of open files leaves room for, beside the files it needs.
  private static func descriptorsToSpare() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 256 }
    return max(Int(min(limit.rlim_cur, 1 << 20)) - 32, 8)
  }
}
