internal import CMicrohttpd
internal import HTTP
internal import Synchronization

/// One connection, and where it stands with its request.
///
/// Its worker's thread alone touches what is not atomic; others read the clock and shut the socket.
final class Conversation: @unchecked Sendable {
  /// What libmicrohttpd's next call is about.
  enum Step {
    /// The head of a request.
    case head
    /// The end of a request that has an answer already.
    case ready(ReadyAnswer)
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
  /// The request that is being answered and since when, where somebody wants to know.
  var observed: (request: Request, began: ContinuousClock.Instant)?
  /// Where libmicrohttpd was kept from parsing the query.
  var mark: WireHead.Mark?
  /// What the answer to the head can be kept by, where that is of use.
  var key: ReadyAnswers.Key?
  private let clock: Atomic<PhaseClock>

  init(socket: Int32, peer: Peer, now: Milliseconds) {
    self.socket = socket
    self.peer = peer
    clock = Atomic(PhaseClock(.opened, sending: 0, since: now))
  }

  /// Says that `phase` begins, in which `count` bytes are sent.
  func enter(_ phase: Phase, sending count: Int = 0, now: Milliseconds) {
    clock.store(PhaseClock(phase, sending: count, since: now), ordering: .relaxed)
  }

  /// Whether the client has been slower than `deadlines` allow.
  func isOverdue(by deadlines: Deadlines, now: Milliseconds) -> Bool {
    let clock = clock.load(ordering: .relaxed)
    guard let seconds = deadlines.seconds(in: clock.phase, sending: clock.count) else {
      return false
    }
    return clock.elapsed(at: now) > seconds * 1000
  }

  /// Whether the connection has waited for a request, and nothing else, for half a second.
  func isIdle(now: Milliseconds) -> Bool {
    let clock = clock.load(ordering: .relaxed)
    return (clock.phase == .idle || clock.phase == .opened) && clock.elapsed(at: now) > 500
  }

  var isStreaming: Bool { clock.load(ordering: .relaxed).phase == .streaming }

  /// Makes ready for the next request.
  func reset(now: Milliseconds) {
    step = .head
    head = nil
    body = []
    observed = nil
    mark = nil
    key = nil
    enter(.idle, now: now)
  }
}
