import Dispatch
import FoundationEssentials
import Glibc
import HTTP
import Synchronization

/// One JSON line a request on standard output, written by a thread of its own.
///
/// What waits to be written is bounded: where whoever reads is slower than the requests come, lines
/// are left out, and a line says how many.
final class AccessLog: Observer {
  private struct State {
    var waiting: [UInt8] = []
    var isWriting = false
    var dropped = 0
    var second = -1
    /// The time up to the second, as RFC 3339 writes it.
    var time = ""
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "carousel.access-log")

  private static let limit = 1 << 20

  func answered(_ exchange: Exchange, by worker: Int) {
    write(AccessLine(exchange, at: now()))
  }

  func refused(_ refused: RejectedRequest) {
    write(AccessLine(refused, at: now()))
  }

  /// Has `line` written, unless too much waits already.
  private func write(_ line: AccessLine) {
    let line = line.bytes
    let mustWrite = state.withLock { state in
      guard state.waiting.count + line.count <= Self.limit else {
        state.dropped += 1
        return false
      }
      state.waiting += line
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if mustWrite { queue.async { self.write() } }
  }

  /// Waits until what was logged is written, unless nobody reads it any more.
  func finish(within patience: Duration) {
    let written = DispatchSemaphore(value: 0)
    queue.async {
      self.write()
      written.signal()
    }
    _ = written.wait(timeout: .now() + patience / .seconds(1))
  }

  private func write() {
    while true {
      let lines: [UInt8]? = state.withLock { state in
        if state.dropped > 0 {
          state.waiting += Array("{\"left_out\":\(state.dropped)}\n".utf8)
          state.dropped = 0
        }
        guard !state.waiting.isEmpty else {
          state.isWriting = false
          return nil
        }
        defer { state.waiting = [] }
        return state.waiting
      }
      guard var rest = lines?[...] else { return }
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { break }
      }
    }
  }

  /// The time of day in UTC; the part up to the second is made once a second.
  private func now() -> String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let second = Int(time.tv_sec)
    let start = state.withLock { state in
      if state.second != second {
        state.second = second
        let date = Date(timeIntervalSince1970: TimeInterval(second))
        state.time = String(date.formatted(.iso8601).dropLast())
      }
      return state.time
    }
    let millisecond = String(time.tv_nsec / 1_000_000)
    return start + "." + String(repeating: "0", count: 3 - millisecond.count) + millisecond + "Z"
  }
}
