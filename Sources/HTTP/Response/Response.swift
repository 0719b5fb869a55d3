/// A response, as a value.
///
/// The server adds `Date`, `Content-Length`, `Connection` and `X-Content-Type-Options`.
package struct Response: Sendable {
  package var status: Int
  package var fields: [Field] { didSet { prepared = nil } }
  package var body: Body { didSet { prepared = nil } }
  /// The pattern of the route that answered, for metrics and the log. Nil if no route did.
  package var route: StaticString?
  /// What went wrong, for the operator. It is never sent.
  package var cause: String?
  /// Caches the server's own form of the response. Nil for a response that is sent once.
  package private(set) var prepared: PreparedResponse?

  package init(status: Int = 200, fields: [Field] = [], body: Body = .empty) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// - Parameter type: the media type of the body.
  package init(status: Int = 200, _ type: String, _ bytes: [UInt8], fields: [Field] = []) {
    var all: [Field] = []
    // Room for the fields that later steps add: an entity tag, CORS.
    all.reserveCapacity(fields.count + 4)
    all.append(Field("Content-Type", type))
    all += fields
    self.init(status: status, fields: all, body: .bytes(bytes))
  }

  /// The response with a ``PreparedResponse``, for a response that is sent many times.
  ///
  /// - Precondition: the body is not an event stream.
  package func preparedForReuse() -> Response {
    if case .events = body { preconditionFailure("An event stream is sent once.") }
    var reusable = self
    reusable.prepared = PreparedResponse()
    return reusable
  }

  /// The number of body bytes in the answer to `method`; 0 for an event stream.
  package func sentCount(to method: Method) -> Int {
    status == 304 || method == .head ? 0 : body.count
  }

  /// Whether there is a field `name`. The comparison respects case.
  func has(_ name: StaticString) -> Bool {
    fields.contains { $0.name.equals(name) }
  }

  /// The value of the first field `name`, ignoring case, for tests.
  package subscript(_ name: String) -> String? {
    fields.first { $0.name.description.lowercased() == name.lowercased() }?.value
  }

  /// 100 Continue: the client may send the body.
  package static let `continue` = Response(status: 100)
}

extension Response {
  package consuming func tagged(_ tag: EntityTag) -> Response {
    var tagged = consume self
    tagged.fields.append(Field("ETag", tag.value))
    return tagged
  }

  /// The response, or 304 if the request's `If-None-Match` lists `tag`.
  ///
  /// A 304 keeps all fields: it must have ETag, Cache-Control and Vary (RFC 9110 section 15.4.5). The
  /// server omits its body.
  package consuming func conditional(
    on request: Request, _ tag: @autoclosure () -> EntityTag
  ) -> Response {
    var response = consume self
    if response.status == 200, request.method.isRead, request.ifNoneMatchLists(tag()) {
      response.status = 304
    }
    return response
  }
}

/// One header field of a response. The server drops a field with a control character in its value.
package struct Field: Sendable {
  package let name: StaticString
  package let value: String

  package init(_ name: StaticString, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension StaticString {
  /// Whether both have the same bytes. O(1) for two uses of one literal, because the compiler
  /// stores equal literals once.
  fileprivate func equals(_ other: StaticString) -> Bool {
    utf8CodeUnitCount == other.utf8CodeUnitCount
      && (utf8Start == other.utf8Start
        || withUTF8Buffer { own in other.withUTF8Buffer { own.elementsEqual($0) } })
  }
}

package enum Body: Sendable {
  case empty
  /// One buffer. The server sends it together with the head.
  case bytes([UInt8])
  /// Server-sent events, until the stream ends or the client disconnects.
  case events(EventStream)

  /// The length in bytes; 0 for events.
  package var count: Int {
    switch self {
    case .empty, .events: 0
    case .bytes(let bytes): bytes.count
    }
  }

  /// The bytes in one buffer; empty for events.
  package var bytes: [UInt8] {
    switch self {
    case .empty, .events: []
    case .bytes(let bytes): bytes
    }
  }
}

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

/// Receives a deferred response.
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

  /// Any thread may call both closures.
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

  func map(_ transform: @escaping @Sendable (consuming Response) -> Response) -> Responder {
    Responder(isAwaited: isWanted) { deliver(transform($0)) }
  }
}

/// Answers requests. A folder of files and the app are handlers.
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
