/// One answer, as a value: what the daemon sends.
///
/// The daemon adds `Date`, `Content-Length`, `Connection` and `X-Content-Type-Options` itself.
package struct Response: Sendable {
  package var status: Int
  package var fields: [Field] { didSet { form = nil } }
  package var body: Body { didSet { form = nil } }
  /// The pattern of the route that answered, for those who count; nil where none did.
  package var route: StaticString?
  /// What went wrong, for whoever runs the server: never sent.
  package var cause: String?
  /// Where the daemon keeps what it made of this, if that is worth while.
  package private(set) var form: PreparedResponse?
  /// Until when the same head gets the same; nil where it has to be answered anew each time.
  package var standing: CacheValidator?

  package init(status: Int = 200, fields: [Field] = [], body: Body = .empty) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// A body of the media type `type`.
  package init(status: Int = 200, _ type: String, _ bytes: [UInt8], fields: [Field] = []) {
    var all: [Field] = []
    // Room for what is added on the way: a tag, and who may read it.
    all.reserveCapacity(fields.count + 4)
    all.append(Field("Content-Type", type))
    all += fields
    self.init(status: status, fields: all, body: .bytes(bytes))
  }

  /// This, made ready to be sent many times; not for events.
  package func kept() -> Response {
    if case .events = body { preconditionFailure("Events are sent once.") }
    var kept = self
    kept.form = PreparedResponse()
    return kept
  }

  /// Bytes of the body that go out to a request of `method`; 0 where they are still to come.
  package func sentCount(to method: Method) -> Int {
    status == 304 || method == .head ? 0 : body.count
  }

  /// Whether there is a field `name`, spelled like that.
  package func has(_ name: StaticString) -> Bool {
    fields.contains { $0.name.spells(name) }
  }

  /// The value of the first field `name`, whose case does not matter; for tests and middle steps.
  package subscript(_ name: String) -> String? {
    fields.first { $0.name.description.lowercased() == name.lowercased() }?.value
  }
}

/// One header of a response. The value holds neither CR nor LF: the daemon drops a field that does.
package struct Field: Sendable {
  package let name: StaticString
  package let value: String

  package init(_ name: StaticString, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension StaticString {
  /// Whether both have the same bytes; seen at once where they stand at the same place, as a name does
  /// that the program spells twice.
  fileprivate func spells(_ other: StaticString) -> Bool {
    utf8CodeUnitCount == other.utf8CodeUnitCount
      && (utf8Start == other.utf8Start
        || withUTF8Buffer { own in other.withUTF8Buffer { own.elementsEqual($0) } })
  }
}

/// What follows the head of a response.
package enum Body: Sendable {
  case empty
  /// One buffer, sent as it is together with the head.
  case bytes([UInt8])
  /// Whatever comes, for as long as the client stays.
  case events(EventStream)

  /// Its length in bytes; 0 where that is not known.
  package var count: Int {
    switch self {
    case .empty, .events: 0
    case .bytes(let bytes): bytes.count
    }
  }

  /// Its bytes, in one buffer; none where they are still to come.
  package var bytes: [UInt8] {
    switch self {
    case .empty, .events: []
    case .bytes(let bytes): bytes
    }
  }
}
