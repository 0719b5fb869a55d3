import CMicrohttpd
import HTTP
private import Synchronization

/// What the worker says again without asking the handler.
extension Worker {
  /// Keeps `response` for the next time that the same head comes, where it stands.
  func keepReady(
    _ response: Response, to request: Request, _ head: WireHead, of conversation: Connection
  ) {
    // A head that the library has changed since it was looked for would be found under another's key.
    // An expectation has to be taken from the library each time.
    guard let standing = response.standing, response.form != nil, request.head.length == .none,
      !request.head.hasExpectation, let key = conversation.key, key == ResponseCache.key(of: head),
      let answer = CachedResponse(
        key, head.memory, request, response, standing: standing, at: clock.now)
    else { return }
    ready.keep(answer)
  }

  /// Sends what was sent before to the same head.
  func send(
    _ answer: CachedResponse, on connection: OpaquePointer, of conversation: Connection
  ) -> MHD_Result {
    guard !isDraining.load(ordering: .relaxed) else {
      if !observers.isEmpty {
        conversation.observed = Connection.Observed(
          request: answer.request(from: conversation.peer),
          began: Nanoseconds.now)
      }
      return send(answer.response, on: connection, of: conversation)
    }
    conversation.step = .answered
    for observer in observers {
      observer.answered(answer.exchange(with: conversation.peer), by: number)
    }
    conversation.enter(.sending, sending: answer.count, now: .now)
    return answer.queue(on: connection, at: clock.now)
  }
}
