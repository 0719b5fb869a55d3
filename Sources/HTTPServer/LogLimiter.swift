import Synchronization

/// Forwards at most ten log lines a second, so that clients cannot flood the log. Counts the others.
final class LogLimiter: Sendable {
  private struct State {
    var second = ContinuousClock.now
    var lines = 0
    var dropped = 0
  }

  private let state = Mutex(State())
  private let output: @Sendable (LogEntry) -> Void

  init(_ output: @escaping @Sendable (LogEntry) -> Void) { self.output = output }

  func log(_ level: LogEntry.Level, _ message: String, requestID: String? = nil) {
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
    if dropped > 0 {
      output(LogEntry(level: .warning, message: "\(dropped) more log lines were dropped."))
    }
    output(LogEntry(level: level, message: message, requestID: requestID))
  }
}
