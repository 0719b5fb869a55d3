import ArgumentParser
import Dispatch
import FoundationEssentials
import Glibc
import HTTP
import Logging
import Synchronization

enum LogFormat: String, ExpressibleByArgument {
  case text, json

  var logger: Logger {
    Logger(label: "carousel") {
      switch self {
      case .text: StreamLogHandler.standardError(label: $0)
      case .json: JSONLogHandler()
      }
    }
  }

  /// Writes a line for the person who starts the server. As text, it has no time and no level.
  func announce(_ line: String, _ logger: Logger) {
    switch self {
    case .text: StandardError.write(line: line)
    case .json: logger.info("\(line)")
    }
  }
}

/// Writes each line of the log as a JSON object.
///
///     {"time":"2026-11-22T20:15:03.250Z","level":"error","message":"...","request_id":"5f3a-1"}
private struct JSONLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var line = "{\"time\":\"\(timestamp())\",\"level\":\"\(event.level)\""
    line += ",\"message\":\(JSONString("\(event.message)"))"
    for (key, value) in (event.metadata ?? [:]).sorted(by: { $0.key < $1.key }) {
      line += ",\(JSONString(key)):\(JSONString("\(value)"))"
    }
    StandardError.write(line: line + "}")
  }
}

/// Writes the access log to standard output: one JSON line for each request, on a thread of its own.
///
/// If the reader is too slow, lines are dropped, and a line with `left_out` says how many.
final class AccessLog: Observer {
  private struct State {
    var pending: [UInt8] = []
    var isWriting = false
    var dropped = 0
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "carousel.access-log")

  private static let limit = 1 << 20

  func completed(_ exchange: Exchange) {
    append(AccessLogEntry(exchange, at: timestamp()))
  }

  func rejected(_ request: RejectedRequest) {
    append(AccessLogEntry(request, at: timestamp()))
  }

  private func append(_ entry: AccessLogEntry) {
    let line = entry.bytes
    let mustWrite = state.withLock { state in
      guard state.pending.count + line.count <= Self.limit else {
        state.dropped += 1
        return false
      }
      state.pending += line
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if mustWrite { queue.async { self.writePending() } }
  }

  func finish(within timeout: Duration) {
    let written = DispatchSemaphore(value: 0)
    queue.async {
      self.writePending()
      written.signal()
    }
    _ = written.wait(timeout: .now() + timeout / .seconds(1))
  }

  private func writePending() {
    while true {
      let lines: [UInt8]? = state.withLock { state in
        if state.dropped > 0 {
          state.pending += Array("{\"left_out\":\(state.dropped)}\n".utf8)
          state.dropped = 0
        }
        guard !state.pending.isEmpty else {
          state.isWriting = false
          return nil
        }
        defer { state.pending = [] }
        return state.pending
      }
      guard let lines else { return }
      // Nothing else can be done about an error.
      _ = StandardOutput.write(lines)
    }
  }
}

/// The time in RFC 3339 format, with milliseconds.
private func timestamp() -> String {
  Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
}
