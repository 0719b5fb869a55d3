/// A response, as a value. The server adds `Date`, `Content-Length`, `Connection` and `X-Content-Type-Options`.
package struct Response: Sendable {
  package var status: Int
  package var fields: [Field] { didSet { prepared = nil } }
  package var body: Body { didSet { prepared = nil } }
  /// The pattern of the route that answered. Nil if no route did.
  package var route: StaticString?
  /// What went wrong, for the operator. It is never sent.
  package var cause: String?
  /// Nil for a response that is sent once.
  package private(set) var prepared: PreparedResponse?

  package init(status: Int = 200, fields: [Field] = [], body: Body = .empty) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  package init(status: Int = 200, _ type: String, _ bytes: [UInt8], fields: [Field] = []) {
    var all: [Field] = []
    // Room for the fields that later steps add: an entity tag, CORS.
    all.reserveCapacity(fields.count + 4)
    all.append(Field("Content-Type", type))
    all += fields
    self.init(status: status, fields: all, body: .bytes(bytes))
  }

  /// The response with a ``PreparedResponse``, for a response that is sent many times.
  package func preparedForReuse() -> Response {
    if case .events = body { preconditionFailure("An event stream is sent once.") }
    var reusable = self
    reusable.prepared = PreparedResponse()
    return reusable
  }

  /// The number of body bytes in the response to `method`; 0 for an event stream.
  package func sentCount(to method: Method) -> Int {
    status == 304 || method == .head ? 0 : body.count
  }

  /// Whether there is a field `name`. The comparison respects case.
  func has(_ name: StaticString) -> Bool {
    fields.contains { $0.name.equals(name) }
  }

  /// The value of the first field `name`, ignoring case.
  package subscript(_ name: String) -> String? {
    fields.first { $0.name.description.lowercased() == name.lowercased() }?.value
  }

  /// Ends the stream of a response that is not sent.
  package func discard() { if case .events(let stream) = body { stream.end() } }

  /// 100 Continue: the client may send the body.
  package static let `continue` = Response(status: 100)
}

extension Response {
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
  /// O(1) for two uses of one literal, because the compiler stores equal literals once.
  fileprivate func equals(_ other: StaticString) -> Bool {
    utf8CodeUnitCount == other.utf8CodeUnitCount
      && (utf8Start == other.utf8Start
        || withUTF8Buffer { own in other.withUTF8Buffer { own.elementsEqual($0) } })
  }
}

package enum Body: Sendable {
  case empty
  /// The server sends them together with the head.
  case bytes([UInt8])
  /// The server reads them while it sends them.
  case file(FileBody)
  /// Server-sent events, until the stream ends or the client disconnects.
  case events(EventStream)

  /// Empty for files and events.
  package var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }

  package var count: Int { if case .file(let file) = self { file.count } else { bytes.count } }
}

extension Handler {
  package func cachedResponse(_ request: Request) -> Response? { nil }

  package func onHeaders(of request: Request) -> HandlerResult { .response(.continue) }

  package func largeBody(after head: Head) -> LargeBody? { nil }

  package func fields(rejecting head: PartialHead) -> [Field] { [] }
}

/// A body that may be larger than usual.
package struct LargeBody: Sendable {
  /// In bytes.
  package let limit: Int
  /// Makes a reader for a body of at most this number of bytes. Nil if the request gets the whole body as bytes.
  package let reader: (@Sendable (Int) -> any BodyReader)?

  package init(limit: Int, reader: (@Sendable (Int) -> any BodyReader)? = nil) {
    self.limit = limit
    self.reader = reader
  }
}

/// Reads a body while its parts arrive, so that memory holds only the values that the reader keeps.
package protocol BodyReader: AnyObject, Sendable {
  /// Reads the next part. It must not block.
  ///
  /// - Returns: the number of bytes that the reader keeps of all parts. A part adds at most its own size.
  func read(_ part: UnsafeRawBufferPointer) -> Int

  /// A sentence about the fault of the parts so far; nil for none. A body with a fault is rejected before the rest arrives.
  var fault: String? { get }
}
