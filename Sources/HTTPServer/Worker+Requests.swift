import CMicrohttpd
import HTTP
import Synchronization

/// What the library calls, on the worker's own thread.
extension Worker {
  /// A connection begins.
  func opened(_ connection: OpaquePointer) -> Connection {
    let peer = carousel_connection_peer(connection).map { Peer($0) } ?? .unknown
    let conversation = Connection(
      connection, socket: carousel_connection_socket(connection), peer: peer, now: .now)
    table.withLock { $0.conversations[ObjectIdentifier(conversation)] = conversation }
    return conversation
  }

  /// A connection has ended; its socket is closed after this.
  func closed(_ conversation: Connection) {
    table.withLock { table in
      table.conversations.removeValue(forKey: ObjectIdentifier(conversation))
      table.streams.remove(conversation)
    }
    bodies.giveBack(conversation.takeBodyCount())
    noteSilence(of: conversation)
    settleRefusals()
    departed(conversation.peer)
  }

  /// A request's head is there, then each `piece` of its body, then its end as an empty piece.
  func handle(
    _ conversation: Connection, _ connection: OpaquePointer, head: WireHead,
    piece: UnsafeRawBufferPointer
  ) -> MHD_Result {
    switch conversation.step {
    case .head:
      let key = ResponseCache.key(of: head)
      if let key, let answer = ready.find(key, head) {
        conversation.step = .ready(answer)
        return .YES
      }
      conversation.key = key
      do {
        let head = try gate.admit(head.bytes)
        conversation.head = head
        conversation.step = .body
        if head.expectsContinue { return ask(conversation, connection, head) }
        if head.hasExpectation { carousel_ignore_expectation(connection) }
        if head.length != .none { conversation.awaitBody(of: head, now: .now) }
        return .YES
      } catch .bodyTooLarge {
        refuseBody(of: conversation, by: .bodyTooLarge, PartialHead(of: head.bytes))
        return .YES
      } catch {
        // In the first call, which makes the library read no body and close.
        let reason = error == .malformedField && head.isFolded ? .foldedField : error
        let glimpse = PartialHead(of: head.bytes)
        refused(reason, of: conversation, glimpse)
        var response = error.problem.response
        response.fields += handler.fields(refusing: glimpse)
        return send(response, on: connection, of: conversation, closing: true)
      }
    case .body where !piece.isEmpty:
      guard conversation.body.count + piece.count <= gate.bodyLimit else {
        refuseBody(of: conversation, by: .bodyTooLarge)
        return .YES
      }
      guard bodies.take(piece.count) else {
        refuseBody(of: conversation, by: .noRoomForBody)
        return .YES
      }
      conversation.append(piece)
      return .YES
    case .body:
      return answer(conversation, connection, head)
    case .ready(let answer):
      return send(answer, on: connection, of: conversation)
    case .discard:
      // It has been told; its deadline ends it where it goes on all the same.
      return piece.isEmpty ? .NO : .YES
    case .late(let late):
      guard let response = taken(late) else { return .YES }
      return send(response, on: connection, of: conversation)
    case .asked(let late):
      guard let response = taken(late) else { return .YES }
      return proceed(conversation, connection, after: response)
    case .answered:
      return .YES
    }
  }

  /// A response has been sent, or its connection has failed.
  func completed(_ conversation: Connection, _ connection: OpaquePointer) {
    if conversation.lacksAnswer { noteRefusal(of: conversation, connection) }
    if conversation.isStreaming { table.withLock { $0.streams.remove(conversation) } }
    bodies.giveBack(conversation.takeBodyCount())
    conversation.reset(now: .now)
  }

  /// A request's first line is there, and has not been parsed further.
  func begin(
    _ conversation: Connection, _ connection: OpaquePointer, target: UnsafePointer<CChar>
  ) {
    carousel_ignore_cookies(connection)
    conversation.target = target
    conversation.mark = WireHead.hideQuery(of: target)
    conversation.enter(.head, now: .now)
  }

  /// The library has something to say; that a client has gone is nothing to tell an operator.
  func say(_ message: String) {
    let isDeparture = [
      "Connection was closed", "Connection socket is closed", "Failed to send the footers",
      "Failed to send the response headers", "Failed to send data in request",
      // What we say ourselves of a body that is not wanted.
      "Application reported internal error",
    ].contains { message.hasPrefix($0) }
    if !isDeparture { log.say(message) }
  }

  /// Says why the body is not taken, and reads on: a connection closed with bytes unread is reset,
  /// and the client would never see why.
  private func refuseBody(
    of conversation: Connection, by refusal: RejectionReason, _ glimpse: PartialHead? = nil
  ) {
    let glimpse = glimpse ?? conversation.head.map { PartialHead($0) } ?? PartialHead()
    bodies.giveBack(conversation.takeBodyCount())
    conversation.body = []
    conversation.awaitBody(of: nil, now: .now)
    refuse(refusal, of: conversation, glimpse)
    conversation.step = .discard
  }

  /// Remembers who asked, and since when.
  func note(_ request: Request, of conversation: Connection) {
    conversation.requestID = request.head.requestID?.text ?? requestIDs?.next()
    if !observers.isEmpty {
      conversation.observed = Connection.Observed(request: request, began: Nanoseconds.now)
    }
  }

  /// The response that `late` has brought, if it has.
  func taken(_ late: DeferredResponse) -> Response? {
    guard let response = late.take() else { return nil }
    table.withLock { _ = $0.late.removeValue(forKey: ObjectIdentifier(late)) }
    return response
  }

  private func answer(
    _ conversation: Connection, _ connection: OpaquePointer, _ wire: WireHead
  ) -> MHD_Result {
    guard let head = conversation.head else { return .NO }
    let request = Request(head: head, body: conversation.body, peer: conversation.peer)
    conversation.body = []
    note(request, of: conversation)
    switch handler.answer(request) {
    case .response(let response):
      // An answer that says its request's name is for that request alone.
      if conversation.requestID == nil {
        keepReady(response, to: request, wire, of: conversation)
      }
      return send(response, on: connection, of: conversation)
    case .later(let start):
      conversation.enter(.answering, now: .now)
      guard let late = suspend(connection, until: head) else {
        return send(refusal(Worker.stopping, of: head), on: connection, of: conversation)
      }
      conversation.step = .late(late)
      start(late.delivery)
      return .YES
    }
  }

  /// Sets `connection` aside until `head` is answered; nil when the worker is about to stop, which
  /// the library survives only without such connections.
  func suspend(_ connection: OpaquePointer, until head: Head) -> DeferredResponse? {
    table.withLock { table in
      guard !table.isStopping else { return nil }
      let late = DeferredResponse(suspending: connection, until: head)
      table.late[ObjectIdentifier(late)] = late
      return late
    }
  }

  func send(
    _ response: Response, on connection: OpaquePointer, of conversation: Connection,
    closing: Bool = false
  ) -> MHD_Result {
    let head = conversation.head
    // The library is lenient with the framing of chunks, so nothing is read after them.
    var isLast =
      closing || head?.length == .chunked || isDraining.load(ordering: .relaxed)
    conversation.step = .answered
    conversation.head = nil
    observe(response, of: conversation)
    if case .events(let stream) = response.body, let head {
      guard open(stream, of: conversation) else {
        stream.end()
        let problem = isLast ? Worker.stopping : Worker.tooManyStreams
        return send(
          refusal(problem, of: head), on: connection, of: conversation, closing: isLast)
      }
      conversation.enter(.streaming, now: .now)
      // In chunks it would be ended, though it has not begun.
      if head.method == .head { isLast = true }
    } else {
      conversation.enter(.sending, sending: response.body.count, now: .now)
    }
    if let form = response.form, !isLast, conversation.requestID == nil {
      guard let made = WireResponse.kept(in: form, response, on: connection) else {
        return noMemory()
      }
      return MHD_queue_response(connection, UInt32(response.status), made.handle)
    }
    guard
      let wire = WireResponse(
        response, on: connection, closing: isLast, id: conversation.requestID,
        at: isLast ? nil : clock.now)
    else { return noMemory() }
    return wire.queue(status: response.status, on: connection)
  }

  private func noMemory() -> MHD_Result {
    log.say("There is no memory for a response.")
    return .NO
  }

  func observe(_ response: Response, of conversation: Connection) {
    if let cause = response.cause {
      log.say("\(response.status) \(response.route ?? ""): \(cause)")
    }
    guard let observed = conversation.observed.take() else { return }
    let request = observed.request
    let exchange = Exchange(
      request: request, id: conversation.requestID, status: response.status,
      route: response.route, count: response.sentCount(to: request.method),
      nanoseconds: Nanoseconds.now - observed.began)
    for observer in observers { observer.answered(exchange, by: number) }
  }

  private func open(_ stream: EventStream, of conversation: Connection) -> Bool {
    table.withLock { table in
      !isDraining.load(ordering: .relaxed) && !table.isStopping
        && table.streams.add(stream, of: conversation)
    }
  }
}
