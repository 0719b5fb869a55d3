import CMicrohttpd
private import Glibc
import HTTP
private import Synchronization

/// Requests that the parser rejects, or that libmicrohttpd rejects before the parser sees them.
///
/// libmicrohttpd logs that it rejects a request, but does not name the connection. The worker finds
/// it:
///
/// - Invalid Content-Length: libmicrohttpd passes any other complete head to `handle` at once. So
///   the rejected request is the one with a complete head that `handle` has not seen.
/// - Malformed chunk: the rejected request is the only one whose body arrives in chunks. If there are several,
///   the worker finds it after libmicrohttpd has sent its response.
/// - Invalid request line: the worker cannot find the connection.
/// - Other reasons: the worker finds the request after libmicrohttpd has sent its response.
extension Worker {
  /// Reports the rejection, and sets the request's id.
  @discardableResult
  func record(
    _ reason: RejectionReason, of connection: Connection, _ head: PartialHead,
    detail: String? = nil
  ) -> RejectedRequest {
    let rejected = RejectedRequest(
      reason, from: connection.client, head: head, id: options.requestIDs?.next(), detail: detail)
    record(rejected, of: connection)
    return rejected
  }

  private func record(_ rejected: RejectedRequest, of connection: Connection) {
    connection.requestID = rejected.id
    connection.step = .answered
    context.report(rejected)
  }

  /// Reports the rejection and writes the response directly to the socket.
  func reject(
    _ reason: RejectionReason, of connection: Connection, _ head: PartialHead,
    detail: String? = nil
  ) {
    context.send(record(reason, of: connection, head, detail: detail), to: connection.socket)
  }

  /// Rejects the request that libmicrohttpd is about to reject with `status`, if it is known: libmicrohttpd would
  /// send a page, and for an invalid Content-Length the head of its response twice.
  func libraryRejects(status: Int, forChunk isForChunk: Bool) {
    let found = table.withLock { table in
      table.connections.values.filter { isForChunk ? $0.readsChunks : $0.isRejectedForLength }
    }
    guard found.count == 1, found[0].awaitsAnswer else { return unmatchedRejections.append(status) }
    let head = found[0].head.map { PartialHead($0.bytes) } ?? found[0].partialHead
    let reason = isForChunk ? RejectionReason.malformedChunk : .malformedLength
    // This closes the sending half of the socket, so libmicrohttpd cannot send its own response.
    reject(status == 413 ? .bodyTooLarge : reason, of: found[0], head)
  }

  /// Reports a request that ended before the handler answered. Either libmicrohttpd rejected it, or
  /// its head missed the deadline.
  func recordLibraryRejection(of connection: Connection) {
    let status = Int(carousel_status(connection.handle))
    if let index = unmatchedRejections.firstIndex(of: status) {
      unmatchedRejections.remove(at: index)
    }
    let target = { connection.hasIntactHead ? connection.wholeTarget : nil }
    if let late = connection.deferredHead(target: target()) { return record(late, of: connection) }
    guard status >= 400, connection.awaitsAnswer else { return }
    let head =
      connection.head.map { PartialHead($0.bytes) }
      ?? (connection.hasIntactHead ? connection.partialHead : PartialHead())
    record(
      RejectedRequest(
        RejectionReason(library: status, inHead: connection.isInHead), from: connection.client,
        head: head),
      of: connection)
  }

  /// Reports a first request line that missed its deadline, or for which libmicrohttpd closed the
  /// connection without a response.
  func recordUnansweredLine(of connection: Connection) {
    if let late = connection.deferredHead() { return record(late, of: connection) }
    guard connection.isYounger(than: min(options.deadlines.head, options.deadlines.idle)),
      !isDraining.load(ordering: .relaxed),
      carousel_closed_without_answer(connection.socket)
    else { return }
    record(RejectedRequest(.malformedRequestLine, from: connection.peer), of: connection)
  }

  /// Reports the logged rejections that belong to no open connection. libmicrohttpd rejected their
  /// request lines.
  func reportUnmatchedRejections() {
    let open = table.withLock { table in
      table.connections.values.filter(\.awaitsAnswer).map { Int(carousel_status($0.handle)) }
    }
    var closed = unmatchedRejections
    unmatchedRejections = open.compactMap { status in
      closed.firstIndex(of: status).map { closed.remove(at: $0) }
    }
    for status in closed {
      context.report(
        RejectedRequest(status == 400 ? .malformedRequestLine : RejectionReason(library: status)))
    }
  }

  /// The response that replaces the answer to the request of `head`.
  func rejection(_ problem: Problem, of head: Head?, route: StaticString? = nil) -> Response {
    var response = rejection(problem, PartialHead(head?.bytes ?? []))
    response.route = route
    return response
  }

  func rejection(_ problem: Problem, _ head: PartialHead) -> Response {
    var response = problem.response
    response.fields += context.handler.fields(rejecting: head)
    return response
  }

  static let stopping = Problem.unavailable("The server is stopping.")
  static let tooManyStreams = Problem.unavailable(
    "There are too many event streams.", retryAfter: 5)
}

extension RejectionReason {
  fileprivate init(library status: Int, inHead: Bool = true) {
    self =
      switch status {
      case 413: .bodyTooLarge
      case 414: .targetTooLong
      case 431: .headTooLarge
      case 505: .unknownVersion
      default: inHead ? .malformedField : .malformedChunk
      }
  }
}

extension Connection {
  fileprivate var isInHead: Bool {
    if case .head = step { true } else { false }
  }

  /// Valid only while libmicrohttpd logs a rejection.
  fileprivate var isRejectedForLength: Bool {
    awaitsAnswer && isInHead && carousel_has_whole_head(handle)
      && carousel_status(handle) == 0 && field("Content-Length") != nil
  }

  fileprivate var readsChunks: Bool {
    switch step {
    case .body, .discard, .refusedBody: head?.length == .chunked
    default: false
    }
  }

  /// The parts of the head that libmicrohttpd has parsed.
  fileprivate var partialHead: PartialHead {
    var head = PartialHead()
    head.target = wholeTarget
    head.fields = ["X-Request-Id", "traceparent", "Origin"].compactMap { name in
      field(name).map { (Bytes(name.utf8), $0) }
    }
    return head
  }

  /// Whether the request's bytes are still in memory.
  ///
  /// libmicrohttpd writes its own response after them. If the memory is too small, it discards the
  /// request with all its fields. Otherwise there is a `Cookie` field, because `began` adds one.
  fileprivate var hasIntactHead: Bool { field("Cookie") != nil }

  fileprivate var wholeTarget: Bytes? {
    guard let target else { return nil }
    var bytes = Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
    if let hiddenQuery, hiddenQuery.next != 0 {
      bytes += [UInt8(ascii: "?"), UInt8(bitPattern: hiddenQuery.next)]
      let rest = UnsafePointer(hiddenQuery.question + 2)
      bytes += UnsafeRawBufferPointer(start: rest, count: strlen(rest))
    }
    return bytes[...]
  }

  private func field(_ name: String) -> Bytes? {
    var length = 0
    return carousel_field(handle, name, &length).map {
      Array(UnsafeRawBufferPointer(start: $0, count: length))[...]
    }
  }
}
