/// The head of a valid request: the bytes that the client sent, and the positions of its parts.
///
/// A head copies nothing out of the bytes and makes no `String` until a caller asks for one.
///
/// It is a class, so that passing a request copies one reference only.
package final class Head: Sendable {
  /// The bytes from the method to the empty line, inclusive.
  package let bytes: [UInt8]
  package let method: Method
  /// False for HTTP/1.0.
  package let isHTTP11: Bool
  /// How the request says where its body ends.
  package let length: BodyLength
  /// Whether the request has `Expect: 100-continue`.
  package let hasExpectation: Bool

  private let target: Range<Int>
  private let pathRange: Range<Int>
  private let queryRange: Range<Int>
  private let requestIDRange: Range<Int>?
  fileprivate let fieldLines: Range<Int>
  /// The codings that `Accept-Encoding` allows (RFC 9110 section 12.5.3).
  let acceptedCodings: AcceptedCodings
  /// The field lines from the first to the last `If-None-Match`.
  let ifNoneMatchLines: Range<Int>?

  /// A head whose parts were found in `bytes`.
  init(
    _ bytes: [UInt8], _ line: RequestLine, _ method: Method, _ target: RequestTarget,
    _ fields: HeadFields, _ length: BodyLength
  ) {
    self.bytes = bytes
    self.method = method
    isHTTP11 = line.isHTTP11
    self.length = length
    hasExpectation = fields.expectation != nil
    self.target = line.target
    pathRange = target.path
    queryRange = target.query
    requestIDRange = fields.requestID
    fieldLines = line.end..<fields.end
    acceptedCodings = fields.acceptedCodings
    ifNoneMatchLines = fields.ifNoneMatchLines
  }

  /// The path as sent, not decoded. It is `/` if the target has no path.
  package var path: Bytes {
    pathRange.isEmpty ? Head.root : bytes[pathRange]
  }

  /// The bytes after the first `?` of the target, not decoded.
  package var query: Bytes { bytes[queryRange] }

  /// The target as sent: path and query, or an absolute URL.
  package var rawTarget: Bytes { bytes[target] }

  /// The valid `X-Request-Id` of the request. Nil if it has none.
  package var requestID: Bytes? {
    guard let range = requestIDRange, bytes[range].isRequestID else { return nil }
    return bytes[range]
  }

  /// The valid `traceparent` of the request, as sent (W3C Trace Context section 3.2). Nil if there
  /// is none, or if it is malformed: the standard says to ignore it then.
  ///
  /// It names the caller's span. The server calls no other service, so it makes no span of its own.
  package var traceParent: Bytes? {
    guard let trace = value(of: "traceparent"), trace.isTraceParent else { return nil }
    return trace
  }

  /// Whether the client waits for `100 Continue` before it sends the body.
  package var expectsContinue: Bool {
    hasExpectation && isHTTP11 && length != .none && length != .bytes(0)
  }

  private static let root: Bytes = [UInt8(ascii: "/")]

  /// The value of the first field `name`. Nil if there is none.
  ///
  /// - Parameter name: the name in lower case.
  /// - Complexity: one pass over the field lines before the field.
  package func value(of name: StaticString) -> Bytes? {
    var lines = FieldLines(self)
    while let line = lines.next() {
      if line.name.equalsIgnoringCase(name) { return line.value }
    }
    return nil
  }
}

/// How a request says where its body ends.
package enum BodyLength: Sendable, Equatable {
  case none
  case bytes(Int)
  case chunked
}

/// The field lines of a valid head, or a range of them, in order.
package struct FieldLines: Sequence, IteratorProtocol, Sendable {
  private let bytes: [UInt8]
  private var position: Int
  private let end: Int

  package init(_ head: Head) { self.init(head, in: head.fieldLines) }

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
  /// Whether the bytes are a valid `traceparent`.
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
