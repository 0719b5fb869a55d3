/// A request that was rejected before the server called the handler. Observers get it.
package struct RejectedRequest: Sendable {
  /// Nil if libmicrohttpd rejected the request. It does not name the connection.
  package let reason: RejectionReason?
  package let peer: Peer
  package let head: PartialHead
  package let id: String?
  package let problem: Problem

  package var status: Int { problem.status }

  /// A request that libmicrohttpd rejected.
  package init(status: Int) {
    reason = nil
    peer = .unknown
    head = PartialHead()
    id = nil
    problem = Problem(status: status, detail: "")
  }

  /// - Parameters:
  ///   - id: an id that the server made. It is used if the request has none.
  ///   - detail: for the client; nil for that of the reason.
  package init(
    _ reason: RejectionReason, from peer: Peer = .unknown, head: PartialHead = PartialHead(),
    id: String? = nil, detail: String? = nil
  ) {
    self.reason = reason
    problem = detail.map { Problem(status: reason.status, detail: $0) } ?? reason.problem
    self.peer = peer
    self.head = head
    self.id = head.requestID?.text ?? id
  }
}

/// Why the server rejected a request: its head is invalid, or it exceeds a limit.
///
/// The server closes the connection after each rejection, because the position of the next request is
/// unknown. The access log has the case names. The raw values are details for the client.
package enum RejectionReason: String, Error, CaseIterable, Sendable {
  case malformedRequestLine =
    "The request line must be METHOD, one space, TARGET, one space, HTTP/1.1."
  case unknownMethod = "This server does not know the method."
  case unknownVersion = "This server supports HTTP/1.1 and HTTP/1.0 only."
  case targetTooLong = "The request target is too long."
  case malformedTarget =
    "The request target must begin with / and percent-encode all other bytes."
  case climbingPath = "The path must not have the segments . or .. in it."
  case headTooLarge = "The head of the request is too large."
  case malformedField =
    "A header line must be NAME, colon, VALUE, without control characters."
  case foldedField = "A header line begins with a space. This server rejects folded lines."
  case missingHost = "The Host header is missing."
  case repeatedHost = "There is more than one Host header."
  case malformedHost = "The Host header must be a host with an optional port."
  case differingHost = "The Host header and the request target name different hosts."
  case repeatedLength = "There is more than one Content-Length."
  case malformedLength = "The Content-Length is not a number."
  case lengthAndCoding = "A request must not have both Content-Length and Transfer-Encoding."
  case codingInHTTP10 = "HTTP/1.0 has no Transfer-Encoding."
  case codingNotFinal = "chunked must be the last coding of the Transfer-Encoding."
  case repeatedCoding = "There is more than one Transfer-Encoding."
  case unknownCoding = "The only supported Transfer-Encoding is chunked."
  case malformedChunk = "A chunk of the body must be SIZE, CR LF, BYTES, CR LF."
  case malformedBody = "The body of the request is malformed."
  case bodyTooLarge = "The body of the request is too large."
  case unknownExpectation = "The only supported expectation is 100-continue."
  case tooSlow = "The request did not arrive in time."
  case noRoomForBody = "The server is receiving too many bytes of request bodies."
  case tooManyConnections = "There are too many connections."

  /// The status of the response. A Transfer-Encoding is 501 if it is unknown (RFC 9112 section 6.1),
  /// and 400 if it makes the body's end ambiguous (section 6.3).
  package var status: Int {
    switch self {
    case .unknownMethod, .unknownCoding, .repeatedCoding: 501
    case .unknownVersion: 505
    case .targetTooLong: 414
    case .headTooLarge: 431
    case .bodyTooLarge: 413
    case .unknownExpectation: 417
    case .tooSlow: 408
    case .noRoomForBody, .tooManyConnections: 503
    default: 400
    }
  }

  package var problem: Problem {
    status == 503
      ? .unavailable(rawValue, retryAfter: 2) : Problem(status: status, detail: rawValue)
  }
}

/// The readable parts of a head that may be invalid, for the response to it and for the log. No
/// other decision may depend on them.
package struct PartialHead: Sendable {
  package var method: Bytes?
  package var target: Bytes?
  package var fields: [(name: Bytes, value: Bytes)] = []

  package init() {}

  /// - Complexity: two passes over the bytes.
  package init(_ bytes: [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"))[...]
    let parts = lines.popFirst()?.split(separator: UInt8(ascii: " "), maxSplits: 2) ?? []
    if let name = parts.first, name.count <= 32, name.allSatisfy(ASCIISet.token.contains) {
      method = name
    }
    if parts.count == 3 { target = parts[1] }
    fields = lines.compactMap { line in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let value = line[(colon + 1)...].dropLast(line.last == UInt8(ascii: "\r") ? 1 : 0)
      return (line[..<colon], value.trimmed)
    }
  }

  private func values(of name: StaticString) -> [Bytes] {
    fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
  }

  /// Nil if the id is invalid, or repeated and so ambiguous.
  package var requestID: Bytes? {
    let ids = values(of: "x-request-id")
    return ids.count == 1 && ids[0].isRequestID ? ids[0] : nil
  }

  package var traceParent: Bytes? { values(of: "traceparent").first(where: \.isTraceParent) }

  package var origin: Bytes? { values(of: "origin").last }
}
