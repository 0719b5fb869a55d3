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

  /// Rejects a request with an invalid Content-Length just before libmicrohttpd does, because libmicrohttpd would send two
  /// heads.
  ///
  /// libmicrohttpd does not name the connection. It passes each valid head to `handle` at once. So this searches for a
  /// connection with a complete head that `handle` has not received. If there is not exactly one, the rejection is only
  /// counted.
  func rejectForLength(status: Int) {
    let found = table.withLock { $0.connections.values.filter(\.isRejectedForLength) }
    guard found.count == 1 else { return context.report(RejectedRequest(status: status)) }
    // The client can have missed its deadline.
    if found[0].isRejected { return }
    // This closes the sending half of the socket, so libmicrohttpd cannot send its own response.
    reject(status == 413 ? .bodyTooLarge : .malformedLength, of: found[0], PartialHead())
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
}
