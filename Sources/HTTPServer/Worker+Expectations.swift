import CMicrohttpd
import HTTP

/// Clients that send a head with `Expect: 100-continue`, and wait to be told whether to send the
/// body: the library says 100 when the first call for a head has brought no response.
extension Worker {
  /// Asks the handler whether the body is wanted that the client holds back.
  func ask(
    _ conversation: Connection, _ connection: OpaquePointer, _ head: Head
  ) -> MHD_Result {
    let request = Request(head: head, peer: conversation.peer)
    note(request, of: conversation)
    switch handler.answer(beforeBodyOf: request) {
    case .response(let response):
      return proceed(conversation, connection, after: response)
    case .later(let start):
      conversation.enter(.answering, now: .now)
      guard let late = suspend(connection, until: head) else {
        return send(
          refusal(Worker.stopping, of: head), on: connection, of: conversation, closing: true)
      }
      conversation.step = .asked(late)
      start(late.delivery)
      return .YES
    }
  }

  /// Lets the body come, which makes the library say so, or refuses it with `response`.
  func proceed(
    _ conversation: Connection, _ connection: OpaquePointer, after response: Response
  ) -> MHD_Result {
    guard response.status == Response.goOn.status else {
      return send(response, on: connection, of: conversation, closing: true)
    }
    conversation.step = .body
    conversation.awaitBody(of: conversation.head, now: .now)
    return .YES
  }
}
