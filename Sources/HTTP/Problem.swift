/// An error as HTTP says it: `application/problem+json` (RFC 9457).
///
///     throw Problem.badParameter("width", "The width is 1 to 65536 px.")
package struct Problem: Error, Sendable {
  package var status: Int
  package var title: String
  package var detail: String
  /// The parameter that is to blame.
  package var parameter: String?
  /// Headers that belong to the status: `Allow`, `Retry-After`, `WWW-Authenticate`.
  package var fields: [Field]
  /// What went wrong, for whoever runs the server: it may name files and hosts, and is never sent.
  package var cause: String?

  /// A problem whose title is the status's name unless given.
  package init(
    status: Int, title: String? = nil, detail: String, parameter: String? = nil,
    fields: [Field] = [], cause: String? = nil
  ) {
    self.status = status
    self.title = title ?? Status.name(of: status)
    self.detail = detail
    self.parameter = parameter
    self.fields = fields
    self.cause = cause
  }

  /// 400: the parameter `name` is not what it may be.
  package static func badParameter(_ name: String, _ detail: String) -> Problem {
    Problem(status: 400, detail: detail, parameter: name)
  }

  /// 404; `parameter` where it named what is not there.
  package static func notFound(_ detail: String, parameter: String? = nil) -> Problem {
    Problem(status: 404, detail: detail, parameter: parameter)
  }

  /// 405, with the methods that the path knows.
  package static func methodNotAllowed(_ allow: String) -> Problem {
    Problem(
      status: 405, detail: "This path answers \(allow).", fields: [Field("Allow", allow)])
  }

  /// 503: come again in `seconds`.
  package static func unavailable(_ detail: String, retryAfter seconds: Int = 1) -> Problem {
    Problem(status: 503, detail: detail, fields: [Field("Retry-After", String(seconds))])
  }

  package var response: Response {
    var json = "{\"status\":\(status),\"title\":\(JSONText(title)),\"detail\":\(JSONText(detail))"
    if let parameter { json += ",\"parameter\":\(JSONText(parameter))" }
    json += "}"
    var response = Response(
      status: status, "application/problem+json", Array(json.utf8),
      fields: [Field("Cache-Control", "no-store")] + fields)
    response.cause = cause
    return response
  }
}
