package import HTTP
import Synchronization

/// An HTTP server on libmicrohttpd: it listens on a port and passes requests to a handler.
///
///     let server = try Server(options, handler: app) { logger.info("\($0)") }
///     print("http://\(options.host):\(server.port)")
///     server.stop(grace: .seconds(8))
///
/// One thread accepts connections and gives each to the worker with the fewest. Each worker is a
/// single-threaded libmicrohttpd daemon, so workers share no data on the request path. A thread pool
/// behind one listening socket, or a listening socket for each thread, would balance connections
/// unevenly, and could neither reject connections nor drain them before a stop.
package struct Server: ~Copyable {
  private let workers: [Worker]
  private let bodies: BodyBudget
  private let answers: AnswerBudget
  private let acceptor: Acceptor
  /// Wakes `stop` when a connection has closed.
  private let closedConnections: WakeupPipe

  /// The time to send the last responses after the grace period, and then the time to close.
  private static let lastResponses = Duration.milliseconds(300)

  /// Starts to listen and to answer.
  ///
  /// - Throws: the reason if it cannot listen. A port in use is named.
  package init(
    _ options: ServerOptions, handler: any Handler,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(ServerError) {
    let listener =
      if let socket = options.listeningSocket {
        Listener(socket)
      } else {
        try Listener(host: options.host, port: options.port)
      }
    let limiter = LogLimiter(log)
    let addresses = AddressCounter(limit: options.connectionLimitPerAddress)
    let proxies = options.proxies
    let closedConnections = try WakeupPipe()
    let bodies = BodyBudget(limit: max(options.bodyBudget, options.parser.bodyLimit))
    let answers = AnswerBudget(limit: options.answerBudget)
    var workers: [Worker] = []
    for number in 0..<max(options.threads, 1) {
      workers.append(
        try Worker(
          number: number, options: options, handler: handler, bodies: bodies,
          answers: answers, addresses: addresses, log: limiter
        ) { peer in
          if !proxies.contains(peer) { addresses.remove(peer) }
          closedConnections.wake()
        })
    }
    acceptor = try Acceptor(
      listener, workers: workers, options: options, addresses: addresses, wakeup: WakeupPipe(),
      log: limiter)
    self.workers = workers
    self.bodies = bodies
    self.answers = answers
    self.closedConnections = closedConnections
  }

  deinit { stop(grace: .zero) }

  /// The port that the server listens on.
  package var port: Int { acceptor.port }

  /// The number of open connections.
  package var connectionCount: Int { workers.reduce(0) { $0 + $1.connectionCount } }

  /// Stops gracefully. A second call does nothing.
  ///
  /// It accepts no more connections. Each open request gets an answer with `Connection: close`. When
  /// `grace` is over, deferred requests without an answer get 503.
  package func stop(grace: Duration) {
    let end = ContinuousClock.now + grace
    acceptor.stop()
    for worker in workers { worker.drain() }
    while connectionCount > 0, ContinuousClock.now < end {
      for worker in workers { worker.shutIdle() }
      closedConnections.wait(milliseconds: 50)
    }
    for worker in workers { worker.rejectDeferred() }
    let cutOff = ContinuousClock.now + Self.lastResponses
    while connectionCount > 0, ContinuousClock.now < cutOff + Self.lastResponses {
      let isLate = ContinuousClock.now >= cutOff
      for worker in workers { worker.shutAll(cuttingOff: isLate) }
      closedConnections.wait(milliseconds: 20)
    }
    for worker in workers { worker.stop() }
  }
}

extension Server {
  /// Adds the server's gauges to `metrics`.
  package func addMetrics(to metrics: Metrics) {
    let readings: [(String, String, @Sendable (WorkerLoad) -> Int)] = [
      (
        "http_server_open_connections", "Connections open now.",
        { $0.connections.load(ordering: .relaxed) }
      ),
      (
        "http_server_active_requests", "Requests whose deferred answer is pending.",
        { $0.deferred.load(ordering: .relaxed) }
      ),
      (
        "http_server_event_streams", "Event streams open now.",
        { $0.streams.load(ordering: .relaxed) }
      ),
    ]
    for (name, help, value) in readings {
      for worker in workers {
        metrics.gauge(name, help, labels: "{worker=\"\(worker.number)\"}") {
          [weak load = worker.load] in
          Double(load.map(value) ?? 0)
        }
      }
    }
    let bodies = bodies
    metrics.gauge("http_server_body_bytes", "Bytes of request bodies in memory.") {
      Double(bodies.reserved)
    }
    let answers = answers
    metrics.gauge("http_server_answer_bytes", "Bytes of response bodies that are being sent.") {
      Double(answers.reserved)
    }
  }
}

/// Passes at most ten log lines a second on, and counts the others. Clients can cause log lines, and
/// must not be able to flood the log.
final class LogLimiter: Sendable {
  private struct State {
    var second = ContinuousClock.now
    var lines = 0
    var dropped = 0
  }

  private let state = Mutex(State())
  private let output: @Sendable (String) -> Void

  init(_ output: @escaping @Sendable (String) -> Void) { self.output = output }

  func log(_ message: String) {
    let dropped: Int? = state.withLock { state in
      let now = ContinuousClock.now
      if now - state.second >= .seconds(1) {
        defer { state = State(second: now, lines: 1) }
        return state.dropped
      }
      state.lines += 1
      if state.lines <= 10 { return 0 }
      state.dropped += 1
      return nil
    }
    guard let dropped else { return }
    if dropped > 0 { output("\(dropped) more log lines were dropped.") }
    output(message)
  }
}
