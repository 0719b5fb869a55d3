/// A request that was rejected before the server called the handler. Observers get it.
package struct RejectedRequest: Sendable {
  /// Nil if libmicrohttpd rejected the request: libmicrohttpd does not name the connection.
  package let reason: RejectionReason?
  package let peer: Peer
  package let head: PartialHead
  package let id: String?
  package let problem: Problem

  package var status: Int { problem.status }

  /// A request that libmicrohttpd rejected.
  package init(status: Int) {
    reason = nil
    peer = .unknown
    head = PartialHead()
    id = nil
    problem = Problem(status: status, detail: "")
  }

  /// - Parameters:
  ///   - id: an id that the server made, for a request without an id.
  ///   - detail: the text for the client; nil for the text of the reason.
  package init(
    _ reason: RejectionReason, from peer: Peer = .unknown, head: PartialHead = PartialHead(),
    id: String? = nil, detail: String? = nil
  ) {
    self.reason = reason
    problem = detail.map { Problem(status: reason.status, detail: $0) } ?? reason.problem
    self.peer = peer
    self.head = head
    self.id = head.requestID?.text ?? id
  }
}
