/// Decides which pages of other origins may read responses (CORS, the Fetch standard).
///
/// Pages of the allowed origins may send reads, without credentials. No page of another origin may
/// send changes. A change needs a header that requires a preflight, and the preflight rejects that
/// header.
package struct CrossOrigin: Sendable {
  package enum Origins: Sendable, Equatable {
    case any
    case only([String])
  }

  package let origins: Origins

  /// Whether `text` is an origin as browsers send it (RFC 6454 section 6.2): in lower case, without
  /// the default port of its scheme.
  package static func isOrigin(_ text: String) -> Bool {
    let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = parts[0].utf8.first, (0x61...0x7A).contains(first),
      parts[0].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }),
      text == text.lowercased(), Host.isValid(Array(parts[1].utf8)[...])
    else { return false }
    return !(parts[0] == "http" && parts[1].hasSuffix(":80"))
      && !(parts[0] == "https" && parts[1].hasSuffix(":443"))
  }

  package init(_ origins: Origins = .any) {
    self.origins = origins
  }

  /// Answers a preflight. Passes any other request to `handler`, and adds the CORS fields to the
  /// response if the request is a read.
  package func handle(_ request: Request, by handler: (Request) -> HandlerResult) -> HandlerResult {
    if request.method == .options, let method = request["access-control-request-method"],
      let origin = request["origin"]
    {
      return .response(preflight(method, from: origin))
    }
    guard request.method.isRead else { return handler(request) }
    guard case .any = origins else {
      let allowed = request["origin"].map(fields(allowing:)) ?? []
      return handler(request).map { response in
        var response = response
        response.fields += allowed
        response.vary(by: "Origin")
        return response
      }
    }
    return handler(request).map { response in
      var response = response
      if !response.has("Access-Control-Allow-Origin") {
        response.fields += CrossOrigin.wildcardFields
      }
      return response
    }
  }

  /// The CORS fields of a rejection, so that a page can read its reason. A request with an unknown
  /// method counts as a read.
  package func fields(rejecting head: PartialHead) -> [Field] {
    if let method = head.method, Method(method)?.isRead != true { return [] }
    return origins == .any
      ? CrossOrigin.wildcardFields
      : (head.origin.map(fields(allowing:)) ?? []) + [Field("Vary", "Origin")]
  }

  /// The CORS fields that do not depend on the request's origin; empty if all do.
  ///
  /// A response that is prepared for reuse must contain them from the beginning.
  package var fieldsForAnyOrigin: [Field] {
    origins == .any ? CrossOrigin.wildcardFields : []
  }

  private static let exposed = Field(
    "Access-Control-Expose-Headers", "ETag, Retry-After, X-Request-Id")
  private static let wildcardFields = [Field("Access-Control-Allow-Origin", "*"), exposed]

  private func preflight(_ method: Bytes, from origin: Bytes) -> Response {
    let allowed = Method(method)?.isRead == true ? fields(allowing: origin) : []
    let more = [
      Field("Access-Control-Allow-Methods", "GET, HEAD"),
      Field("Access-Control-Allow-Headers", "If-None-Match, Last-Event-ID"),
      Field("Access-Control-Max-Age", "86400"),
    ]
    let vary = Field("Vary", "Origin, Access-Control-Request-Method")
    return Response(status: 204, fields: [vary] + allowed + (allowed.isEmpty ? [] : more))
  }

  /// Empty if `origin` may not read responses.
  private func fields(allowing origin: Bytes) -> [Field] {
    switch origins {
    case .any:
      CrossOrigin.wildcardFields
    case .only(let list):
      list.contains { origin.elementsEqual($0.utf8) }
        ? [Field("Access-Control-Allow-Origin", origin.text), CrossOrigin.exposed] : []
    }
  }
}

extension Response {
  fileprivate mutating func vary(by name: String) {
    if let index = fields.firstIndex(where: { $0.name.description == "Vary" }) {
      fields[index] = Field("Vary", "\(fields[index].value), \(name)")
    } else {
      fields.append(Field("Vary", name))
    }
  }
}
