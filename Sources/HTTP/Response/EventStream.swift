import Synchronization

/// A response body of server-sent events (HTML standard, section 9.2).
///
///     let stream = EventStream(onEnd: { hub.remove($0) })
///     stream.send(Event("revision", id: "7", data: json))
///     return .response(.events(stream))
///
/// Any thread may send, and no thread blocks. The stream ends if the client reads too slowly. The
/// client then reconnects and sends `Last-Event-ID`.
package final class EventStream: Sendable {
  private struct State {
    var pending: [UInt8] = []
    var isEnded = false
    /// Resumes the connection of a reader that found no bytes.
    var resume: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let onEnd: @Sendable (EventStream) -> Void
  private let limit: Int

  /// - Parameters:
  ///   - limit: the most bytes that wait for the client.
  ///   - onEnd: called once when the stream ends, for any reason.
  package init(limit: Int = 64 * 1024, onEnd: @escaping @Sendable (EventStream) -> Void = { _ in })
  {
    self.limit = limit
    self.onEnd = onEnd
  }

  package func send(_ event: Event) { send(event.bytes) }

  /// Sends a comment, which clients ignore. It prevents time-outs in proxies.
  package func sendHeartbeat() { send(Array(":\n\n".utf8)) }

  /// Ends the stream after the pending bytes.
  package func end() {
    let hasEnded = state.withLock { state in
      guard !state.isEnded else { return false }
      state.isEnded = true
      resume(&state)
      return true
    }
    if hasEnded { onEnd(self) }
  }

  private func send(_ bytes: [UInt8]) {
    let isTooSlow = state.withLock { state in
      guard state.pending.count + bytes.count <= limit else { return true }
      guard !state.isEnded else { return false }
      state.pending += bytes
      resume(&state)
      return false
    }
    if isTooSlow { end() }
  }

  /// Resumes the connection while the lock is held, so that the connection runs when `end` returns.
  private func resume(_ state: inout State) {
    let resume = state.resume
    state.resume = nil
    resume?()
  }
}

extension EventStream {
  /// Moves pending bytes into `buffer`, and returns their number. Nil at the end of the stream.
  ///
  /// If no bytes are pending, it calls `suspend`. `suspend` returns a closure, which the stream calls when
  /// there are bytes to read. The lock is held during `suspend`, so no event is missed.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, orSuspend suspend: () -> (@Sendable () -> Void)
  ) -> Int? {
    state.withLock { state in
      let count = min(buffer.count, state.pending.count)
      buffer.copyBytes(from: state.pending.prefix(count))
      state.pending.removeFirst(count)
      if count == 0, state.isEnded { return nil }
      if count == 0 { state.resume = suspend() }
      return count
    }
  }
}

package struct Event: Sendable {
  let bytes: [UInt8]

  /// - Parameters:
  ///   - name: the event type, without line ends.
  ///   - id: the value of `Last-Event-ID` when the client reconnects.
  ///   - data: the text. It may have several lines.
  package init(_ name: String, id: String? = nil, data: String) {
    var text = "event: \(name)\n"
    if let id { text += "id: \(id)\n" }
    for line in data.split(separator: "\n", omittingEmptySubsequences: false) {
      text += "data: \(line)\n"
    }
    bytes = Array("\(text)\n".utf8)
  }
}

extension Response {
  package static func events(_ stream: EventStream) -> Response {
    Response(
      fields: [
        Field("Content-Type", "text/event-stream"), Field("Cache-Control", "no-store"),
        // Turns off nginx's response buffering, which would delay events.
        Field("X-Accel-Buffering", "no"),
      ], body: .events(stream))
  }
}
