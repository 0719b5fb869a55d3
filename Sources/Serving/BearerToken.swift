import Catalogue
import Cryptography
import HTTP
import Items

/// A token of a request, and the hash that identifies it in the cache.
package struct BearerToken: Sendable {
  let secret: [UInt8]
  let digest: Digest

  /// The token of `Authorization: Bearer TOKEN` (RFC 6750 section 2.1). The case of the scheme is
  /// ignored.
  init?(of request: Request) {
    guard let value = request["authorization"],
      let space = value.firstIndex(of: UInt8(ascii: " ")),
      value[..<space].equalsIgnoringCase("bearer")
    else { return nil }
    secret = Array(value[space...].drop { $0 == UInt8(ascii: " ") })
    if secret.isEmpty { return nil }
    digest = Digest(of: secret)
  }
}

extension TokenGrant {
  /// - Throws: 403 if it does not permit to change `strip`.
  func check(_ strip: String, with scope: TokenScope) throws(Problem) {
    guard self.strip == strip else { throw .ofAnotherStrip }
    switch self.scope {
    case .changes: break
    case .lists where scope == .lists: break
    case .lists: throw Problem(status: 403, detail: "The token permits only storing lists.")
    case .reads: throw Problem(status: 403, detail: "The token permits only reading.")
    }
  }
}

extension Problem {
  static func unauthorized(_ what: String) -> Problem {
    Problem(
      status: 401, detail: "\(what) requires a token: Authorization: Bearer TOKEN.",
      fields: [Field("WWW-Authenticate", #"Bearer realm="carousel""#)])
  }

  /// RFC 6750, 3.1.
  static let unknownToken = Problem(
    status: 401, detail: "The token is unknown: it was revoked, has expired, or was never issued.",
    fields: [Field("WWW-Authenticate", #"Bearer realm="carousel", error="invalid_token""#)])

  static let ofAnotherStrip = Problem(status: 403, detail: "The token is for another strip.")
}
