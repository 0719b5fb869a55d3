import Synchronization

/// Passes on what the library has to say, at most ten lines a second, and counts the rest: a client
/// can cause a line, and must not be able to cause a flood.
final class LogLimiter: Sendable {
  private struct State {
    var second = ContinuousClock.now
    var lines = 0
    var dropped = 0
  }

  private let state = Mutex(State())
  private let log: @Sendable (String) -> Void

  init(_ log: @escaping @Sendable (String) -> Void) { self.log = log }

  func say(_ message: String) {
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
    if dropped > 0 { log("\(dropped) more lines like those before were left out.") }
    log(message)
  }
}
