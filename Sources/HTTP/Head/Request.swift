import Synchronization

/// One request, as a value.
///
///     let request = Request(.get, "/window?strip=albums&offset=1200")
///     request.path.text  // "/window"
package struct Request: Sendable {
  package let head: Head
  /// Empty if `reader` has read it.
  package let body: [UInt8]
  /// Nil if `body` is the body.
  package let reader: (any BodyReader)?
  package let peer: Peer

  /// - Parameter peer: the address of the client, or of a proxy that is not trusted.
  package init(
    head: Head, body: [UInt8] = [], reader: (any BodyReader)? = nil, peer: Peer = .unknown
  ) {
    self.head = head
    self.body = body
    self.reader = reader
    self.peer = peer
  }

  package var method: Method { head.method }

  /// Not decoded. Split it at `/` before you decode it.
  package var path: Bytes { head.path }

  /// Not decoded. ``Query`` parses it.
  package var rawQuery: Bytes { head.query }

  /// The value of the first header `name`, which is in lower case. Nil if there is none.
  package subscript(_ name: StaticString) -> Bytes? { head.value(of: name) }

  /// Whether `If-None-Match` lists `tag` or is `*`. The comparison is weak (RFC 9110 section 13.1.2).
  package func ifNoneMatchLists(_ tag: @autoclosure () -> EntityTag) -> Bool {
    guard let range = head.ifNoneMatchLines else { return false }
    let tag = tag()
    var lines = FieldLines(head, in: range)
    while let line = lines.next() {
      if line.name.equalsIgnoringCase("if-none-match"), line.value.lists(tag) { return true }
    }
    return false
  }
}

extension Request {
  /// The request that a client would send with these parts, for tests.
  ///
  /// It gets a `Host`, and a `Content-Length` if it has a body.
  ///
  /// - Precondition: ``HeadParser`` accepts the head.
  package init(
    _ method: Method, _ target: String, headers: [(String, String)] = [], body: [UInt8] = []
  ) {
    var text = "\(method.rawValue) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    if !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
    do {
      self.init(head: try HeadParser().parse(Array("\(text)\r\n".utf8)), body: body)
    } catch {
      preconditionFailure("HeadParser rejects this request. \(error.rawValue)")
    }
  }
}

/// A request method that the server knows (RFC 9110 section 9.3). All others are 501.
package enum Method: String, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"
  case trace = "TRACE"

  /// Whether the method only reads. Pages of other origins may use such a method.
  package var isRead: Bool { self == .get || self == .head }

  /// Nil for an unknown name. Names are in upper case.
  init?(_ name: Bytes) {
    guard let method = Method.allCases.first(where: { name.elementsEqual($0.rawValue.utf8) })
    else { return nil }
    self = method
  }
}

/// The length of a body, as the head of its request states it.
package enum BodyLength: Sendable, Equatable {
  case none
  case bytes(Int)
  case chunked
}

/// The head of a valid request: the bytes that the client sent, and the positions of its parts.
///
/// A class, so that passing a request copies one reference only.
package final class Head: Sendable {
  /// The bytes from the method to the empty line, inclusive.
  package let bytes: [UInt8]
  package let method: Method
  package let length: BodyLength
  private let line: RequestLine
  private let target: RequestTarget
  fileprivate let fields: HeadFields

  init(
    _ bytes: [UInt8], _ line: RequestLine, _ method: Method, _ target: RequestTarget,
    _ fields: HeadFields, _ length: BodyLength
  ) {
    self.bytes = bytes
    self.method = method
    self.length = length
    self.line = line
    self.target = target
    self.fields = fields
  }

  package var isHTTP11: Bool { line.isHTTP11 }

  package var path: Bytes { target.path.isEmpty ? Head.root : bytes[target.path] }

  /// The bytes after the first `?` of the target.
  package var query: Bytes { bytes[target.query] }

  /// The target as sent: path and query, or an absolute URL.
  package var rawTarget: Bytes { bytes[line.target] }

  /// Nil if the request has no valid `X-Request-Id`.
  package var requestID: Bytes? {
    guard let range = fields.requestID, bytes[range].isRequestID else { return nil }
    return bytes[range]
  }

  /// The caller's span (W3C Trace Context section 3.2). Nil if there is none, or if it is malformed:
  /// the standard says to ignore it then.
  package var traceParent: Bytes? {
    value(of: "traceparent").flatMap { $0.isTraceParent ? $0 : nil }
  }

  package var hasExpectation: Bool { fields.expectation != nil }

  /// Whether the client waits for `100 Continue` before it sends the body.
  package var expectsContinue: Bool {
    hasExpectation && isHTTP11 && length != .none && length != .bytes(0)
  }

  package var acceptedCodings: AcceptedCodings { fields.acceptedCodings }

  /// The field lines from the first to the last `If-None-Match`.
  var ifNoneMatchLines: Range<Int>? { fields.ifNoneMatchLines }

  private static let root: Bytes = [UInt8(ascii: "/")]

  /// The value of the first field `name`, which is in lower case. O(length of the head).
  package func value(of name: StaticString) -> Bytes? {
    var lines = FieldLines(self)
    while let line = lines.next() {
      if line.name.equalsIgnoringCase(name) { return line.value }
    }
    return nil
  }
}

/// The field lines of a valid head, or a range of them, in order.
package struct FieldLines: Sequence, IteratorProtocol, Sendable {
  private let bytes: [UInt8]
  private var position: Int
  private let end: Int

  package init(_ head: Head) { self.init(head, in: head.fields.lines) }

  init(_ head: Head, in lines: Range<Int>) {
    bytes = head.bytes
    position = lines.lowerBound
    end = lines.upperBound
  }

  package mutating func next() -> (name: Bytes, value: Bytes)? {
    guard position < end else { return nil }
    // HeadParser has checked that each line has a colon and ends with CR LF.
    var colon = position
    while bytes[colon] != UInt8(ascii: ":") { colon += 1 }
    var lineEnd = colon + 1
    while bytes[lineEnd] != UInt8(ascii: "\r") { lineEnd += 1 }
    defer { position = lineEnd + 2 }
    return (bytes[position..<colon], bytes[(colon + 1)..<lineEnd].trimmed)
  }
}

extension Bytes {
  var isTraceParent: Bool {
    let parts = split(
      separator: UInt8(ascii: "-"), maxSplits: 4, omittingEmptySubsequences: false)
    guard (4...5).contains(parts.count), count <= 256,
      parts[..<4].map(\.count) == [2, 32, 16, 2],
      parts[..<4].joined().allSatisfy({ $0.isHexDigit && $0 == $0.lowercased }),
      !parts[0].equals("ff"), parts[1...2].allSatisfy({ $0.contains { $0 != UInt8(ascii: "0") } })
    else { return false }
    // Only a version above 00 may have a fifth part.
    return parts.count == 4 || !parts[0].equals("00")
  }

  /// Whether the bytes are 1 to 128 letters, digits and punctuation marks that need no escaping.
  var isRequestID: Bool {
    (1...128).contains(count) && allSatisfy(ASCIISet.requestID.contains)
  }
}

/// Makes ids for requests that have none: `5f3a-1`, `5f3a-2` and so on. The prefix is random, and
/// distinguishes processes.
package final class RequestIDs: Sendable {
  private let number = Atomic(0)
  private let prefix = String(UInt64.random(in: 0...UInt64.max), radix: 16)

  package init() {}

  package func next() -> String {
    "\(prefix)-\(number.wrappingAdd(1, ordering: .relaxed).newValue)"
  }
}
