import HTTP
import Synchronization

@testable import HTTPServer

/// A daemon on a free port, stopped when the test lets go of it.
final class RunningDaemon: Sendable {
  private let daemon: Server
  /// What the daemon has said.
  let lines: Lines

  /// Starts with a free port in place of the options' own.
  init(_ options: ServerOptions = ServerOptions(), handler: any Handler = EchoHandler()) {
    var options = options
    options.port = 0
    let lines = Lines()
    self.lines = lines
    do {
      daemon = try Server(options, handler: handler) { lines.append($0) }
    } catch {
      preconditionFailure("\(error)")
    }
  }

  var port: Int { daemon.port }
  var connectionCount: Int { daemon.connectionCount }

  func client() throws -> RawClient { try RawClient(port: port) }

  func stop(grace: Duration = .seconds(5)) { daemon.stop(grace: grace) }
}

/// Lines kept for a test to look at.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  func append(_ line: String) { lines.withLock { $0.append(line) } }

  var all: [String] { lines.withLock { $0 } }
}
