import CMicrohttpd
import Glibc
import HTTP
import Synchronization

/// One thread of libmicrohttpd, and its connections.
///
/// The thread parses requests, calls the handler and sends responses. Other threads of the server
/// add connections, check their deadlines and stop the worker.
package final class Worker: Sendable {
  /// The state that several threads share.
  struct Table {
    var connections: [ObjectIdentifier: Connection] = [:]
    var deferred: [ObjectIdentifier: DeferredResponse] = [:]
    var streams: [ObjectIdentifier: (stream: EventStream, socket: Int32)] = [:]
    var nextHeartbeat = ContinuousClock.now
    /// Whether the worker is about to stop. It must then suspend no connection.
    var isStopping = false
  }

  /// The number of the worker, from 0.
  package let number: Int
  let context: ServerContext
  let options: ServerOptions
  /// Makes ids for failed requests that have none.
  let failureIDs = RequestIDs()
  let table = Mutex(Table())
  let clock = DateClock()
  private let daemon = Mutex<MicrohttpdDaemon?>(nil)
  let isDraining = Atomic(false)
  private let connections = Atomic(0)

  init(number: Int, in context: ServerContext) throws(ServerError) {
    self.number = number
    self.context = context
    options = context.options
    try daemon.withLock { daemon throws(ServerError) in
      daemon = try MicrohttpdDaemon(for: self, options: options)
    }
  }

  package var connectionCount: Int { connections.load(ordering: .relaxed) }

  package var deferredCount: Int { table.withLock { $0.deferred.count } }

  package var streamCount: Int { table.withLock { $0.streams.count } }

  /// Takes ownership of `socket`.
  func add(_ socket: Int32, from address: SocketAddress) {
    connections.add(1, ordering: .relaxed)
    let isAdded = daemon.withLock { $0?.add(socket, from: address) ?? false }
    if !isAdded { countClosed(address.peer) }
  }

  func countClosed(_ peer: Peer) {
    connections.subtract(1, ordering: .relaxed)
    if !options.proxies.contains(peer) { context.addresses.remove(peer) }
    if isDraining.load(ordering: .relaxed) { context.closedConnections.wake() }
  }

  func closeOverdue() {
    let rejected = table.withLock { table in
      // The clock is read while the lock is held. A connection leaves the table before its socket
      // is closed, so the lock keeps all sockets open.
      let now = coarseMilliseconds()
      return table.connections.values.compactMap { $0.closeIfOverdue(now: now, context) }
    }
    for request in rejected { context.report(request) }
  }

  /// Ends the streams whose clients have closed the connection. Sends heartbeats that are due.
  func checkStreams() {
    let (abandoned, due) = table.withLock { table in
      let streams = table.streams.values
      let isDue = .now >= table.nextHeartbeat
      if isDue { table.nextHeartbeat = .now + .seconds(options.heartbeat) }
      // The lock keeps all sockets open.
      let abandoned = streams.filter { Connection.isClosedByClient($0.socket) }
      return (abandoned, isDue ? Array(streams) : [])
    }
    for (stream, _) in abandoned { stream.end() }
    for (stream, _) in due { stream.sendHeartbeat() }
  }

  /// Each further response closes its connection, and the event streams end.
  func drain() {
    isDraining.store(true, ordering: .relaxed)
    for (stream, _) in table.withLock({ $0.streams.values }) { stream.end() }
  }

  /// Requests that have arrived are still answered.
  func closeIdle() {
    let now = coarseMilliseconds()
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
      return (Array(table.deferred.values), table.streams.values)
    }
    for response in deferred { response.rejectAtStop() }
    for (stream, _) in streams { stream.end() }
  }

  /// - Parameter cuttingOff: whether to abort responses that are being sent.
  func closeAll(cuttingOff: Bool) {
    table.withLock { table in
      for connection in table.connections.values {
        shutdown(connection.socket, Int32(cuttingOff ? SHUT_RDWR : SHUT_RD))
      }
    }
  }

  /// Waits for the thread. Close all connections first: libmicrohttpd crashes if it rejects a request
  /// while it stops.
  func stop() {
    rejectDeferred()
    daemon.withLock { $0 = nil }
  }
}
