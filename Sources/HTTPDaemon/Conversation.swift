internal import CMicrohttpd
internal import HTTP
internal import Synchronization

/// One connection, and where it stands with its request.
///
/// Its worker's thread alone touches what is not atomic; others read `phase` and shut the socket.
final class Conversation: @unchecked Sendable {
  /// What libmicrohttpd's next call is about.
  enum Step {
    /// The head of a request.
    case head
    /// A piece of the body of `request`, or its end.
    case body
    /// A piece of a body that nobody wants.
    case discard
    /// The response that a handler has made meanwhile.
    case late(LateAnswer)
    /// Nothing: the response is queued.
    case answered
  }

  let socket: Int32
  let peer: Peer
  var step = Step.head
  var head: Head?
  var body: [UInt8] = []
  /// Where libmicrohttpd was kept from parsing the query.
  var mark: WireHead.Mark?
  private let clock: Atomic<UInt64>

  init(socket: Int32, peer: Peer, now: UInt64) {
    self.socket = socket
    self.peer = peer
    clock = Atomic(now << 40 | UInt64(Phase.opened.rawValue))
  }

  /// Says that `phase` begins, in which `count` bytes are sent.
  func enter(_ phase: Phase, sending count: Int = 0, now: UInt64) {
    // Seconds in the upper 24 bits, KiB in the middle, the phase in the last byte.
    let size = UInt64(min(count >> 10, 0xFFFF_FFFF)) << 8
    clock.store(now << 40 | size | UInt64(phase.rawValue), ordering: .relaxed)
  }

  /// Whether the client has been slower than `deadlines` allow.
  func isOverdue(by deadlines: Deadlines, now: UInt64) -> Bool {
    let state = clock.load(ordering: .relaxed)
    guard let phase = Phase(rawValue: UInt8(truncatingIfNeeded: state)),
      let seconds = deadlines.seconds(in: phase, sending: Int(state >> 8 & 0xFFFF_FFFF) << 10)
    else { return false }
    return elapsed(since: state, now: now) > seconds
  }

  /// Whether the connection has waited for a request, and nothing else, for a second.
  func isIdle(now: UInt64) -> Bool {
    let state = clock.load(ordering: .relaxed)
    let phase = Phase(rawValue: UInt8(truncatingIfNeeded: state))
    return (phase == .idle || phase == .opened) && elapsed(since: state, now: now) >= 1
  }

  /// Makes ready for the next request.
  func reset(now: UInt64) {
    step = .head
    head = nil
    body = []
    mark = nil
    enter(.idle, now: now)
  }

  private func elapsed(since state: UInt64, now: UInt64) -> Int {
    Int((now &- state >> 40) & 0xFF_FFFF)
  }
}
