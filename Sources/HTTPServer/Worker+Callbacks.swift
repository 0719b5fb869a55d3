import CMicrohttpd
import HTTP
import Synchronization

/// The callbacks of libmicrohttpd on the thread of a worker, in the order of the events of a connection.
extension Worker {
  func connectionOpened(_ handle: OpaquePointer) -> Connection {
    let connection = Connection(handle)
    table.withLock { $0.connections[ObjectIdentifier(connection)] = connection }
    return connection
  }

  /// A connection has ended. libmicrohttpd closes its socket afterwards.
  func connectionClosed(_ connection: Connection) {
    table.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(connection)) }
    release(connection)
    countClosed(connection.peer)
  }

  /// The first line of a request has arrived. libmicrohttpd has not parsed more.
  func requestBegan(_ connection: Connection, target: UnsafePointer<CChar>) {
    carousel_ignore_cookies(connection.handle)
    connection.maskedQuery = RawHead.maskQuery(of: target)
    connection.enter(.head)
  }

  /// Continues a request. The first call passes the head, the last one an empty `bodyChunk` of the body.
  func handle(
    _ connection: Connection, head: RawHead, bodyChunk: UnsafeRawBufferPointer
  ) -> MHD_Result {
    switch connection.step {
    case .head:
      return connection.enter(.handling) ? handleHead(head, of: connection) : .NO
    case .body where !bodyChunk.isEmpty:
      if connection.bodyCount + bodyChunk.count > connection.bodyLimit {
        rejectBody(of: connection, .bodyTooLarge)
      } else if !connection.append(bodyChunk, within: context.bodies) {
        rejectBody(of: connection, .noRoomForBody)
      } else if let fault = connection.bodyReader?.fault {
        rejectBody(of: connection, .malformedBody, detail: fault)
      }
      return .YES
    case .body:
      return connection.enter(.handling) ? handleRequest(of: connection) : .NO
    case .discard:
      // The client has its response. If it continues to send, its deadline ends the connection.
      return bodyChunk.isEmpty ? .NO : .YES
    case .rejectedBody(let response):
      connection.count(bodyChunk)
      guard bodyChunk.isEmpty else { return .YES }
      return connection.enter(.handling) ? send(response, on: connection) : .NO
    case .suspension(let head, let start):
      return suspend(connection, until: head, start) { .deferred($0) }
    case .deferred(let deferred):
      return collect(deferred, of: connection).map { send($0, on: connection) } ?? .YES
    case .deferredContinue(let deferred):
      return collect(deferred, of: connection).map { proceed(connection, after: $0) } ?? .YES
    case .responded:
      return .YES
    }
  }

  /// A response has been sent, or the connection has failed.
  func requestCompleted(_ connection: Connection) {
    if connection.isStreaming,
      table.withLock({ $0.streams.removeValue(forKey: ObjectIdentifier(connection)) }) != nil
    {
      context.streams.subtract(1, ordering: .relaxed)
    }
    release(connection)
    connection.reset()
  }

  /// Drops messages about requests and clients: the metrics count the rejections.
  func libraryLogged(_ message: String) {
    let isAboutClient = [
      "Connection was closed", "Connection socket is closed", "Socket has been disconnected",
      "Failed to send the", "Failed to send data in request",
      "Error processing request", "Received HTTP/1.1 request without", "Failed to parse",
      "Too large value of", "Not enough memory in pool",
      "Closing connection (failed to create response header)",
      // The worker causes this message when it rejects a body.
      "Application reported internal error",
    ].contains { message.hasPrefix($0) }
    if !isAboutClient { context.logger.log(.warning, message) }
  }

  private func handleHead(_ raw: RawHead, of connection: Connection) -> MHD_Result {
    do throws(RejectionReason) {
      let head = try options.parser.parse(raw.bytes)
      guard admit(connection, head) else { throw RejectionReason.tooManyConnections }
      connection.head = head
      connection.step = .body
      try limitBody(of: connection, head)
      if head.hasExpectation, !head.expectsContinue {
        carousel_ignore_expectation(connection.handle)
      }
      guard head.length != .none, head.length != .bytes(0) else { return .YES }
      if asksBeforeBody(of: connection, head) { return handleHeaders(head, of: connection) }
      connection.awaitBody()
      return .YES
    } catch .bodyTooLarge {
      rejectBody(of: connection, .bodyTooLarge, PartialHead(raw.bytes))
      return .YES
    } catch {
      // A response in the first call makes libmicrohttpd skip the body and close the connection.
      let reason = error == .malformedField && raw.isFolded ? .obsFold : error
      let head = PartialHead(raw.bytes)
      record(reason, of: connection, head)
      return send(rejection(error.problem, head), on: connection, closing: true)
    }
  }

  /// Whether the handler decides about the body before the body is read.
  ///
  /// The connection is suspended until the decision. libmicrohttpd drops a suspended request if its body is complete and
  /// the client has closed its sending half. So a body that fits into the memory of the connection is read first. Only a
  /// larger one waits for the decision.
  private func asksBeforeBody(of connection: Connection, _ head: Head) -> Bool {
    if head.expectsContinue { return true }
    if head.method.isRead { return false }
    return switch head.length {
    case .none: false
    case .bytes(let count): count > options.connectionMemory
    case .chunked: connection.bodyLimit > options.bodyLimit
    }
  }

  private func limitBody(of connection: Connection, _ head: Head) throws(RejectionReason) {
    connection.bodyLimit = options.bodyLimit
    let size =
      switch head.length {
      case .none: 0
      case .bytes(let count): count
      case .chunked: Int.max
      }
    guard size > options.bodyLimit else { return }
    if let large = context.handler.largeBody(after: head) {
      connection.bodyLimit = max(options.bodyLimit, min(large.limit, context.bodies.share))
      connection.bodyReader = large.reader?(min(size, connection.bodyLimit))
    }
    guard size <= connection.bodyLimit || head.length == .chunked else { throw .bodyTooLarge }
  }

  /// Finds the client of a request. False if its address has too many open requests.
  private func admit(_ connection: Connection, _ head: Head) -> Bool {
    guard !options.proxies.isEmpty else { return true }
    connection.client = options.proxies.client(of: head, from: connection.peer)
    // The acceptor has counted the connection of a client that is not behind a proxy.
    guard connection.client != connection.peer, !options.proxies.contains(connection.client) else {
      return true
    }
    connection.isCounted = context.addresses.add(connection.client)
    return connection.isCounted
  }

  /// Releases the reservations of the current request.
  private func release(_ connection: Connection) {
    // A connection can fail after its response was delivered and before it was collected.
    switch connection.step {
    case .deferred(let deferred), .deferredContinue(let deferred):
      if case .events(let stream)? = collect(deferred, of: connection)?.body { stream.end() }
    default: break
    }
    connection.releaseBody(to: context.bodies)
    if let key = connection.reservedResponse.take() { context.responses.release(key) }
    if connection.isCounted { context.addresses.remove(connection.client) }
    connection.isCounted = false
  }

  /// Discards the rest of the body. A close with unread bytes would reset the connection, and the
  /// client would lose the response.
  private func rejectBody(
    of connection: Connection, _ reason: RejectionReason, _ head: PartialHead? = nil,
    detail: String? = nil
  ) {
    let head = head ?? PartialHead(connection.head?.bytes ?? [])
    connection.releaseBody(to: context.bodies)
    _ = connection.takeBody()
    guard connection.awaitBody(discarding: true) else { return }
    reject(reason, of: connection, head, detail: detail)
    connection.step = .discard
  }

  private func handleRequest(of connection: Connection) -> MHD_Result {
    guard let head = connection.head else { return .NO }
    let (body, reader) = connection.takeBody()
    let request = Request(head: head, body: body, reader: reader, peer: connection.client)
    observe(request, of: connection)
    switch context.handler.handle(request) {
    case .response(let response):
      return send(response, on: connection)
    case .deferred(let start):
      // The next call suspends the connection. In this call libmicrohttpd still reads, and a client that closes its sending
      // half would lose its response.
      connection.step = .suspension(head, start)
      return .YES
    }
  }

  /// Asks the handler whether to accept the body. No part of it is kept before the decision. The client may wait to send it.
  private func handleHeaders(_ head: Head, of connection: Connection) -> MHD_Result {
    let request = Request(head: head, peer: connection.client)
    observe(request, of: connection)
    switch context.handler.onHeaders(of: request) {
    case .response(let response):
      return proceed(connection, after: response)
    case .deferred(let start):
      return suspend(connection, until: head, closing: true, start) { .deferredContinue($0) }
    }
  }

  /// Accepts the body, or sends `response` instead. libmicrohttpd sends 100 if the first call for a
  /// request queues no response.
  ///
  /// A client that does not wait for 100 gets the response after its body, which is discarded.
  private func proceed(_ connection: Connection, after response: Response) -> MHD_Result {
    let isAccepted = response.status == Response.continue.status
    if !isAccepted, connection.head?.expectsContinue ?? true {
      return send(response, on: connection, closing: true)
    }
    connection.step = isAccepted ? .body : .rejectedBody(response)
    if isAccepted, connection.bodyLimit > options.bodyLimit { connection.countBodyForToken() }
    connection.awaitBody()
    return .YES
  }

  /// Suspends the connection, enters the step that `step` makes, and calls `start`.
  ///
  /// Answers 503 if the worker is stopping, because libmicrohttpd aborts if it stops with a
  /// suspended connection.
  private func suspend(
    _ connection: Connection, until head: Head, closing: Bool = false,
    _ start: (Responder) -> Void, _ step: (DeferredResponse) -> Connection.Step
  ) -> MHD_Result {
    connection.enter(.handling)
    let deferred: DeferredResponse? = table.withLock { table in
      guard !table.isStopping else { return nil }
      let deferred = DeferredResponse(suspending: connection.handle, until: head, of: self)
      table.deferred[ObjectIdentifier(deferred)] = deferred
      return deferred
    }
    guard let deferred else {
      return send(rejection(Worker.stopping, of: head), on: connection, closing: closing)
    }
    connection.step = step(deferred)
    start(deferred.makeResponder())
    return .YES
  }

  private func collect(
    _ deferred: DeferredResponse, of connection: Connection
  ) -> Response? {
    guard let (response, reservation) = deferred.collect() else { return nil }
    connection.reservedResponse = reservation
    table.withLock { _ = $0.deferred.removeValue(forKey: ObjectIdentifier(deferred)) }
    return response
  }

  func send(
    _ response: Response, on connection: Connection, closing: Bool = false
  ) -> MHD_Result {
    let head = connection.head
    // libmicrohttpd parses the framing of chunks leniently. So the connection closes after a
    // chunked body, and no further request is read.
    var isLast =
      closing || head?.length == .chunked || isDraining.load(ordering: .relaxed)
    if case .events(let stream) = response.body, let head {
      if let problem = open(stream, on: connection) {
        stream.end()
        let rejection = rejection(problem, of: head, route: response.route)
        return send(rejection, on: connection, closing: isLast)
      }
      connection.enter(.streaming)
      // libmicrohttpd would send a last chunk after a chunked response to HEAD, which has no body.
      if head.method == .head { isLast = true }
    } else {
      do throws(Problem) {
        if let head, connection.reservedResponse == nil {
          connection.reservedResponse = try context.responses.reserve(response, to: head.method)
        }
      } catch {
        let rejection = rejection(error, of: head, route: response.route)
        return send(rejection, on: connection, closing: isLast)
      }
      connection.enter(.sending, sending: response.body.count)
    }
    connection.step = .responded
    connection.head = nil
    log(response, of: connection)
    observe(response, of: connection)
    let result = WireResponse.queue(
      response, on: connection.handle, closing: isLast, id: connection.requestID, at: clock.now)
    if let result { return result }
    context.logger.log(.error, "Cannot send a response: out of memory or file descriptors.")
    return .NO
  }

  /// Registers the stream of `connection`. Returns a problem if it cannot.
  private func open(_ stream: EventStream, on connection: Connection) -> Problem? {
    table.withLock { table in
      if table.isStopping || isDraining.load(ordering: .relaxed) { return Worker.stopping }
      guard context.streams.add(1, ordering: .relaxed).newValue <= options.streamLimit else {
        context.streams.subtract(1, ordering: .relaxed)
        return Worker.tooManyStreams
      }
      table.streams[ObjectIdentifier(connection)] = (stream, connection.socket)
      return nil
    }
  }

  /// Sets the id of the request, and stores the request and the time for the observers.
  private func observe(_ request: Request, of connection: Connection) {
    connection.requestID = request.head.requestID?.text ?? options.requestIDs?.next()
    if !options.observers.isEmpty { connection.observed = (request, monotonicNanoseconds()) }
  }

  /// Logs the cause of a failure. The line and the response have the same id.
  private func log(_ response: Response, of connection: Connection) {
    guard let cause = response.cause else { return }
    let id = connection.requestID ?? failureIDs.next()
    connection.requestID = id
    context.logger.log(
      response.status == 503 ? .warning : .error,
      "\(response.status) \(response.route ?? ""): \(cause)", requestID: id)
  }

  private func observe(_ response: Response, of connection: Connection) {
    guard let (request, began) = connection.observed.take() else { return }
    let exchange = Exchange(
      request: request, id: connection.requestID, status: response.status,
      route: response.route, count: response.sentCount(to: request.method),
      nanoseconds: monotonicNanoseconds() - began)
    for observer in options.observers { observer.completed(exchange) }
  }
}
