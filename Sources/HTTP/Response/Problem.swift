/// An error as `application/problem+json` (RFC 9457).
///
///     throw Problem.badParameter("width", "The width must be from 1 to 65536 px.")
package struct Problem: Error, Sendable {
  package var status: Int
  package var detail: String
  package var parameter: String?
  /// Headers that belong to the status: `Allow`, `Retry-After`, `WWW-Authenticate`.
  package var fields: [Field]
  /// What went wrong, for the operator. It may name files and hosts, and is never sent.
  package var cause: String?

  package init(
    status: Int, detail: String, parameter: String? = nil, fields: [Field] = [],
    cause: String? = nil
  ) {
    self.status = status
    self.detail = detail
    self.parameter = parameter
    self.fields = fields
    self.cause = cause
  }

  package static func badParameter(_ name: String, _ detail: String) -> Problem {
    Problem(status: 400, detail: detail, parameter: name)
  }

  /// - Parameter parameter: the parameter that named the missing resource, if one did.
  package static func notFound(_ detail: String, parameter: String? = nil) -> Problem {
    Problem(status: 404, detail: detail, parameter: parameter)
  }

  package static func methodNotAllowed(_ allow: String) -> Problem {
    Problem(status: 405, detail: "This path allows \(allow).", fields: [Field("Allow", allow)])
  }

  /// 503 with `Retry-After` in seconds.
  package static func unavailable(_ detail: String, retryAfter seconds: Int = 1) -> Problem {
    Problem(status: 503, detail: detail, fields: [Field("Retry-After", String(seconds))])
  }

  package static var tooManyFileRequests: Problem {
    .unavailable("Too many requests wait for files.")
  }

  package var response: Response {
    var json =
      "{\"status\":\(status),\"title\":\(JSONString(title)),\"detail\":\(JSONString(detail))"
    if let parameter { json += ",\"parameter\":\(JSONString(parameter))" }
    json += "}"
    var response = Response(
      status: status, "application/problem+json", Array(json.utf8),
      fields: [Field("Cache-Control", "no-store")] + fields)
    response.cause = cause
    return response
  }

  /// The name of the status (RFC 9110 section 15), one of those that this server sends.
  package var title: String {
    switch status {
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Status \(status)"
    }
  }
}

/// A text as a JSON string (RFC 8259 section 7). It also escapes format and separator characters,
/// which could end a log line, change the writing direction or control a terminal.
package struct JSONString: CustomStringConvertible {
  package let description: String

  package init(_ text: String) {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\n": json += "\\n"
      case "\r": json += "\\r"
      case "\t": json += "\\t"
      case _ where Self.isInvisible(scalar):
        for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
          let digits = String(unit, radix: 16)
          json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: json.unicodeScalars.append(scalar)
      }
    }
    description = json + "\""
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
