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
  case pathTraversal = "The path must not have the segments . or .. in it."
  case headTooLarge = "The head of the request is too large."
  case malformedField =
    "A header line must be NAME, colon, VALUE, without control characters."
  case obsFold = "A header line begins with a space. This server rejects folded lines."
  case missingHost = "The Host header is missing."
  case repeatedHost = "There is more than one Host header."
  case malformedHost = "The Host header must be a host with an optional port."
  case hostMismatch = "The Host header and the request target name different hosts."
  case repeatedLength = "There is more than one Content-Length."
  case malformedLength = "The Content-Length is not a number."
  case lengthAndCoding = "A request must not have both Content-Length and Transfer-Encoding."
  case codingInHTTP10 = "HTTP/1.0 has no Transfer-Encoding."
  case codingNotFinal = "chunked must be the last coding of the Transfer-Encoding."
  case repeatedCoding = "There is more than one Transfer-Encoding."
  case unknownCoding = "The only supported Transfer-Encoding is chunked."
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
