private import Glibc
package import HTTP
import Synchronization

/// An HTTP server on libmicrohttpd: it listens on a port and passes requests to a handler.
///
///     let server = try Server(options, handler: app) { logger.warning("\($0.message)") }
///     print("http://\(options.host):\(server.port)")
///     server.stop(grace: .seconds(8))
///
/// One thread accepts connections. Each worker is a libmicrohttpd daemon with one thread and its own connections.
/// Workers share a `ServerContext`. A thread pool behind one listening socket, or a listening socket for each
/// thread, would balance connections unevenly, and could neither reject connections nor drain them before a stop.
package struct Server: ~Copyable {
  package let workers: [Worker]
  private let acceptor: Acceptor
  package let context: ServerContext

  /// The time to send the last responses after the grace period, and again to close the connections.
  private static let flushTimeout = Duration.milliseconds(300)

  package init(
    _ options: ServerOptions, handler: any Handler,
    log: @escaping @Sendable (LogEntry) -> Void = { _ in }
  ) throws(ServerError) {
    let listener = try Listener(options)
    let context = try ServerContext(options, handler, LogLimiter(log))
    var workers: [Worker] = []
    for number in 0..<max(options.threads, 1) {
      workers.append(try Worker(number: number, in: context))
    }
    acceptor = try Acceptor(listener, workers: workers, in: context)
    self.workers = workers
    self.context = context
  }

  deinit { stop(grace: .zero) }

  package var port: Int { acceptor.port }

  package var connectionLimit: Int { acceptor.limit }

  package var connectionCount: Int { workers.reduce(0) { $0 + $1.connectionCount } }

  /// Stops gracefully. A second call does nothing.
  ///
  /// It accepts no more connections. Each open request gets a response with `Connection: close`. When
  /// `grace` is over, deferred requests without a response get 503.
  package func stop(grace: Duration) {
    let end = ContinuousClock.now + grace
    acceptor.stop()
    for worker in workers { worker.drain() }
    while connectionCount > 0, ContinuousClock.now < end {
      for worker in workers { worker.closeIdle() }
      context.closedConnections.wait(milliseconds: 50)
    }
    for worker in workers { worker.rejectDeferred() }
    let cutOff = ContinuousClock.now + Self.flushTimeout
    while connectionCount > 0, ContinuousClock.now < cutOff + Self.flushTimeout {
      let isLate = ContinuousClock.now >= cutOff
      for worker in workers { worker.closeAll(cuttingOff: isLate) }
      context.closedConnections.wait(milliseconds: 20)
    }
    for worker in workers { worker.stop() }
  }
}

/// The state that the acceptor and the workers of a server share.
package final class ServerContext: Sendable {
  package let options: ServerOptions
  let handler: any Handler
  package let bodies: BodyBudget
  package let responses: ResponseBudget
  package let addresses: AddressCounter
  /// The open event streams of all workers.
  let streams = Atomic(0)
  let logger: LogLimiter
  /// Wakes `stop` when a connection has closed since `drain`.
  let closedConnections: WakeupPipe

  init(
    _ options: ServerOptions, _ handler: any Handler, _ logger: LogLimiter
  ) throws(ServerError) {
    self.options = options
    self.handler = handler
    self.logger = logger
    bodies = BodyBudget(
      limit: max(options.bodyBudget, options.bodyLimit), usualSize: options.bodyLimit)
    responses = ResponseBudget(limit: options.responseBudget)
    addresses = AddressCounter(limit: options.connectionLimitPerAddress)
    closedConnections = try WakeupPipe()
  }

  func report(_ rejected: RejectedRequest) {
    for observer in options.observers { observer.rejected(rejected) }
  }

  /// Writes a rejection directly to a socket, when libmicrohttpd cannot send it: before it has the
  /// connection, during a request, or after a missed deadline. Then closes the sending half.
  ///
  /// It does not block. A new socket has room for the whole response.
  func send(_ rejected: RejectedRequest, to socket: Int32) {
    let response = rejected.problem.response
    var fields = [
      Field("Connection", "close"), Field("Date", HTTPDate(second: time(nil)).bytes[...].text),
      Field(WireResponse.contentTypeOptions, WireResponse.noSniff),
      Field("Content-Length", String(response.body.count)),
    ]
    if let id = rejected.id { fields.append(Field(WireResponse.requestID, id)) }
    fields += response.fields + handler.fields(rejecting: rejected.head)
    let head = fields.reduce("HTTP/1.1 \(response.status) \(rejected.problem.title)\r\n") {
      $0 + "\($1.name): \($1.value)\r\n"
    }
    let bytes = Array("\(head)\r\n".utf8) + response.body.bytes
    Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    shutdown(socket, Int32(SHUT_WR))
  }
}

/// The reason why a server cannot start.
package enum ServerError: Error, Equatable, Sendable, CustomStringConvertible {
  case portInUse(host: String, port: Int)
  case portForbidden(host: String, port: Int)
  case unknownHost(String, reason: String)
  case cannotListen(host: String, port: Int, reason: String)
  case cannotStart(reason: String)

  package var description: String {
    switch self {
    case .portInUse(let host, let port): "Port \(port) of \(host) is in use by another program."
    case .portForbidden(let host, let port): "This user may not listen on port \(port) of \(host)."
    case .unknownHost(let host, let reason): "The host \(host) is unknown: \(reason)."
    case .cannotListen(let host, let port, let reason):
      "Cannot listen on port \(port) of \(host): \(reason)."
    case .cannotStart(let reason): "Cannot start the server: \(reason)."
    }
  }
}
