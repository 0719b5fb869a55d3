/// Which pages of other origins may read what is answered here (CORS, the Fetch standard).
///
/// Reads may be fetched from the origins allowed, never with credentials. Changes from no other
/// origin: they need a header that a browser asks leave for, and the preflight gives none.
package struct CrossOrigin: Sendable {
  package enum Origins: Sendable, Equatable {
    case any
    case only([String])
  }

  package let origins: Origins

  /// Whether `text` is an origin as a browser sends it (RFC 6454 section 6.2): a scheme, a host and a
  /// port other than the scheme's own, all in small letters.
  package static func isOrigin(_ text: String) -> Bool {
    let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = parts[0].utf8.first, (0x61...0x7A).contains(first),
      parts[0].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }),
      text == text.lowercased(), Host.isWellFormed(Array(parts[1].utf8)[...])
    else { return false }
    return !(parts[0] == "http" && parts[1].hasSuffix(":80"))
      && !(parts[0] == "https" && parts[1].hasSuffix(":443"))
  }

  package init(_ origins: Origins = .any) {
    self.origins = origins
  }

  /// The answer to `request`: the preflight's own, or that of `handler`, to a read with the headers
  /// that let a page see it.
  package func answer(_ request: Request, by handler: (Request) -> Answer) -> Answer {
    if request.method == .options, let asked = request["access-control-request-method"],
      let origin = request["origin"]
    {
      return .response(preflight(asked, from: origin))
    }
    guard request.method.isRead else { return handler(request) }
    switch origins {
    case .any:
      return handler(request).map { response in
        var open = response
        if !open.has("Access-Control-Allow-Origin") { open.fields += CrossOrigin.forAnyone }
        return open
      }
    case .only:
      let allowed = request["origin"].map(allowance) ?? []
      return handler(request).map { response in
        var narrow = response
        narrow.fields += allowed
        narrow.vary(by: "Origin")
        return narrow
      }
    }
  }

  /// What the refusal of a request says that came to no handler: a page that may read answers may read
  /// why it gets none. A request whose method nobody saw counts as a read.
  package func fields(refusing glimpse: PartialHead) -> [Field] {
    if let method = glimpse.method, Method(method)?.isRead != true { return [] }
    switch origins {
    case .any: return CrossOrigin.forAnyone
    case .only: return (glimpse.origin.map(allowance) ?? []) + [Field("Vary", "Origin")]
    }
  }

  /// What every read says, whoever asks, so that a cache keeps one copy. A response that is to be
  /// kept ready has these beforehand.
  package var fieldsForAnyone: [Field] {
    origins == .any ? CrossOrigin.forAnyone : []
  }

  private static let exposed = Field(
    "Access-Control-Expose-Headers", "ETag, Retry-After, X-Request-Id")
  private static let forAnyone = [Field("Access-Control-Allow-Origin", "*"), exposed]

  private func preflight(_ method: Bytes, from origin: Bytes) -> Response {
    var fields = [Field("Vary", "Origin, Access-Control-Request-Method")]
    if method.spells("GET") || method.spells("HEAD") {
      let allowed = allowance(origin)
      if !allowed.isEmpty {
        fields +=
          allowed + [
            Field("Access-Control-Allow-Methods", "GET, HEAD"),
            Field("Access-Control-Allow-Headers", "If-None-Match, Last-Event-ID"),
            Field("Access-Control-Max-Age", "86400"),
          ]
      }
    }
    return Response(status: 204, fields: fields)
  }

  private func allowance(_ origin: Bytes) -> [Field] {
    switch origins {
    case .any:
      CrossOrigin.forAnyone
    case .only(let list):
      list.contains { origin.elementsEqual($0.utf8) }
        ? [Field("Access-Control-Allow-Origin", origin.text), CrossOrigin.exposed] : []
    }
  }
}

extension Response {
  /// Adds `name` to the header `Vary`.
  package mutating func vary(by name: String) {
    if let index = fields.firstIndex(where: { $0.name.description == "Vary" }) {
      fields[index] = Field("Vary", "\(fields[index].value), \(name)")
    } else {
      fields.append(Field("Vary", name))
    }
  }
}
