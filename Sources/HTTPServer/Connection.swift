import CMicrohttpd
private import Glibc
import HTTP
import Synchronization

/// One connection, and where it stands with its request.
///
/// Its worker's thread alone touches what is not atomic; others read the clock and shut the socket.
final class Connection: @unchecked Sendable {
  /// What libmicrohttpd's next call is about.
  enum Step {
    /// The head of a request.
    case head
    /// The end of a request that has an answer already.
    case ready(CachedResponse)
    /// What a handler says meanwhile to a client that asked before it sends the body.
    case asked(DeferredResponse)
    /// A piece of the body of `request`, or its end.
    case body
    /// A piece of a body that nobody wants.
    case discard
    /// The response that a handler has made meanwhile.
    case late(DeferredResponse)
    /// Nothing: the response is queued.
    case answered
  }

  /// A request that is being answered, and since when.
  struct Observed {
    let request: Request
    /// On the clock of `Nanoseconds`.
    let began: Int64
  }

  /// A request whose body has to come in time.
  private struct Awaited {
    let head: Head
    let id: String?
  }

  let connection: OpaquePointer
  let socket: Int32
  let peer: Peer
  var step = Step.head
  var head: Head?
  var body: [UInt8] = []
  /// Bytes of the body that this request has cost, until it is answered.
  private var bodyCount = 0
  /// The request that is being answered, where somebody wants to know.
  var observed: Observed?
  /// What tells the request from others, if it has a name: said in its answer and in the log.
  var requestID: String?
  /// The request's target in libmicrohttpd's memory, ended where its query begins.
  var target: UnsafePointer<CChar>?
  /// Where libmicrohttpd was kept from parsing the query.
  var mark: WireHead.Mark?
  /// What the answer to the head can be kept by, where that is of use.
  var key: ResponseCache.Key?
  private let clock: Atomic<PhaseClock>
  private let awaited = Mutex<Awaited?>(nil)
  /// The name that the answer gave to a request whose head was too slow, if it gave one.
  private let slowID = Mutex<String?>(nil)

  init(_ connection: OpaquePointer, socket: Int32, peer: Peer, now: Milliseconds) {
    self.connection = connection
    self.socket = socket
    self.peer = peer
    clock = Atomic(PhaseClock(.opened, sending: 0, since: now))
  }

  /// Adds a piece of the body, whose room was taken from the budget.
  func append(_ piece: UnsafeRawBufferPointer) {
    // An array that grows would take twice what it holds.
    if body.isEmpty, case .bytes(let count)? = head?.length { body.reserveCapacity(count) }
    body.append(contentsOf: piece)
    bodyCount += piece.count
  }

  /// What the body cost, to be given back once.
  func takeBodyCount() -> Int {
    defer { bodyCount = 0 }
    return bodyCount
  }

  /// Says that `phase` begins, in which `count` bytes are sent.
  func enter(_ phase: Phase, sending count: Int = 0, now: Milliseconds) {
    clock.store(PhaseClock(phase, sending: count, since: now), ordering: .relaxed)
  }

  /// Says that the body of `head` has to come now; of nil, that one may come that nobody wants.
  func awaitBody(of head: Head?, now: Milliseconds) {
    let request = head.map { Awaited(head: $0, id: requestID) }
    awaited.withLock { $0 = request }
    enter(.body, now: now)
  }

  /// Shuts the connection where its client has been slower than `deadlines` allow, and says so
  /// where it is in the middle of a request, be it of the first line of its first. One whose body
  /// is too slow is returned; whose head is, the worker tells when it finds the connection shut,
  /// since it alone may look at what has come. A request gets its name from `ids` if it has none.
  /// What the refusal says beside why is `handler`'s.
  func shutIfOverdue(
    by deadlines: Deadlines, now: Milliseconds, namedBy ids: RequestIDs?, of handler: any Handler
  ) -> RejectedRequest? {
    let seen = clock.load(ordering: .relaxed)
    guard let seconds = deadlines.seconds(in: seen.phase, sending: seen.count),
      seen.elapsed(at: now) > seconds * 1000
    else { return nil }
    switch seen.phase {
    case .opened where !carousel_has_begun_a_line(socket), .idle:
      // A request that has come this moment is answered yet.
      shutdown(socket, Int32(SHUT_RD))
      return nil
    case .opened, .head:
      let id = ids?.next()
      slowID.withLock { $0 = id }
      if refuse(seen, now: now) { shut(telling: id, handler.fields(refusing: PartialHead())) }
      return nil
    case .body:
      let awaited = awaited.withLock { $0 }
      guard refuse(seen, now: now) else { return nil }
      // Whose body is not wanted has been told so.
      guard let awaited else {
        shutdown(socket, Int32(SHUT_RDWR))
        return nil
      }
      let refused = RejectedRequest(
        .tooSlow, from: peer, glimpse: PartialHead(awaited.head), id: awaited.id ?? ids?.next())
      shut(telling: refused.id, handler.fields(refusing: refused.glimpse))
      return refused
    case .answering, .sending, .streaming, .refused:
      shutdown(socket, Int32(SHUT_RDWR))
      return nil
    }
  }

  /// Whether it is still as it was seen, and so to be refused: only one says something, this or the
  /// worker, which goes on in another phase.
  private func refuse(_ seen: PhaseClock, now: Milliseconds) -> Bool {
    let end = PhaseClock(.refused, sending: 0, since: now)
    return clock.compareExchange(
      expected: seen, desired: end, successOrdering: .releasing, failureOrdering: .relaxed
    ).exchanged
  }

  private func shut(telling id: String?, _ fields: [Field]) {
    EarlyRejection.tooSlow.send(to: socket, id: id, adding: fields)
    shutdown(socket, Int32(SHUT_RDWR))
  }

  /// Whether its head was too slow, and the name that the answer gave it, if it gave one.
  var refusedAsSlow: (is: Bool, id: String?) {
    guard case .head = step, clock.load(ordering: .acquiring).phase == .refused else {
      return (false, nil)
    }
    return (true, slowID.withLock { $0 })
  }

  /// Whether the connection has waited for a request, and nothing else, for half a second.
  func isIdle(now: Milliseconds) -> Bool {
    let clock = clock.load(ordering: .relaxed)
    return (clock.phase == .idle || clock.phase == .opened) && clock.elapsed(at: now) > 500
  }

  /// Whether the connection has had no request, and is not older than so many seconds.
  func isUnasked(within seconds: Int) -> Bool {
    let clock = clock.load(ordering: .relaxed)
    return clock.phase == .opened && clock.elapsed(at: .now) < seconds * 1000
  }

  /// Whether no response of ours has been queued for the request that has begun.
  var lacksAnswer: Bool {
    switch step {
    case .head, .body, .discard: target != nil
    case .ready, .asked, .late, .answered: false
    }
  }

  /// Whether a request has begun that nobody has answered, and that was not refused.
  var awaitsAnswer: Bool {
    if case .discard = step { false } else { lacksAnswer }
  }

  var isStreaming: Bool { clock.load(ordering: .relaxed).phase == .streaming }

  /// Makes ready for the next request.
  func reset(now: Milliseconds) {
    step = .head
    head = nil
    body = []
    observed = nil
    requestID = nil
    target = nil
    mark = nil
    key = nil
    awaited.withLock { $0 = nil }
    enter(.idle, now: now)
  }
}
