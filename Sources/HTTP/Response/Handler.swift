import Synchronization

/// The result of a handler: a response, now or later.
package enum HandlerResult: Sendable {
  case response(Response)
  /// The server suspends the connection and calls the closure at once. No thread waits.
  case deferred(@Sendable (Responder) -> Void)

  package consuming func map(
    _ transform: @escaping @Sendable (consuming Response) -> Response
  ) -> HandlerResult {
    switch consume self {
    case .response(let response):
      .response(transform(response))
    case .deferred(let start):
      .deferred { responder in start(responder.map(transform)) }
    }
  }

  consuming func withRoute(_ pattern: StaticString) -> HandlerResult {
    map { response in
      var response = response
      response.route = pattern
      return response
    }
  }
}

/// Receives a deferred response from any thread. Only the first response counts.
///
/// If the last reference is dropped without a response, the client gets 503. So no connection stays suspended.
package final class Responder: Sendable {
  private let deliver: @Sendable (Response) -> Void
  private let isClientConnected: @Sendable () -> Bool
  private let commitPoint: @Sendable (Problem) -> Bool
  private let isDone = Atomic(false)

  /// Any thread may call the closures.
  package init(
    isClientWaiting: @escaping @Sendable () -> Bool = { true },
    commitPoint: @escaping @Sendable (Problem) -> Bool = { _ in true },
    _ deliver: @escaping @Sendable (Response) -> Void
  ) {
    self.deliver = deliver
    self.commitPoint = commitPoint
    isClientConnected = isClientWaiting
  }

  deinit { self(Problem.unavailable("The request was dropped. Send it again.").response) }

  /// Whether the client may still wait for the response. False after a response, or if the connection was reset. A client
  /// that has closed its sending half counts as waiting: the server cannot distinguish it from a client that has closed the
  /// whole connection.
  package var isClientWaiting: Bool { !isDone.load(ordering: .relaxed) && isClientConnected() }

  /// Begins work that cannot be taken back.
  ///
  /// - Parameter problem: the response if the server stops before the work has ended.
  /// - Returns: false if the client already has a response, because the server stops. The work must not begin then.
  package func beginCommit(orAtStop problem: Problem) -> Bool { commitPoint(problem) }

  package func callAsFunction(_ response: Response) {
    guard !isDone.exchange(true, ordering: .relaxed) else { return response.discard() }
    deliver(response)
  }

  func map(_ transform: @escaping @Sendable (consuming Response) -> Response) -> Responder {
    Responder(isClientWaiting: { self.isClientWaiting }, commitPoint: commitPoint) {
      self(transform($0))
    }
  }
}

package protocol Handler: Sendable {
  /// The server calls it on several threads at once. It must not block.
  func handle(_ request: Request) -> HandlerResult

  /// The response if it is in memory. Nil if `handle` has to read the disk.
  func cachedResponse(_ request: Request) -> Response?

  /// Decides from the head of `request` whether the client may send the body: ``Response/continue`` accepts the body, any
  /// other response rejects it.
  ///
  /// The server calls it if the client waits for 100 (RFC 9110 section 10.1.1), or if the body may be larger than usual.
  func onHeaders(of request: Request) -> HandlerResult

  /// The limit and the reader of a body that is larger than usual. Nil if the body after `head` may not be larger.
  func largeBody(after head: Head) -> LargeBody?

  /// The fields to add to the rejection of a request that did not reach the handler.
  func fields(rejecting head: PartialHead) -> [Field]
}
