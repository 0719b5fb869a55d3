package import HTTP

/// How a daemon is to listen, and what it puts up with.
package struct ServerOptions: Sendable {
  /// A name or an address; `0.0.0.0` and `::` are every address of the machine.
  package var host = "127.0.0.1"
  /// 0 for a free one.
  package var port = 8080
  /// Threads that answer requests; never more than there are cores.
  package var threads = 1
  /// What heads and bodies are let through.
  package var gate = HeadParser()
  /// Connections open at once. The next one is answered 503. File descriptors may allow fewer.
  package var connectionLimit = 4096
  /// Connections open at once from one address; 0 for as many as there are.
  package var connectionLimitPerAddress = 0
  /// Bytes of bodies in hand at once, from their arrival to their answer; the one that would be more
  /// is answered 503. Never less than one body may have.
  package var bodyBudget = 64 * 1024 * 1024
  package var deadlines = Deadlines()
  /// Event streams open at once; the next one is answered 503.
  package var streamLimit = 1024
  /// Seconds between the comments that show whether a stream's client is still there.
  package var heartbeat = 15

  /// What names the requests that bring no `X-Request-Id` of their own; nil leaves them without one,
  /// which spares each answer a header of its own.
  package var requestIDs: RequestIDs?
  /// Who is told of each exchange.
  package var observers: [any Observer] = []
  /// A socket that listens already, instead of one at `host` and `port`; the daemon closes it.
  package var listeningSocket: Int32?

  package init() {}
}

/// How long a client may take, in seconds. A connection that takes longer is shut.
package struct Deadlines: Sendable {
  /// From a new connection, or from a request's first line, to the end of its head.
  package var head = 10
  /// From the head to the end of the body.
  package var body = 30
  /// To take a response: this, and what its length takes at the slowest rate, in bytes a second.
  package var response = 30
  package var slowestRate = 16 * 1024
  /// Between a response and the next request, and between any two bytes.
  package var idle = 60

  package init() {}

  /// Seconds that a connection may spend in `phase`, with a response of `count` bytes; nil where it
  /// is not the client who is slow.
  func seconds(in phase: Phase, sending count: Int) -> Int? {
    switch phase {
    case .opened, .head: head
    case .body: body
    case .answering, .streaming: nil
    case .sending: response + count / max(slowestRate, 1)
    case .idle: idle
    case .refused: 0
    }
  }
}
