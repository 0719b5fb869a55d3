package import HTTP

/// A server on libmicrohttpd: from a port to a handler, and back.
///
///     let daemon = try Daemon(options, handler: site) { logger.info("\($0)") }
///     print("http://\(options.host):\(daemon.port)")
///     daemon.stop(grace: .seconds(8))
///
/// One thread accepts and gives each connection to the worker that has fewest; each worker is a
/// single-threaded daemon of the library's, so nothing is shared between them on the request path.
/// The alternatives, a pool behind one listening socket and a listening socket for each thread, leave
/// no say in who gets a connection, whether it is welcome, and when to stop.
package struct Server: ~Copyable {
  let workers: [Worker]
  let bodies: BodyBudget
  private let acceptor: Acceptor
  /// Rings whenever a connection has gone.
  private let departures: WakeupPipe

  /// When the grace of a stop is over, what is being sent has so long, and then so long to be closed.
  private static let lastAnswers = Duration.milliseconds(300)

  /// Listens and answers from now on.
  ///
  /// - Throws: why it cannot, a port in use by its number.
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
    let departures = try WakeupPipe()
    let bodies = BodyBudget(limit: max(options.bodyBudget, options.gate.bodyLimit))
    var workers: [Worker] = []
    for number in 0..<max(options.threads, 1) {
      workers.append(
        try Worker(
          number: number, options: options, handler: handler, bodies: bodies, log: limiter
        ) { peer in
          addresses.leave(peer)
          departures.ring()
        })
    }
    acceptor = try Acceptor(
      listener, workers: workers, options: options, addresses: addresses, alarm: WakeupPipe(),
      log: limiter)
    self.workers = workers
    self.bodies = bodies
    self.departures = departures
  }

  deinit { stop(grace: .zero) }

  /// The port that it listens on.
  package var port: Int { acceptor.port }

  /// Connections open now.
  package var connectionCount: Int { workers.reduce(0) { $0 + $1.connectionCount } }

  /// Accepts no more, answers what is under way, each time as the connection's last answer, and
  /// stops when that is done or `grace` is over. Handlers that are still at work then are answered
  /// for with 503. Stopping again does nothing.
  package func stop(grace: Duration) {
    let end = ContinuousClock.now + grace
    acceptor.stop()
    for worker in workers { worker.drain() }
    while connectionCount > 0, ContinuousClock.now < end {
      for worker in workers { worker.shutIdle() }
      departures.wait(milliseconds: 50)
    }
    for worker in workers { worker.abandonLate() }
    let cutOff = ContinuousClock.now + Self.lastAnswers
    while connectionCount > 0, ContinuousClock.now < cutOff + Self.lastAnswers {
      let isLate = ContinuousClock.now >= cutOff
      for worker in workers { worker.shutAll(cuttingOff: isLate) }
      departures.wait(milliseconds: 20)
    }
    for worker in workers { worker.stop() }
  }
}
