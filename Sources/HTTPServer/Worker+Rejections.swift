import CMicrohttpd
import HTTP
private import Synchronization

/// Requests that are rejected before the handler gets them.
extension Worker {
  /// Reports the rejection, and sets the request's id.
  @discardableResult
  func record(
    _ reason: RejectionReason, of connection: Connection, _ head: PartialHead,
    detail: String? = nil
  ) -> RejectedRequest {
    let rejected = RejectedRequest(
      reason, from: connection.client, head: head, id: options.requestIDs?.next(), detail: detail)
    connection.requestID = rejected.id
    connection.step = .responded
    context.report(rejected)
    return rejected
  }

  /// Reports the rejection and writes the response directly to the socket.
  func reject(
    _ reason: RejectionReason, of connection: Connection, _ head: PartialHead,
    detail: String? = nil
  ) {
    context.send(record(reason, of: connection, head, detail: detail), to: connection.socket)
  }

  /// Rejects a request with an invalid Content-Length or an invalid chunk, before libmicrohttpd does with `status`.
  ///
  /// The response of libmicrohttpd would be a page of HTML, and for a Content-Length it would have two heads.
  /// libmicrohttpd reports the error but not the connection, so this searches for it:
  ///
  /// - Content-Length: a connection with a complete head that `handle` has not received. It receives a valid head at once.
  /// - chunk: a connection whose body arrives in chunks.
  ///
  /// If not exactly one connection fits, the rejection is only counted.
  func libraryRejects(status: Int, forChunk isForChunk: Bool) {
    let found = table.withLock { table in
      table.connections.values.filter { isForChunk ? $0.readsChunks : $0.isRejectedForLength }
    }
    guard found.count == 1 else { return context.report(RejectedRequest(status: status)) }
    // It can be rejected already: the client was too slow, or the server discards the body.
    if found[0].isRejected { return }
    let head = found[0].head.map { PartialHead($0.bytes) } ?? PartialHead()
    let reason = isForChunk ? RejectionReason.malformedChunk : .malformedLength
    // This closes the sending half of the socket, so libmicrohttpd cannot send its own response.
    reject(status == 413 ? .bodyTooLarge : reason, of: found[0], head)
  }

  /// The response that the request of `head` gets instead of the handler's.
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

extension Connection {
  /// Valid only while libmicrohttpd logs a rejection.
  fileprivate var isRejectedForLength: Bool {
    if case .head = step { carousel_has_unhandled_length(handle) } else { false }
  }

  fileprivate var readsChunks: Bool {
    switch step {
    case .body, .discard, .rejectedBody: head?.length == .chunked
    default: false
    }
  }
}
