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

  /// A response with a body of the media type `type`.
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

/// One header field of a response. The server drops a field with CR or LF in its value.
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

/// Caches the server's form of a ``Response`` that is sent many times.
///
///     let response = Response("application/json", json).tagged(tag).preparedForReuse()
///     cache[key] = response     // the server sends it, or its 304, without preparing it again
///
/// It belongs to one set of fields and one body. A response that changes either of them loses it.
package final class PreparedResponse: Sendable {
  private let stored = OnceReference<Handle>()

  /// The server's form of the response. Nil if no thread has made it yet.
  package var handle: Handle? { stored.load() }

  /// Stores `handle`, unless another thread was faster. Returns the stored object.
  package func storeIfNil(_ handle: Handle) -> Handle { stored.storeIfNil(handle) }

  /// A handle of the server, owned by this object.
  package final class Handle: @unchecked Sendable {
    // The pointer never changes. The server locks the object behind it.
    package let pointer: OpaquePointer
    private let release: @Sendable (OpaquePointer) -> Void

    /// Takes ownership of `pointer`. `release` frees it.
    package init(_ pointer: OpaquePointer, release: @escaping @Sendable (OpaquePointer) -> Void) {
      self.pointer = pointer
      self.release = release
    }

    deinit { release(pointer) }
  }
}
