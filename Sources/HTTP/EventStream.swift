import Synchronization

/// A body without an end: server-sent events, written when they happen (the HTML standard, 9.2).
///
///     let stream = EventStream(onEnd: { hub.forget(client) })
///     stream.send(Event("revision", id: "7", data: json))
///     return .response(.events(stream))
///
/// Any thread may send; no thread waits. A client that does not keep up is let go: it comes again,
/// and says with `Last-Event-ID` what it has seen.
package final class EventStream: Sendable {
  private struct State {
    var pending: [UInt8] = []
    var isEnded = false
    /// Wakes the transport, which waits for something to send.
    var wake: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let onEnd: @Sendable () -> Void
  /// Bytes that may wait for a client to take them.
  private let limit: Int

  /// A stream whose `onEnd` is called once, when nothing more is sent, whoever ended it.
  package init(limit: Int = 64 * 1024, onEnd: @escaping @Sendable () -> Void = {}) {
    self.limit = limit
    self.onEnd = onEnd
  }

  /// Sends `event`, unless the stream has ended.
  package func send(_ event: Event) { send(event.bytes) }

  /// Sends a comment, which clients ignore: it keeps proxies from giving up, and tells whether the
  /// client is still there.
  package func sendHeartbeat() { send(Array(":\n\n".utf8)) }

  /// Ends the stream when what was sent before has gone out.
  package func end() {
    let hasEnded = state.withLock { state in
      guard !state.isEnded else { return false }
      state.isEnded = true
      wake(&state)
      return true
    }
    if hasEnded { onEnd() }
  }

  private func send(_ bytes: [UInt8]) {
    let isOverrun = state.withLock { state in
      guard !state.isEnded else { return false }
      guard state.pending.count + bytes.count <= limit else { return true }
      state.pending += bytes
      wake(&state)
      return false
    }
    if isOverrun { end() }
  }

  /// Inside the lock, so that whoever has called `end` knows that the transport is awake.
  private func wake(_ state: inout State) {
    let wake = state.wake
    state.wake = nil
    wake?()
  }
}

extension EventStream {
  /// What a transport has got.
  package enum Piece: Equatable, Sendable {
    case bytes(Int)
    case nothingYet
    case end
  }

  /// Moves what waits into `buffer`. Where nothing does, `wait` is called, and what it returns is
  /// called once there is something; between the two nothing else happens.
  package func take(
    into buffer: UnsafeMutableRawBufferPointer, orWait wait: () -> (@Sendable () -> Void)
  ) -> Piece {
    state.withLock { state in
      if !state.pending.isEmpty {
        let count = min(buffer.count, state.pending.count)
        buffer.copyBytes(from: state.pending.prefix(count))
        state.pending.removeFirst(count)
        return .bytes(count)
      }
      if state.isEnded { return .end }
      state.wake = wait()
      return .nothingYet
    }
  }
}

/// One server-sent event.
package struct Event: Sendable {
  let bytes: [UInt8]

  /// - Parameters:
  ///   - name: what listeners listen for, without a line's end.
  ///   - id: what the client says in `Last-Event-ID` when it comes again.
  ///   - data: text; each of its lines becomes one of the event's.
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
  /// The answer that `stream` writes to.
  package static func events(_ stream: EventStream) -> Response {
    Response(
      fields: [
        Field("Content-Type", "text/event-stream"), Field("Cache-Control", "no-store"),
        // nginx would keep events back to fill a buffer.
        Field("X-Accel-Buffering", "no"),
      ], body: .events(stream))
  }
}
