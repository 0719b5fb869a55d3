import CMicrohttpd
private import Glibc
import HTTP
import Synchronization

/// A connection and the state of its current request.
///
/// Only the worker's thread uses the properties without a mutex. Other threads check the deadlines
/// and shut the socket down.
final class Connection: @unchecked Sendable {
  /// The meaning of libmicrohttpd's next call for the request.
  enum Step {
    /// The head.
    case head
    /// The handler's deferred decision whether to accept the body.
    case deferredContinue(DeferredResponse)
    /// A chunk of the body, or its end.
    case body
    /// A chunk of a rejected body.
    case discard
    /// A chunk of a body that the handler has rejected, or its end. The response comes after it.
    case rejectedBody(Response)
    /// The time to suspend the connection, and to start the handler's deferred response.
    case suspension(Head, @Sendable (Responder) -> Void)
    case deferred(DeferredResponse)
    /// Nothing: the response is queued.
    case responded
  }

  let handle: OpaquePointer
  let socket: Int32
  /// The address of the other end of the socket.
  let peer: Peer
  /// The client of the current request: `peer`, or a client behind the proxy `peer`.
  var client: Peer
  /// Whether the request counts against the limit of its client's address.
  var isCounted = false
  var step = Step.head
  var head: Head?
  var body: [UInt8] = []
  /// Reads the body. Nil if `body` collects it.
  var bodyReader: (any BodyReader)?
  var bodyLimit = 0
  /// The bytes of the body that have arrived.
  private(set) var bodyCount = 0
  /// The value of `Authorization`, if the handler has accepted a large body for it.
  private var acceptedToken: [UInt8]?
  /// The bytes of the budget that are reserved for the body, or for the parts that its reader keeps.
  private var reservedCount = 0
  /// The reservation of the response's body in the budget.
  var reservedResponse: ResponseBudget.Key?
  /// The current request and its start time in nanoseconds, if there are observers.
  var observed: (request: Request, began: Int64)?
  var requestID: String?
  var maskedQuery: RawHead.MaskedQuery?
  private let clock = Mutex(PhaseClock())
  /// The request whose body has a deadline.
  private let awaited = Mutex<Request?>(nil)

  init(_ handle: OpaquePointer) {
    self.handle = handle
    socket = carousel_connection_socket(handle)
    peer = carousel_connection_peer(handle).map { Peer($0) } ?? .unknown
    client = peer
  }

  /// Counts the body for the token of its request, because the handler has accepted the token.
  func countBodyForToken() { acceptedToken = head?.value(of: "authorization").map { Array($0) } }

  private var bodyOwner: BodyBudget.Owner {
    acceptedToken.map { .token($0) } ?? .client(client.rateLimitKey)
  }

  /// Appends a chunk of the body. False if the budget has too little memory.
  func append(_ bodyChunk: UnsafeRawBufferPointer, within budget: BodyBudget) -> Bool {
    // The body of a read has no meaning (RFC 9110 section 9.3.1), so it is not kept.
    guard head?.method.isRead ?? false || keep(bodyChunk, within: budget) else { return false }
    count(bodyChunk)
    return true
  }

  /// Counts a chunk of the body for its deadline.
  func count(_ bodyChunk: UnsafeRawBufferPointer) {
    bodyCount += bodyChunk.count
    // A body that has missed its deadline keeps its phase.
    clock.withLock { if $0.phase == .body { $0.count = bodyCount } }
  }

  private func keep(_ bodyChunk: UnsafeRawBufferPointer, within budget: BodyBudget) -> Bool {
    guard budget.reserve(bodyChunk.count, for: bodyOwner) else { return false }
    reservedCount += bodyChunk.count
    if let bodyReader {
      let unneeded = reservedCount - bodyReader.read(bodyChunk)
      budget.release(unneeded, of: bodyOwner)
      reservedCount -= unneeded
    } else {
      // Without a reserved capacity the array could grow to twice the size of the body.
      if body.isEmpty, case .bytes(let count)? = head?.length { body.reserveCapacity(count) }
      body.append(contentsOf: bodyChunk)
    }
    return true
  }

  func releaseBody(to budget: BodyBudget) {
    guard reservedCount > 0 else { return }
    budget.release(reservedCount, of: bodyOwner)
    reservedCount = 0
  }

  /// Moves the body out of the connection.
  func takeBody() -> (bytes: [UInt8], reader: (any BodyReader)?) {
    defer { (body, bodyReader, bodyCount) = ([], nil, 0) }
    return (body, bodyReader)
  }

  func reset() {
    step = .head
    client = peer
    head = nil
    _ = takeBody()
    acceptedToken = nil
    observed = nil
    requestID = nil
    maskedQuery = nil
    awaited.withLock { $0 = nil }
    enter(.idle)
  }

  /// Begins a phase of the request, and its deadline.
  ///
  /// - Parameter count: the bytes that are sent in the phase.
  /// - Returns: false if the request has missed an earlier deadline. It has its response, and must not be handled.
  @discardableResult
  func enter(_ phase: Phase, sending count: Int = 0) -> Bool {
    clock.withLock { clock in
      guard clock.phase != .rejected else { return false }
      clock = PhaseClock(phase: phase, count: count)
      return true
    }
  }

  /// Begins the phase in which the body arrives.
  ///
  /// - Parameter discarding: whether the body is rejected.
  /// - Returns: as `enter`.
  @discardableResult
  func awaitBody(discarding: Bool = false) -> Bool {
    guard enter(.body) else { return false }
    let request = discarding ? nil : head.map { Request(head: $0, peer: client) }
    awaited.withLock { $0 = request }
    return true
  }

  /// Ends a connection that missed a deadline. Sends 408 if a request line has arrived.
  ///
  /// - Returns: the rejected request, if any. Its head is empty if the head is incomplete: only the worker's thread may
  ///   read an incomplete head.
  func closeIfOverdue(now: Int, _ context: ServerContext) -> RejectedRequest? {
    let seen = clock.withLock { $0 }
    if seen.phase == .idle, Connection.isClosedByClient(socket) {
      // libmicrohttpd misses the end of the stream if it has arrived together with the last request.
      shutdown(socket, Int32(SHUT_RD))
      return nil
    }
    guard let seconds = context.options.deadlines.seconds(in: seen.phase, of: seen.count),
      now - seen.start > seconds * 1000
    else { return nil }
    switch seen.phase {
    case .head, .body:
      let awaited = awaited.withLock { $0 }
      guard markRejected(seen) else { return nil }
      defer { shutdown(socket, Int32(SHUT_RDWR)) }
      // A body without a request is rejected already, and its client has the response.
      if seen.phase == .body, awaited == nil { return nil }
      let rejected = RejectedRequest(
        .tooSlow, from: awaited?.peer ?? peer,
        head: awaited.map { PartialHead($0.head.bytes) } ?? PartialHead(),
        id: context.options.requestIDs?.next())
      context.send(rejected, to: socket)
      return rejected
    case .opened, .idle, .handling, .sending, .streaming, .rejected:
      // While no request is open, only the receiving half is closed: a request that has just arrived still gets its response.
      let half = [.opened, .idle].contains(seen.phase) ? SHUT_RD : SHUT_RDWR
      // The worker's thread cannot begin the next request while the lock is held.
      clock.withLock { if $0 == seen { shutdown(socket, Int32(half)) } }
    }
    return nil
  }

  /// Enters the phase `rejected`. False if the worker's thread has entered another phase since
  /// `seen`: the worker then answers the request.
  private func markRejected(_ seen: PhaseClock) -> Bool {
    clock.withLock { clock in
      guard clock == seen else { return false }
      clock = PhaseClock(phase: .rejected)
      return true
    }
  }

  /// Whether the connection has waited for a request for more than half a second.
  func isIdle(now: Int) -> Bool {
    clock.withLock { [.idle, .opened].contains($0.phase) && now - $0.start > 500 }
  }

  /// Whether the current request is already rejected.
  var isRejected: Bool {
    if case .discard = step { true } else { clock.withLock { $0.phase } == .rejected }
  }

  var isStreaming: Bool { clock.withLock { $0.phase } == .streaming }

  /// Whether the connection was reset or has failed. libmicrohttpd does not watch suspended connections, so the
  /// server has to check them. A client that has closed its sending half may still read.
  static func isBroken(_ socket: Int32) -> Bool {
    var source = pollfd(fd: socket, events: 0, revents: 0)
    return poll(&source, 1, 0) > 0
  }

  /// Whether the client has closed its sending half, and all received bytes are read. Its event stream then ends, because
  /// the server cannot distinguish the client from a page that was closed.
  static func isClosedByClient(_ socket: Int32) -> Bool {
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count == 0 || count < 0 && errno != EAGAIN
  }
}

/// The current activity of a connection, for its deadline.
enum Phase {
  case opened, head, body, handling, sending, streaming, idle
  /// The client was too slow and got a rejection. The connection is closing.
  case rejected
}

/// A phase, the bytes to send or received in it, and its start.
private struct PhaseClock: Equatable {
  var phase = Phase.opened
  var count = 0
  var start = coarseMilliseconds()
}

/// A time on the coarse monotonic clock, which is cheap to read. It may be a few milliseconds behind.
func coarseMilliseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
  return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}

/// The monotonic clock, with a resolution below 1 µs.
func monotonicNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

extension SocketAddress {
  /// Accepts a connection, and stores the address of its client. Returns its socket, or -1 with `errno`.
  mutating func accept(from listener: Int32) -> Int32 {
    withPointer { carousel_accept(listener, $0, $1) }
  }
}
