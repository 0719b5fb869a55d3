import CMicrohttpd
private import Glibc
import HTTP
import Synchronization

/// One thread of libmicrohttpd's, and the connections it has.
///
/// Its thread parses, calls the handler and sends; the daemon's other threads hand it connections,
/// look at their clocks and stop it.
final class Worker: Sendable {
  struct Table {
    let load: WorkerLoad
    var conversations: [ObjectIdentifier: Connection] = [:]
    var late: [ObjectIdentifier: DeferredResponse] = [:] {
      didSet { load.late.store(late.count, ordering: .relaxed) }
    }
    var streams: OpenStreams {
      didSet { load.streams.store(streams.count, ordering: .relaxed) }
    }
    /// No connection may be set aside any more.
    var isStopping = false
  }

  /// From 0.
  let number: Int
  let handler: any Handler
  let observers: [any Observer]
  let gate: HeadParser
  let bodies: BodyBudget
  let requestIDs: RequestIDs?
  /// Seconds after which a connection without a request is shut.
  let silenceLimit: Int
  let table: Mutex<Table>
  let ready = ResponseCache()
  let clock = DateClock()
  private let handle = Mutex<MicrohttpdDaemon?>(nil)
  let isDraining = Atomic(false)
  let load = WorkerLoad()
  let log: LogLimiter
  /// Statuses that the library has said it answers with, and nobody knows yet to whom.
  let announced = Mutex<[Int]>([])
  private let onDeparture: @Sendable (Peer) -> Void

  /// Starts the thread. `onDeparture` is called when a connection is gone, `log` with what the library
  /// has to say.
  init(
    number: Int, options: ServerOptions, handler: any Handler, bodies: BodyBudget, log: LogLimiter,
    onDeparture: @escaping @Sendable (Peer) -> Void
  ) throws(ServerError) {
    self.number = number
    self.handler = handler
    observers = options.observers
    self.log = log
    self.onDeparture = onDeparture
    gate = options.gate
    self.bodies = bodies
    requestIDs = options.requestIDs
    silenceLimit = min(options.deadlines.head, options.deadlines.idle)
    table = Mutex(
      Table(
        load: load,
        streams: OpenStreams(
          limit: max(options.streamLimit / max(options.threads, 1), 1),
          heartbeat: .seconds(options.heartbeat))))
    try handle.withLock { handle throws(ServerError) in
      handle = try MicrohttpdDaemon(for: self, options: options)
    }
  }

  /// Connections that it has or was given.
  var connectionCount: Int { load.connections.load(ordering: .relaxed) }

  /// Takes over `socket`, from `address`. The library closes it, even where this fails.
  func add(_ socket: Int32, from address: SocketAddress) {
    load.connections.add(1, ordering: .relaxed)
    let isAdded = handle.withLock { $0?.add(socket, from: address) ?? false }
    if !isAdded { departed(address.peer) }
  }

  /// Shuts the connections whose clients are slower than `deadlines` allow.
  func shutOverdue(by deadlines: Deadlines) {
    let slow = table.withLock { table in
      // Read inside the lock: a socket is closed after its conversation has left the table.
      let now = Milliseconds.now
      return table.conversations.values.compactMap {
        $0.shutIfOverdue(by: deadlines, now: now, namedBy: requestIDs, of: handler)
      }
    }
    for refused in slow {
      for observer in observers { observer.refused(refused) }
    }
  }

  /// Ends the streams whose clients have gone, and keeps the others alive.
  func tendStreams() {
    let (abandoned, silent) = table.withLock { ($0.streams.abandoned(), $0.streams.silent()) }
    for stream in abandoned { stream.end() }
    for stream in silent { stream.sendHeartbeat() }
  }

  /// From now on each response is its connection's last, and there are no event streams.
  func drain() {
    isDraining.store(true, ordering: .relaxed)
    for stream in table.withLock({ $0.streams.all }) { stream.end() }
  }

  /// Ends the connections that wait for a request, after what has already arrived.
  func shutIdle() {
    let now = Milliseconds.now
    table.withLock { table in
      for conversation in table.conversations.values where conversation.isIdle(now: now) {
        shutdown(conversation.socket, Int32(SHUT_RD))
      }
    }
  }

  /// Answers 503 for every handler that is still at work, and lets none begin anew.
  func abandonLate() {
    let (late, streams) = table.withLock { table in
      table.isStopping = true
      return (Array(table.late.values), table.streams.all)
    }
    for answer in late { answer.deliver(refusal(Worker.stopping, of: answer.head)) }
    for stream in streams { stream.end() }
  }

  /// Has the library close all connections: what is being sent goes on, unless that is to be cut off.
  func shutAll(cuttingOff: Bool) {
    table.withLock { table in
      for conversation in table.conversations.values {
        shutdown(conversation.socket, Int32(cuttingOff ? SHUT_RDWR : SHUT_RD))
      }
    }
  }

  /// Counts a connection from `peer` that has gone.
  func departed(_ peer: Peer) {
    load.connections.subtract(1, ordering: .relaxed)
    onDeparture(peer)
  }

  /// Ends everything at once and waits for the thread. There should be no connection any more: one that
  /// the library refuses at this very moment would crash it, since it does not take an answer then and
  /// sends it all the same.
  func stop() {
    abandonLate()
    handle.withLock { $0 = nil }
  }

  /// What the request of `head` gets in the place of its answer.
  func refusal(_ problem: Problem, of head: Head) -> Response {
    var response = problem.response
    response.fields += handler.fields(refusing: PartialHead(head))
    return response
  }

  static let stopping = Problem.unavailable("The server stops.")
  static let tooManyStreams = Problem.unavailable(
    "There are too many event streams.", retryAfter: 5)
}
