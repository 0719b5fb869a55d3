/// What a handler returns for a request: a response, now or later.
package enum Answer: Sendable {
  case response(Response)
  /// The server suspends the connection and calls the closure at once. No thread waits. The closure
  /// passes the response to the responder once, from any thread.
  case deferred(@Sendable (Responder) -> Void)

  /// The answer with `transform` applied to its response, now or later.
  package consuming func map(
    _ transform: @escaping @Sendable (consuming Response) -> Response
  ) -> Answer {
    switch consume self {
    case .response(let response):
      .response(transform(response))
    case .deferred(let start):
      .deferred { responder in start(responder.map(transform)) }
    }
  }

  /// Passes the response to `responder`, now or later.
  package consuming func deliver(to responder: Responder) {
    switch consume self {
    case .response(let response): responder(response)
    case .deferred(let start): start(responder)
    }
  }

  consuming func withRoute(_ pattern: StaticString) -> Answer {
    switch consume self {
    case .response(var response):
      response.route = pattern
      return .response(response)
    case let deferred:
      return deferred.map { response in
        var response = response
        response.route = pattern
        return response
      }
    }
  }
}

/// Receives a deferred response. The client may have disconnected by then.
///
///     .deferred { responder in
///       queue.add { responder(responder.isAwaited ? response : unavailable) }
///     }
///
/// The handler must call it once, even if the client has disconnected. The call ends the connection
/// then.
package struct Responder: Sendable {
  private let deliver: @Sendable (Response) -> Void
  private let isWanted: @Sendable () -> Bool

  /// - Parameters:
  ///   - isAwaited: whether the client is still connected. Any thread may call it.
  ///   - deliver: takes the response. Any thread may call it.
  package init(
    isAwaited: @escaping @Sendable () -> Bool = { true },
    _ deliver: @escaping @Sendable (Response) -> Void
  ) {
    self.deliver = deliver
    isWanted = isAwaited
  }

  /// Whether the client still waits for the response.
  ///
  /// False if the client has closed its sending half, as in nginx. The server cannot distinguish
  /// this from a client that has closed both halves. It still sends the response.
  package var isAwaited: Bool { isWanted() }

  package func callAsFunction(_ response: Response) { deliver(response) }

  /// A responder that applies `transform` to the response before it passes it on.
  func map(_ transform: @escaping @Sendable (consuming Response) -> Response) -> Responder {
    Responder(isAwaited: isWanted) { deliver(transform($0)) }
  }
}

/// Answers requests. A router, a folder of files and the app are handlers.
package protocol Handler: Sendable {
  /// Answers `request`. The server calls it on several threads at once. It must not block.
  func answer(_ request: Request) -> Answer

  /// Decides whether the server reads the body of `request`.
  ///
  /// The server calls it if the client waits for 100 (RFC 9110 section 10.1.1). It also calls it if
  /// the body may be larger than usual. ``Response/continue`` accepts the body. Any other response
  /// rejects it.
  func answer(beforeBodyOf request: Request) -> Answer

  /// The limit of the body after `head` in bytes, if it is higher than usual. Otherwise nil.
  ///
  /// The server calls ``answer(beforeBodyOf:)`` before it reads a body above the usual limit.
  func bodyLimit(after head: Head) -> Int?

  /// The fields to add to the rejection of a request that did not reach the handler.
  func fields(rejecting head: PartialHead) -> [Field]
}

extension Handler {
  package func answer(beforeBodyOf request: Request) -> Answer { .response(.continue) }

  package func bodyLimit(after head: Head) -> Int? { nil }

  package func fields(rejecting head: PartialHead) -> [Field] { [] }
}
