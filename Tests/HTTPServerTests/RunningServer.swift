import Glibc
import HTTP
import HTTPServer
import Synchronization

/// A server on a free port. It stops when the test releases it.
final class RunningServer: Sendable {
  private let server: Server
  /// The server's log lines.
  let log: Lines

  /// - Parameter options: the options. The port is replaced by a free one.
  init(
    _ options: ServerOptions = ServerOptions(), handler: any Handler = EchoHandler(),
    _ configure: (inout ServerOptions) -> Void = { _ in }
  ) {
    var options = options
    configure(&options)
    options.port = 0
    let log = Lines()
    self.log = log
    do {
      server = try Server(options, handler: handler) { log.append($0) }
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// A server and an observer of its requests.
  static func recorded(
    handler: any Handler = EchoHandler(), _ configure: (inout ServerOptions) -> Void = { _ in }
  ) -> (RunningServer, Recorder) {
    let recorder = Recorder()
    var options = ServerOptions()
    options.observers = [recorder]
    return (RunningServer(options, handler: handler, configure), recorder)
  }

  var port: Int { server.port }
  var connectionCount: Int { server.connectionCount }
  /// The number of requests whose deferred response is pending.
  var deferredCount: Int {
    server.workers.reduce(0) { $0 + $1.deferredCount }
  }

  /// A client that has sent `text`.
  func client(sending text: String = "") throws -> RawClient {
    let client = try RawClient(port: port)
    client.send(text)
    return client
  }

  func stop(grace: Duration = .seconds(5)) { server.stop(grace: grace) }

  /// Waits until the server has `count` connections.
  func waitForConnections(_ count: Int) -> Bool { waitUntil { connectionCount <= count } }
}

/// Log lines.
final class Lines: Sendable {
  private let lines = Mutex<[LogEntry]>([])

  func append(_ entry: LogEntry) { lines.withLock { $0.append(entry) } }

  var entries: [LogEntry] { lines.withLock { $0 } }
  var all: [String] { entries.map(\.message) }
}

/// The time after which a test fails that waits. A busy machine takes less.
let timeout = Duration.seconds(60)

/// Checks `condition` every few milliseconds, for at most `timeout`. Whether it became true.
func waitUntil(_ condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + timeout
  while try !condition() {
    guard ContinuousClock.now < end else { return false }
    poll(nil, 0, 5)
  }
  return true
}

/// A thread.
final class Background {
  private var thread = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) throws {
    final class Box {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let box = Unmanaged.passRetained(Box(body))
    let outcome = pthread_create(
      &thread, nil,
      { box in
        if let box { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    guard outcome == 0 else { throw RawClient.Failure(reason: "Cannot start a thread.") }
  }

  func join() { pthread_join(thread, nil) }
}
