/// Why a request went no further: what the gate found in its head, or a limit that was met before
/// anybody could answer it. The connection is closed after each of them: nobody can say for certain
/// where the next request begins.
package enum RejectionReason: String, Error, CaseIterable, Sendable {
  case malformedRequestLine =
    "The request line is not METHOD, one space, TARGET, one space, HTTP/1.1."
  case unknownMethod = "The method is not one that this server knows."
  case unknownVersion = "This server speaks HTTP/1.1 and HTTP/1.0."
  case targetTooLong = "The target is too long."
  case malformedTarget = "The target holds bytes that have to be percent-encoded, or is no path."
  case climbingPath = "The path has a segment of one or two dots."
  case headTooLarge = "The request's head is too large."
  case malformedField = "A header line is not NAME, colon, VALUE, or holds control characters."
  case foldedField = "A header line begins with a space; folded lines are not accepted."
  case missingHost = "The Host header is missing."
  case repeatedHost = "There is more than one Host header."
  case malformedHost = "The Host header is not a host with an optional port."
  case differingHost = "The Host header and the target name different hosts."
  case repeatedLength = "There is more than one Content-Length."
  case malformedLength = "The Content-Length is not a number."
  case lengthAndCoding = "Content-Length and Transfer-Encoding exclude each other."
  case codingInHTTP10 = "HTTP/1.0 has no Transfer-Encoding."
  case codingNotFinal = "The Transfer-Encoding names chunked, and another coding after it."
  case repeatedCoding = "There is more than one Transfer-Encoding."
  case unknownCoding = "The Transfer-Encoding is not one that this server knows."
  case malformedChunk = "A chunk of the body is not SIZE, line, BYTES, line."
  case bodyTooLarge = "The request's body is too large."
  case unknownExpectation = "The Expect header asks for something other than 100-continue."
  case tooSlow = "The request did not come in time."
  case noRoomForBody = "Too many bytes of requests are being sent at once."
  case tooManyConnections = "There are too many connections."

  /// The status that says so. A Transfer-Encoding other than `chunked`, once and alone, is 501, as
  /// RFC 9112 section 6.1 has it for a coding nobody here knows; 400 where its end can be told by no
  /// rule: beside a length, in HTTP/1.0, or with `chunked` before another coding (section 6.3).
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
    case .malformedRequestLine, .malformedTarget, .climbingPath, .malformedField, .foldedField,
      .missingHost, .repeatedHost, .malformedHost, .differingHost, .repeatedLength,
      .malformedLength, .lengthAndCoding, .codingInHTTP10, .codingNotFinal, .malformedChunk:
      400
    }
  }

  package var problem: Problem {
    status == 503
      ? .unavailable(rawValue, retryAfter: 2) : Problem(status: status, detail: rawValue)
  }
}
