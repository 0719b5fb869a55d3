import CMicrohttpd
private import Glibc
import HTTP
import Synchronization

/// One thread of libmicrohttpd, and its connections.
///
/// The thread parses requests, calls the handler and sends responses. Other threads of the server
/// add connections, check their deadlines and stop the worker.
final class Worker: Sendable {
  /// The state that several threads share.
  struct Table {
    let load: WorkerLoad
    var connections: [ObjectIdentifier: Connection] = [:]
    var deferred: [ObjectIdentifier: DeferredResponse] = [:] {
      didSet { load.deferred.store(deferred.count, ordering: .relaxed) }
    }
    var streams: OpenStreams {
      didSet { load.streams.store(streams.count, ordering: .relaxed) }
    }
    /// Whether the worker is about to stop. It must then suspend no connection.
    var isStopping = false
  }

  /// The number of the worker, from 0.
  let number: Int
  let handler: any Handler
  let observers: [any Observer]
  let parser: HeadParser
  let bodyLimit: Int
  let bodies: BodyBudget
  let answers: AnswerBudget
  let proxies: TrustedProxies
  let addresses: AddressCounter
  let requestIDs: RequestIDs?
  /// Makes ids for failed requests that have none.
  let failureIDs = RequestIDs()
  /// Seconds after which a connection without a request is closed.
  let firstRequestTimeout: Int
  let table: Mutex<Table>
  let clock = DateClock()
  private let daemon = Mutex<MicrohttpdDaemon?>(nil)
  let isDraining = Atomic(false)
  let load = WorkerLoad()
  let log: LogLimiter
  /// The statuses of logged rejections whose connection is unknown.
  let unattributed = Mutex<[Int]>([])
  private let onClose: @Sendable (Peer) -> Void

  /// Starts the thread.
  ///
  /// - Parameter onClose: called when a connection has closed.
  init(
    number: Int, options: ServerOptions, handler: any Handler, bodies: BodyBudget,
    answers: AnswerBudget, addresses: AddressCounter, log: LogLimiter,
    onClose: @escaping @Sendable (Peer) -> Void
  ) throws(ServerError) {
    self.number = number
    self.handler = handler
    observers = options.observers
    self.log = log
    self.onClose = onClose
    parser = options.parser
    bodyLimit = options.bodyLimit
    self.bodies = bodies
    self.answers = answers
    self.addresses = addresses
    proxies = options.proxies
    requestIDs = options.requestIDs
    firstRequestTimeout = min(options.deadlines.head, options.deadlines.idle)
    table = Mutex(
      Table(
        load: load,
        streams: OpenStreams(
          limit: max(options.streamLimit / max(options.threads, 1), 1),
          heartbeat: .seconds(options.heartbeat))))
    try daemon.withLock { daemon throws(ServerError) in
      daemon = try MicrohttpdDaemon(for: self, options: options)
    }
  }

  var connectionCount: Int { load.connections.load(ordering: .relaxed) }

  /// Takes ownership of `socket`. libmicrohttpd closes it, even if it cannot add it.
  func add(_ socket: Int32, from address: SocketAddress) {
    load.connections.add(1, ordering: .relaxed)
    let isAdded = daemon.withLock { $0?.add(socket, from: address) ?? false }
    if !isAdded { countClosed(address.peer) }
  }

  func countClosed(_ peer: Peer) {
    load.connections.subtract(1, ordering: .relaxed)
    onClose(peer)
  }

  func closeOverdue(by deadlines: Deadlines) {
    let rejected = table.withLock { table in
      // The clock is read while the lock is held. A connection leaves the table before its socket
      // is closed, so the lock keeps all sockets open.
      let now = Milliseconds.now
      return table.connections.values.compactMap {
        $0.closeIfOverdue(by: deadlines, now: now, requestIDs, handler)
      }
    }
    for request in rejected { report(request) }
  }

  /// Ends the streams whose clients have closed the connection, and sends heartbeats.
  func checkStreams() {
    let (abandoned, due) = table.withLock { ($0.streams.abandoned(), $0.streams.dueForHeartbeat()) }
    for stream in abandoned { stream.end() }
    for stream in due { stream.sendHeartbeat() }
  }

  /// Makes each further response close its connection. Ends the event streams.
  func drain() {
    isDraining.store(true, ordering: .relaxed)
    for stream in table.withLock({ $0.streams.all }) { stream.end() }
  }

  /// Closes the connections that wait for a request. Requests that have arrived are still answered.
  func closeIdle() {
    let now = Milliseconds.now
    table.withLock { table in
      for connection in table.connections.values where connection.isIdle(now: now) {
        shutdown(connection.socket, Int32(SHUT_RD))
      }
    }
  }

  /// Answers 503 for each deferred response, and permits no new one.
  func rejectDeferred() {
    let (deferred, streams) = table.withLock { table in
      table.isStopping = true
      return (Array(table.deferred.values), table.streams.all)
    }
    for response in deferred {
      response.deliver(rejection(Worker.stopping, of: response.head))
    }
    for stream in streams { stream.end() }
  }

  /// Closes all connections.
  ///
  /// - Parameter cuttingOff: whether to abort responses that are being sent.
  func closeAll(cuttingOff: Bool) {
    table.withLock { table in
      for connection in table.connections.values {
        shutdown(connection.socket, Int32(cuttingOff ? SHUT_RDWR : SHUT_RD))
      }
    }
  }

  /// Stops the thread and waits for it.
  ///
  /// Close all connections first: libmicrohttpd crashes if it rejects a request while it stops.
  func stop() {
    rejectDeferred()
    daemon.withLock { $0 = nil }
  }

  func report(_ rejected: RejectedRequest) {
    for observer in observers { observer.rejected(rejected) }
  }

  /// The response that replaces the answer to the request of `head`.
  func rejection(_ problem: Problem, of head: Head) -> Response {
    var response = problem.response
    response.fields += handler.fields(rejecting: PartialHead(head))
    return response
  }

  /// The response that replaces `response`, which exceeds the answer budget.
  func overload(_ response: Response, of head: Head) -> Response {
    var rejection = rejection(Worker.tooManyAnswers, of: head)
    rejection.route = response.route
    return rejection
  }

  static let stopping = Problem.unavailable("The server is stopping.")
  static let tooManyStreams = Problem.unavailable(
    "There are too many event streams.", retryAfter: 5)
  static let tooManyAnswers = Problem(
    status: 503, detail: "Too many bytes of answers wait to be sent. Try again later.",
    fields: [Field("Retry-After", "5")],
    cause: "The answers that clients have not read yet exceed --answer-budget.")
}

/// The counters of a worker, for other threads.
///
/// It is a separate object because metrics hold it weakly. A weak reference makes each use of its
/// object slower, and each request uses the worker.
final class WorkerLoad: Sendable {
  let connections = Atomic(0)
  /// Requests with a pending deferred response.
  let deferred = Atomic(0)
  let streams = Atomic(0)
}
